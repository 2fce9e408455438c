// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/api.hpp"

#include <fmt/format.h>

#include <string_view>

#include "backends/gpu/vendor.hpp"
#include "suite/device/device.hpp"

namespace podium::gpu {

std::string describe(api::Status status) {
  const std::string what = advice(status);
  return fmt::format("{}: {}{}{}", api::error_name(status), api::error_string(status),
                     what.empty() ? "" : "; ", what);
}

void check(api::Status status, std::source_location where) {
  if (status == api::success) return;
  static_cast<void>(api::last_error());  // else the next launch would report it again
  std::string_view file = where.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);
  const std::string text =
      fmt::format("the device answered {} ({}:{})", describe(status), file, where.line());
  if (status == api::out_of_memory) throw device::OutOfMemory(text, Fault::contestant);
  throw Error(text, Fault::contestant);
}

}  // namespace podium::gpu
