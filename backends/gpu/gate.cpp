// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/gate.hpp"

#include <fmt/format.h>

#include "backends/gpu/vendor.hpp"
#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

// Longer than the judge takes to fill the largest tensors, so short that a device is not lost to it.
constexpr std::uint64_t patience = 30'000'000'000;  // nanoseconds

}  // namespace

Gate::Gate(api::Stream stream, std::byte* word, std::uint32_t now, Hold hold) : word_(word) {
  // Tried on the value that the word has: a driver that cannot wait says so here, not in the first sample.
  const auto status = hold == Hold::spinning ? api::Status{} : api::stream_wait_equal(stream, word_, now);
  if (hold == Hold::as_the_driver_can && status == api::success) return;
  static_cast<void>(api::last_error());
  const char* const image = spinning_gate();
  if (!image)
    throw Error(fmt::format("the gate cannot be built: this driver refuses to let a stream wait on a word of "
                            "memory ({}); a newer driver is needed",
                            describe(status)),
                Exit::no_device);
  api::Module module{};
  check(api::module_load_data(&module, image));
  module_ = Module(module);
  check(api::module_get_function(&function_, module_, "podium_gate"));
}

void Gate::hold(api::Stream stream, std::uint32_t ticket) {
  if (!spins()) return check(api::stream_wait_equal(stream, word_, ticket));
  std::uint64_t most = patience;
  void* arguments[] = {static_cast<void*>(&word_), &ticket, &most};
  check(api::launch(function_, 1, 1, stream, arguments));
}

}  // namespace podium::gpu
