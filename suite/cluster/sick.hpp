// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Devices that are slower than others of their type. Plain numbers in, plain numbers out.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "suite/cluster/node.hpp"

namespace podium::cluster {

// The chance that a campaign names any device although all are alike.
inline constexpr double false_alarms = 0.01;
// A smaller slowdown is not worth a repair, and clocks of sound devices differ by as much.
inline constexpr double least_slowdown = 0.01;
inline constexpr std::size_t fewest_devices = 3;  // of a type

// A device's slowdown against the median of its type, as a log-ratio.
struct Slowdown {
  double value = 0;
  double low = 0, high = 0;  // 95 % interval, by the scatter of the device's own readings and of the type
};

// What the devices of one type say of each other.
struct Spread {
  double center = 0;  // median of the logarithms
  double spread = 0;  // standard deviation of a device, from the median absolute deviation
  double limit = 0;   // log-ratio beyond which a device is named; infinite with fewer than fewest_devices
};

// `log_times`: one number a device. `alpha`: the chance of naming any of them if all are alike.
//
// The limit is a Student quantile of the robust spread, for as many devices as there are (Bonferroni). Median
// and MAD are not moved by a few sick devices; the MAD has 37 % of the efficiency of the standard deviation
// (Rousseeuw and Croux 1993, J. Am. Stat. Assoc. 88), so many degrees of freedom count.
Spread spread_of(std::span<const double> log_times, double alpha);

// What was measured on each device.
enum class Measure { common, canary };
std::string_view name_of(Measure measure);  // "the common contestant", "the canary"

struct SickDevice {
  std::string node, device, type;  // the type's folder in results/
  Measure measure = Measure::common;
  Slowdown slowdown;
  std::size_t devices = 0;          // of the type
  double limit = 0;                 // as of Spread
  std::vector<std::string> unlike;  // what of its environment is unlike that of most: "ecc is off, not on"
  std::vector<std::string> shards;  // that it measured
  std::string evidence() const;     // one sentence
};

// What can be told of a type.
struct TypeSpread {
  std::string type;
  Measure measure = Measure::common;
  std::size_t devices = 0;
  double percent = 0;             // spread between devices
  double detectable_percent = 0;  // the least slowdown that names a device; infinite: none does
};

struct Health {
  std::vector<SickDevice> sick;   // by type, node and device; each device once
  std::vector<TypeSpread> types;  // by type
};

Health health_of(const std::vector<NodeRecord>& nodes);

}  // namespace podium::cluster
