// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/calibrate.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "suite/measure/calibration.hpp"

namespace podium::contest {
namespace {

using protocol::Probe;
using record::Quantity;

constexpr const char *bytes = "B/s", *operations = "FLOP/s", *integers = "op/s", *in_seconds = "s",
                     *ratio = "";

struct Named {
  Probe probe;
  const char *name, *unit;
};
// Two seconds of load come first: rates are those of a device that is warm.
constexpr Named probes[] = {{Probe::load, "clock", ratio},
                            {Probe::fma_f64, "fma_f64", operations},
                            {Probe::fma_f32, "fma_f32", operations},
                            {Probe::fma_f16, "fma_f16", operations},
                            {Probe::fma_bf16, "fma_bf16", operations},
                            {Probe::matrix_f64, "matrix_f64", operations},
                            {Probe::matrix_tf32, "matrix_tf32", operations},
                            {Probe::matrix_f16, "matrix_f16", operations},
                            {Probe::matrix_bf16, "matrix_bf16", operations},
                            {Probe::matrix_e4m3, "matrix_e4m3", operations},
                            {Probe::matrix_i8, "matrix_i8", integers},
                            {Probe::copy, "copy", bytes},
                            {Probe::read, "read", bytes},
                            {Probe::write, "write", bytes},
                            {Probe::cache_read, "cache_read", bytes},
                            {Probe::launch, "launch", in_seconds},
                            {Probe::event_pair, "event_pair", in_seconds},
                            {Probe::ticks, "timer_resolution", in_seconds}};

// A number without an interval of its own.
Quantity single(const std::string& name, const char* unit, double value, int samples) {
  return {.name = name,
          .unit = unit,
          .value = value,
          .low = value,
          .high = value,
          .samples = samples,
          .note = ""};
}

std::vector<Quantity> quantities_of(const Named& named, const protocol::Probed& probed) {
  const std::string note = record::without_folders_in(protocol::get(probed.text));
  const int samples = static_cast<int>(probed.count);
  if (samples == 0) return {{.name = named.name, .unit = named.unit, .note = note}};
  const std::span times(probed.microseconds, static_cast<std::size_t>(probed.count));
  if (named.probe == Probe::load) {
    const measure::Clock clock = measure::clock_under_load(times);
    return {single("clock_first", ratio, clock.first, samples),
            single("clock_settled", ratio, clock.settled, samples)};
  }
  if (named.probe == Probe::ticks) {
    const double tick = measure::resolution(times) * 1e-6;
    if (tick == 0) return {{.name = named.name, .unit = named.unit, .note = "all times are alike"}};
    return {single(named.name, in_seconds, tick, samples)};
  }
  const auto figure = named.unit == in_seconds ? measure::seconds(times) : measure::rate(probed.work, times);
  return {{.name = named.name,
           .unit = named.unit,
           .value = figure.value,
           .low = figure.low,
           .high = figure.high,
           .samples = samples,
           .note = note}};
}

}  // namespace

std::vector<Quantity> calibrate(Session& session, const std::function<void(const std::string&)>& tell) {
  std::vector<Quantity> all;
  for (const Named& named : probes) {
    // The CPU has no matrix cores and no vendor's library that everyone has.
    if (!session.backend().gpu && std::string_view(named.name).starts_with("matrix_")) continue;
    tell(named.name);
    const protocol::Probed probed = session.probe(named.probe);
    try {
      for (Quantity& quantity : quantities_of(named, probed)) all.push_back(std::move(quantity));
    } catch (const std::invalid_argument& e) {
      throw Error(
          fmt::format("{}: the judge's times are implausible: {}; check its device", named.name, e.what()));
    }
  }
  return all;
}

std::vector<Quantity> quantities_of(const Overheads& overheads) {
  constexpr double microsecond = 1e-6;
  const auto of = [&](const char* name, double microseconds) {
    return single(name, in_seconds, std::max(0.0, microseconds) * microsecond, overhead_samples);
  };
  return {of("attestation_overhead", overheads.usual.constant),
          of("attestation_tolerance", overheads.usual.tolerance),
          of("attestation_overhead_waiting", overheads.waiting.constant),
          of("attestation_tolerance_waiting", overheads.waiting.tolerance)};
}

}  // namespace podium::contest
