// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/run_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace podium::report {

namespace {

std::string parts_text(const record::Wait& parts) {
  std::string text;
  const char* before = "";
  for (const auto& [name, part] : record::wait_parts)
    text += fmt::format("{}{} {:.0f}", std::exchange(before, ", "), name, parts.*part);
  return text;
}

// Older runs know only the median of the sums.
std::string wait_text(const record::Spent& spent) {
  std::string text = fmt::format(" ({:.0f} µs a sample", spent.wait);
  if (spent.parts.sum() > 0) text += fmt::format(": {}", parts_text(spent.parts));
  if (spent.wait_unflushed > 0)
    text += fmt::format("; {:.0f} where caches are not flushed: {}", spent.wait_unflushed,
                        parts_text(spent.parts_unflushed));
  return text + ")";
}

}  // namespace

std::string spent_text(const record::Spent& spent, double wall) {
  if (spent.sum() <= 0) return fmt::format("{:.0f} s", wall);
  std::string text = fmt::format("{:.1f} s", wall);
  const auto parts = std::to_array<std::pair<std::string_view, double>>({
      {"building", spent.building},
      {"copy rate", spent.copy_rate},
      {"rehearsals", spent.rehearsals},
      {"starts", spent.starts},
      {"warm-ups", spent.warm_ups},
      {"canaries", spent.canaries},
      {"readings", spent.readings},
      {"rests", spent.rests},
      {"columns", spent.columns},
      {"calls", spent.calls},
      {"fills", spent.fills},
      {"checks", spent.checks},
      {"waits", spent.waits},
      {"other", std::max(0.0, wall - spent.sum())},
  });
  constexpr double shown = 0.05;  // seconds: one digit is printed
  const char* before = ": ";
  for (const auto& [name, seconds] : parts) {
    const bool waits = name == "waits" && spent.wait > 0;
    if (seconds < shown && !waits) continue;
    text += fmt::format("{}{} {:.1f}", std::exchange(before, ", "), name, seconds);
    if (waits) text += wait_text(spent);
  }
  return text;
}

std::string ended_text(const record::Provenance& provenance) {
  if (!provenance.ended.empty() || provenance.wall_seconds > 0) return provenance.ended;
  return "its end is not recorded: it was killed, or still runs";
}

std::string unattested_text(const record::Provenance& provenance) {
  if (attested(provenance)) return "";
  std::string missing;
  for (const char* name : {"uid", "seccomp"}) {
    if (std::ranges::find(provenance.sandbox, name) != provenance.sandbox.end()) continue;
    const auto why = provenance.sandbox_without.find(name);
    missing += fmt::format("{}{}", missing.empty() ? "" : " and ", name);
    if (why != provenance.sandbox_without.end() && !why->second.empty())
      missing += fmt::format(" ({})", why->second);
  }
  return fmt::format("contestants were not kept from the judge by {}", missing);
}

}  // namespace podium::report
