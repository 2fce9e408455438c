// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/gate.hpp"

#include <fmt/format.h>

#include "backends/gpu/vendor.hpp"
#include "suite/base/error.hpp"

namespace podium::gpu {

Gate::Gate(api::Stream stream, std::byte* word, std::uint32_t now, Hold hold,
           std::chrono::milliseconds patience)
    : word_(word) {
  // Tried on the value that the word has: a driver that cannot wait says so here, not in the first sample.
  const auto status = hold == Hold::spinning ? api::Status{} : api::stream_wait_equal(stream, word_, now);
  if (hold == Hold::as_the_driver_can && status == api::success) return;
  static_cast<void>(api::last_error());
  api::Module module{};
  if (const auto loaded = api::module_load_data(&module, own_kernels()); loaded != api::success) {
    static_cast<void>(api::last_error());
    throw Error(fmt::format("the gate cannot be built: this driver refuses stream waits on memory ({}), and "
                            "Podium has no kernel for them on this device ({}); install a newer driver",
                            describe(status), describe(loaded)),
                Fault::device);
  }
  module_ = Module(module);
  check(api::module_get_function(&function_, module_, "podium_gate"));
  int ordinal = 0;
  check(api::get_device(&ordinal));
  patience_ = static_cast<std::uint64_t>(timer_ticks_per_microsecond(ordinal) * 1000.0 *
                                         static_cast<double>(patience.count()));
}

void Gate::hold(api::Stream stream, std::uint32_t ticket) {
  if (!spins()) return check(api::stream_wait_equal(stream, word_, ticket));
  void* arguments[] = {static_cast<void*>(&word_), &ticket, &patience_};
  check(api::launch(function_, 1, 1, stream, arguments));
}

}  // namespace podium::gpu
