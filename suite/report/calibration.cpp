// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/report/format.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/render.hpp"
#include "suite/report/roofline.hpp"

namespace podium::report {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 14> labels{
    {{"copy", "memory, copy (bytes read and written)"},
     {"read", "memory, read"},
     {"write", "memory, write"},
     {"cache_read", "last-level cache, read"},
     {"launch", "launch: call to the kernel's first write"},
     {"event_pair", "two events, nothing between"},
     {"timer_resolution", "timer resolution"},
     {"clock_first", "one kernel for 2 s: first over shortest time"},
     {"clock_settled", "one kernel for 2 s: last over shortest time"},
     {"attestation_overhead", "empty call: judge's clock less device's"},
     {"attestation_tolerance", "empty call: tolerance"},
     {"attestation_overhead_waiting", "empty call that waits: judge's less device's"},
     {"attestation_tolerance_waiting", "empty call that waits: tolerance"},
     {"clock", "one kernel for 2 s"}}};

std::string scaled(double value, const char* unit) {
  constexpr std::array<std::pair<double, const char*>, 5> prefixes{
      {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1, ""}}};
  const auto fits = [&](const auto& prefix) { return value >= prefix.first * 0.99995; };
  const auto found = std::ranges::find_if(prefixes, fits);
  const auto& [factor, name] = found == prefixes.end() ? prefixes.back() : *found;
  return fmt::format("{} {}{}", significant(value / factor), name, unit);
}

// How far the interval reaches from the value, at its farther end.
std::string spread_text(const record::Quantity& q) {
  if (q.value <= 0 || q.low == q.high) return std::string(none);
  return fmt::format("±{:.1f} %", 100 * std::max(q.high - q.value, q.value - q.low) / q.value);
}

Table table_of(const record::Calibration& calibration) {
  Table table{.columns = {{.header = "quantity", .names = true},
                          {.header = "median", .right = true},
                          {.header = "95 %", .right = true, .importance = 3},
                          {.header = "samples", .right = true, .importance = 2},
                          {.header = "note", .importance = 1, .stretches = true}},
              .lines = {}};
  for (const record::Quantity& q : calibration.quantities) {
    const std::string label = one_line(label_of(q.name));
    if (q.samples == 0)
      table.lines.push_back(
          {.cells = {label, "", "", "", ""}, .remark = one_line("not measured: " + q.note)});
    else
      table.lines.push_back({.cells = {label, value_text(q.value, q.unit), spread_text(q),
                                       fmt::format("{}", q.samples), one_line(q.note)},
                             .remark = ""});
  }
  return table;
}

std::string heading_of(const record::Provenance& p) {
  return one_line(fmt::format("{}, calibrated {} ({})", device_text(p.device), p.started, p.driver));
}

}  // namespace

std::string label_of(const std::string& name) {
  for (const auto& [known, label] : labels)
    if (name == known) return label;
  if (name.starts_with("fma_")) return fmt::format("multiply-add, {}", name.substr(4));
  if (name.starts_with("matrix_")) return fmt::format("matrix product, {}", name.substr(7));
  return name;
}

std::string value_text(double value, const std::string& unit) {
  if (unit == "s") return time_text(value * 1e6);
  if (unit.empty()) return ratio_text(value);
  return scaled(value, unit.c_str());
}

namespace {

// How far the interval of a rate reaches, as a share of it; 0 for what is no rate.
double spread_of(const record::Quantity& q) {
  if (q.samples == 0 || q.value <= 0 || !q.unit.ends_with("/s")) return 0;
  return std::max(q.high - q.value, q.value - q.low) / q.value;
}

}  // namespace

std::string scatter_of(const record::Quantity& quantity) {
  constexpr double most = 0.1;
  const double spread = spread_of(quantity);
  return spread > most ? fmt::format("{} scatters by {:.0f} %", label_of(quantity.name), 100 * spread) : "";
}

std::string slowdown_of(const record::Calibration& calibration) {
  constexpr double most = 1.25;  // far beyond what heat and power limits do to a clock
  const record::Quantity* clock = calibration.find("clock_settled");
  return clock && clock->value > most ? fmt::format("one kernel became {:.2f} times slower", clock->value)
                                      : "";
}

Arithmetic arithmetic_of(const record::Calibration& calibration, const std::string& driver) {
  if (const std::string& its = calibration.provenance.driver; its != driver)
    throw Error(
        fmt::format("measured with driver {}, now it is {}; run `podium calibrate` again", its, driver));
  if (const std::string slower = slowdown_of(calibration); !slower.empty())
    throw Error(fmt::format("{}; calibrate again when the device is idle", slower));
  Arithmetic found;
  for (const record::Quantity& quantity : calibration.quantities) {
    if (quantity.samples == 0 || !(quantity.name.starts_with("fma_") || quantity.name.starts_with("matrix_")))
      continue;
    if (std::string scatter = scatter_of(quantity); scatter.empty())
      found.rates[quantity.name] = quantity.value;
    else
      found.scattered.push_back(std::move(scatter));
  }
  return found;
}

std::string doubts_about(const record::Calibration& calibration) {
  std::string found = slowdown_of(calibration);
  if (const auto worst = std::ranges::max_element(calibration.quantities, {}, spread_of);
      found.empty() && worst != calibration.quantities.end())
    found = scatter_of(*worst);
  if (found.empty()) return "";
  return fmt::format("{}: the device was not idle, or does not hold its clock; calibrate again when it does",
                     found);
}

std::string render(const record::Calibration& calibration, const std::string& format) {
  if (format == "json")
    return record::to_json(calibration).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  if (format == "svg") return roofline(calibration, {});
  std::string out;
  if (format == "md") {
    out = fmt::format("{}\n\n", markdown_escaped(heading_of(calibration.provenance)));
    put_markdown_table(out, table_of(calibration));
    return out;
  }
  const Style style = terminal_style();
  out = wrapped(heading_of(calibration.provenance), 0, style.columns) + "\n\n";
  put_table(out, table_of(calibration), style.columns);
  return style.unicode ? out : ascii_lines(out);
}

}  // namespace podium::report
