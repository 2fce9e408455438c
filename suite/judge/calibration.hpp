// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's answers to `podium calibrate`: a device's memory, arithmetic and clocks, timed at their best.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>

#include "suite/device/device.hpp"
#include "suite/problem/program/calibrate_words.hpp"
#include "suite/protocol/calibration.hpp"

namespace podium::judge {

class Calibration {
 public:
  // `program`: of suite/problem/program/calibrate.hpp. The device outlives this.
  Calibration(device::Device& device, std::unique_ptr<device::Program> program);

  // What the device cannot do is an answer without times that says why. Throws podium::Error where the device
  // fails.
  protocol::Probed probe(protocol::Probe probe);

 private:
  using Work = std::function<void()>;
  using Words = std::array<std::uint64_t, program::calibrate_words>;

  void fill(device::Memory& memory, program::BitPattern pattern);
  // Microseconds of one `once`, from as many in a row as a time needs to be long beside what starting costs.
  protocol::Probed sampled(double work, const Work& once);
  protocol::Probed multiply_add(program::CalibratedType type);
  protocol::Probed product(device::ProductType type, program::BitPattern pattern);
  protocol::Probed memory(protocol::Probe probe);
  protocol::Probed cache_read();
  protocol::Probed load();
  protocol::Probed launch();
  protocol::Probed event_pair();
  protocol::Probed ticks();

  struct Loop {  // a kernel of multiply-adds, and what one step of it does
    std::string kernel;
    Words words{};
    double operations = 0;  // of all groups; 0: no such instruction
  };
  Loop loop(program::CalibratedType type);
  void run(const Loop& loop, std::int64_t steps);
  std::int64_t steps_for(const Loop& loop, double microseconds);

  device::Device& device_;
  std::unique_ptr<device::Program> program_;
  bool gpu_;
  int groups_;
  std::unique_ptr<device::Memory> scratch_;  // starts of accumulators; results that never are stored
  std::unique_ptr<device::Products> products_;
};

}  // namespace podium::judge
