// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/meters.hpp"

#include <array>
#include <cmath>

namespace podium::judge {
namespace {

double megahertz(std::uint64_t cycles, std::uint64_t ticks, double ticks_per_microsecond) {
  return ticks == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(ticks) * ticks_per_microsecond;
}

}  // namespace

ClockProbe::ClockProbe(device::Device& device, device::Program& program)
    : device_(device), program_(program), memory_(device.allocate(words * sizeof(std::uint64_t))) {}

void ClockProbe::before() {
  device_.set(memory_->data(), 0, words * sizeof(std::uint64_t));
  device_.measure_clock(program_, reinterpret_cast<std::uint64_t*>(memory_->data()));
}

// A judge that sleeps while the contestant runs finds its processor idling: its clock says nothing.
void ClockProbe::after() {
  if (device_.spins()) device_.measure_clock(program_, reinterpret_cast<std::uint64_t*>(memory_->data()) + 2);
}

ClockProbe::Clocks ClockProbe::read() {
  std::array<std::uint64_t, words> count{};
  device_.copy(count.data(), memory_->data(), sizeof count);
  device_.synchronise();
  const double rate = device_.clock_ticks_per_microsecond();
  return {megahertz(count[0], count[1], rate), megahertz(count[2], count[3], rate)};
}

void EnergyMeter::look(double seconds, double joules) {
  if (std::isnan(joules)) return;
  const bool stepped = joules > before_.joules;  // false of the first look
  const bool settled = before_.seconds >= settled_;
  if (joules < before_.joules) {  // it began anew: what was seen before has no place any more
    first_ = last_ = {};
    steps_ = 0;
  }
  before_ = {seconds, joules};
  if (!stepped || !settled) return;
  if (std::isnan(first_.joules)) {
    first_ = before_;
    return;
  }
  last_ = before_;
  ++steps_;
}

double EnergyMeter::watts() const {
  if (steps_ < least_steps) return std::numeric_limits<double>::quiet_NaN();
  return (last_.joules - first_.joules) / (last_.seconds - first_.seconds);
}

}  // namespace podium::judge
