// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a worker opens its device.
#pragma once
#include <memory>
#include <string>

#include "suite/base/error.hpp"
#include "suite/device/lane.hpp"

namespace podium {

// By its number or, unless `at` is empty, by its PCI address, whatever its number is among those that this
// process sees. The lane throws podium::Error if there is no such device.
inline auto opener(std::string at) {
  return [at = std::move(at)](int ordinal, device::Page& page) -> std::unique_ptr<device::Lane> {
    const int number = at.empty() ? ordinal : device::ordinal_at(at);
    if (number < 0)
      throw Error("a worker sees " + std::to_string(device::visible_devices()) + " GPUs, and none at " + at +
                      ", which the judge has opened",
                  Fault::device);
    return device::open_lane(number, page);
  };
}

}  // namespace podium
