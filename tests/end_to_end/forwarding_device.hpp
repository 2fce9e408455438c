// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device that is another one, but for what a class derived from it says otherwise.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "suite/device/device.hpp"

namespace podium::test {

class ForwardingDevice : public device::Device {
 public:
  explicit ForwardingDevice(std::unique_ptr<device::Device> real) : real_(std::move(real)) {}

  const device::Description& description() const override { return real_->description(); }
  std::unique_ptr<device::Memory> allocate(std::size_t bytes) override { return real_->allocate(bytes); }
  std::unique_ptr<device::Arena> share(std::size_t bytes) override { return real_->share(bytes); }
  std::unique_ptr<device::Memory> mapped(std::size_t bytes) override { return real_->mapped(bytes); }
  std::unique_ptr<device::Program> load(int object) override { return real_->load(object); }
  void copy(void* to, const void* from, std::size_t bytes) override { real_->copy(to, from, bytes); }
  void set(void* at, std::uint8_t value, std::size_t bytes) override { real_->set(at, value, bytes); }
  void flush_caches() override { real_->flush_caches(); }
  void synchronise() override { real_->synchronise(); }
  void mark() override { real_->mark(); }
  void await_mark() override { real_->await_mark(); }
  bool marked() override { return real_->marked(); }
  int most_ranks() const override { return real_->most_ranks(); }
  bool is_whole_group() const override { return real_->is_whole_group(); }
  std::vector<std::string> others_of_group() const override { return real_->others_of_group(); }
  int groups_for(std::int64_t items) const override { return real_->groups_for(items); }
  bool spins() const override { return real_->spins(); }
  double canary() override { return real_->canary(); }
  std::int64_t memory_of_others() override { return real_->memory_of_others(); }
  device::MemoryRates memory_rates() override { return real_->memory_rates(); }
  void measure_clock(device::Program& program, std::uint64_t* at) override {
    real_->measure_clock(program, at);
  }
  double clock_ticks_per_microsecond() const override { return real_->clock_ticks_per_microsecond(); }
  device::Telemetry telemetry() override { return real_->telemetry(); }
  double energy() override { return real_->energy(); }
  bool begin_counting() override { return real_->begin_counting(); }
  device::Counters counted() override { return real_->counted(); }
  std::string telemetry_source() override { return real_->telemetry_source(); }
  double timed(const std::function<void()>& work) override { return real_->timed(work); }
  std::unique_ptr<device::Products> products() override { return real_->products(); }

 private:
  std::unique_ptr<device::Device> real_;
};

// Neither cold nor measured: what a test looks for in words, verdicts and files does not depend on it, and
// both take most of the time of a short run.
class UnflushedDevice : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;
  void flush_caches() override {}
  device::MemoryRates memory_rates() override {
    constexpr double bytes_a_second = 1e10;
    return {bytes_a_second, bytes_a_second, bytes_a_second};
  }
};

}  // namespace podium::test
