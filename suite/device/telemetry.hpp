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
