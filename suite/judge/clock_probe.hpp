// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The device's clock just before a sample and just after it.
#pragma once
#include <cstdint>
#include <memory>

#include "suite/device/device.hpp"

namespace podium::judge {

class ClockProbe {
 public:
  // Both outlive the probe.
  ClockProbe(device::Device& device, device::Program& program);

  void before();  // enqueues; forgets the sample before
  void after();   // enqueues

  struct Clocks {
    double before = 0, after = 0;  // MHz; 0: not known
  };
  Clocks read();  // synchronises

 private:
  static constexpr std::size_t words = 4;  // cycles and ticks, before and after
  device::Device& device_;
  device::Program& program_;
  std::unique_ptr<device::Memory> memory_;
};

}  // namespace podium::judge
