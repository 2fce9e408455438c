// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the judge reads off a device around a call: its clock just before and just after, and its power from a
// counter of energy, which moves in steps (every few tens of milliseconds on a GPU).
#pragma once
#include <cstdint>
#include <limits>
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

// Looks at the counter while the same work goes on and on. The counter says what was used up to a step, but
// not where between two steps it is: so the power is that between two steps, both seen by looking often.
class EnergyMeter {
 public:
  // Readings before `settled` seconds are not used: a counter that lags still tells of what was before, and
  // clocks and voltages take their time to follow the work.
  explicit EnergyMeter(double settled) : settled_(settled) {}

  // `seconds` since the work began, never falling; `joules` by the counter, NaN where it did not tell.
  void look(double seconds, double joules);

  // Mean watts between the first and the last step that were seen; NaN where there are too few to tell.
  double watts() const;

 private:
  static constexpr int least_steps = 5;  // between the two: an error of a look each is small beside them

  struct Reading {
    double seconds = 0, joules = std::numeric_limits<double>::quiet_NaN();
  };
  double settled_;
  Reading before_, first_, last_;  // the look before; the steps
  int steps_ = 0;                  // after the first
};

}  // namespace podium::judge
