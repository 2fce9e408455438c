// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/clock_probe.hpp"

#include <array>

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

}  // namespace podium::judge
