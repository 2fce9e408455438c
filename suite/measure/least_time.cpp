// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/least_time.hpp"

#include <algorithm>

namespace podium::measure {
namespace {

// Up to so many operations for each byte of least traffic, moving the data bounds the time on anything with
// vector units: the GPUs and CPUs of today need 5 or more in fp32 before arithmetic does (roofline's ridge
// point; Williams, Waterman, Patterson 2009). More than that takes measured arithmetic rates.
constexpr double memory_bound = 4;  // operations a byte

}  // namespace

double memory_time(const Work& work, const Ceilings& ceilings) {
  const double written = work.written < 0 ? work.bytes / 2 : std::min(work.written, work.bytes);
  const double read = work.bytes - written, copied = 2 * std::min(read, written);
  const double alone = read > written ? ceilings.read : ceilings.write;
  return copied / ceilings.copy + (work.bytes - copied) / (alone > 0 ? alone : ceilings.copy);
}

LightTime light_time(const Work& work, const Ceilings& ceilings) {
  if (work.bytes <= 0 || ceilings.copy <= 0) return {};
  const double memory = memory_time(work, ceilings);
  if (work.flops <= memory_bound * work.bytes) return {.seconds = memory};
  if (ceilings.arithmetic <= 0) return {};
  const double arithmetic = work.flops / ceilings.arithmetic;
  return {.seconds = std::max(memory, arithmetic), .arithmetic = arithmetic > memory, .weighed = true};
}

double physical_floor(const Traffic& traffic, double cache, double copy_rate) {
  constexpr double margin = 0.9;
  const double bytes = std::min(traffic.stated, traffic.read + std::max(0.0, traffic.written - cache));
  return margin * bytes / copy_rate * 1e6;
}

}  // namespace podium::measure
