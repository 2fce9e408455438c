// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a device says of itself beside its work: clocks, temperature, power, why it holds back, and energy.
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace podium::device {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Telemetry {
  double sm_clock = unknown, memory_clock = unknown;  // MHz; the first of the processors
  double temperature = unknown;  // degrees Celsius, of the chip; its hottest point, if told
  double power = unknown;        // watts, now or over the last moments
  std::uint32_t throttle = 0;    // suite/base/throttle_reason.hpp
};

// What a device's own counters say of a stretch of time, whoever worked on it: percent of that time, or of
// the most that is possible in it.
struct Counters {
  double seconds = unknown;           // of the stretch
  double sm_active = unknown;         // multiprocessors that had work
  double sm_occupancy = unknown;      // warps on them
  double tensor_active = unknown;     // matrix cores
  double memory_bandwidth = unknown;  // reading and writing the device's memory
};

// A way to ask one device. Whatever cannot be had is unknown; nothing throws once it has been opened.
class Sensors {
 public:
  Sensors() = default;
  Sensors(const Sensors&) = delete;
  Sensors& operator=(const Sensors&) = delete;
  virtual ~Sensors() = default;
  virtual Telemetry read() = 0;
  // Joules since the driver was loaded or some other start: differences count. Not part of read(), since NVML
  // takes 4 ms for it on an H200 and a twentieth of one for each of the others.
  virtual double energy() = 0;
  // A stretch begins, in place of one that has begun. False: the device has no such counters.
  virtual bool begin_counting() { return false; }
  // Of the stretch until now; unknown where it is too short to tell.
  virtual Counters counted() { return {}; }
  virtual std::string partition() { return {}; }  // Description::partition, where it is told
  virtual std::string source() const = 0;  // "NVML"; or why there is none: "none: libnvidia-ml.so.1 ..."
};

// For a device of which nothing can be known: `why` becomes the source.
class NoSensors : public Sensors {
 public:
  explicit NoSensors(const std::string& why) : why_("none: " + why) {}
  Telemetry read() override { return {}; }
  double energy() override { return unknown; }
  std::string source() const override { return why_; }

 private:
  std::string why_;
};

}  // namespace podium::device
