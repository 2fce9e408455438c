// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A judge of the CPU whose device says of itself what a test wants: PODIUM_SIMULATED_CLOCK is a list of
// "<number of measurements> <MHz>", the last of which lasts for ever. Telemetry is made up; a joule is used
// with every look. PODIUM_SIMULATED_WATTS: the counter of energy is one of a device that uses so many all the
// time, and moves every 20 ms; "none": there is no such counter. PODIUM_SIMULATED_HOARDER: after so many
// measurements of the clock, one before each cold sample, nobody gets more of the device's memory.
// PODIUM_SIMULATED_NEIGHBOUR: the device's memory that others hold is what podium's workers hold of the
// host's; and from that look at it on, by their number, 1 TiB of somebody else, -1: never.
// PODIUM_SIMULATED_UNCOUNTED: it has no counters of work.
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "backends/common/arguments.hpp"
#include "suite/base/throttle_reason.hpp"
#include "suite/judge/judge.hpp"
#include "tests/end_to_end/forwarding_device.hpp"

namespace podium {
namespace {

class Simulated : public test::UnflushedDevice {
 public:
  explicit Simulated(std::unique_ptr<device::Device> real) : UnflushedDevice(std::move(real)) {
    const char* stated = std::getenv("PODIUM_SIMULATED_CLOCK");
    clocks_.str(stated ? stated : "");
  }
  std::unique_ptr<device::Memory> allocate(std::size_t bytes) override {
    if (const char* most = std::getenv("PODIUM_SIMULATED_HOARDER"); most && measured_ >= std::atoi(most))
      throw device::OutOfMemory("of the simulated memory nothing is left");
    return UnflushedDevice::allocate(bytes);
  }

  std::int64_t memory_of_others() override {
    const char* neighbour = std::getenv("PODIUM_SIMULATED_NEIGHBOUR");
    if (!neighbour) return UnflushedDevice::memory_of_others();
    const int from = std::atoi(neighbour);
    const bool there = from >= 0 && looks_++ >= from;
    return memory_of_workers() + (there ? std::int64_t{1} << 40 : 0);
  }

  void measure_clock(device::Program&, std::uint64_t* at) override {
    ++measured_;
    if (left_ == 0)
      if (std::uint64_t megahertz = 0; clocks_ >> left_ >> megahertz) megahertz_ = megahertz;
    if (left_ > 0) --left_;
    at[0] = 1000 * megahertz_;
    at[1] = megahertz_ == 0 ? 0 : 1000;
  }
  double clock_ticks_per_microsecond() const override { return 1; }
  device::Telemetry telemetry() override {
    return {.sm_clock = 1900,
            .temperature = 61,
            .power = 350,
            .throttle = throttle::power | throttle::temperature};
  }
  bool begin_counting() override {
    begun_ = std::chrono::steady_clock::now();
    return !std::getenv("PODIUM_SIMULATED_UNCOUNTED");
  }
  device::Counters counted() override {
    const std::chrono::duration<double> length = std::chrono::steady_clock::now() - begun_;
    return {.seconds = length.count(), .sm_active = 37.5, .memory_bandwidth = 20};
  }
  std::string telemetry_source() override { return "a simulation"; }
  double energy() override { return used(); }

 private:
  static std::int64_t memory_of_workers() {
    std::int64_t bytes = 0;
    for (const auto& process : std::filesystem::directory_iterator("/proc")) {
      std::ifstream status(process.path() / "status");
      std::string word, name;
      std::int64_t parent = 0, resident = 0;
      while (status >> word) {
        if (word == "Name:") status >> name;
        if (word == "PPid:") status >> parent;
        if (word == "VmRSS:") status >> resident;
      }
      if (parent == getppid() && name.starts_with("podium-worker")) bytes += resident << 10;
    }
    return bytes;
  }

  double used() {
    const char* watts = std::getenv("PODIUM_SIMULATED_WATTS");
    if (!watts) return ++joules_;
    if (std::string_view(watts) == "none") return device::unknown;
    constexpr double step = 0.02;  // seconds
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return std::atof(watts) * step * std::floor(now.count() / step);
  }

  std::istringstream clocks_;
  std::uint64_t left_ = 0, megahertz_ = 0;
  int measured_ = 0, looks_ = 0;
  double joules_ = 0;
  std::chrono::steady_clock::time_point begun_;
};

std::unique_ptr<device::Device> open(int ordinal) {
  return std::make_unique<Simulated>(device::open(ordinal));
}

}  // namespace
}  // namespace podium

int main(int argc, char** argv) {
  return podium::judge::serve(podium::number_argument(argc, argv, "--socket"), podium::open);
}
