// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/amount.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace podium::compile {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr double kib = 1024;
constexpr std::array<Unit, 4> units = {
    {{"TiB", kib * kib * kib * kib}, {"GiB", kib * kib * kib}, {"MiB", kib * kib}, {"KiB", kib}}};

}  // namespace

std::string amount(std::int64_t bytes) {
  for (const auto& unit : units) {
    const double number = static_cast<double>(bytes) / unit.bytes;
    if (number < 1) continue;
    const bool whole = number == static_cast<double>(static_cast<std::int64_t>(number));
    return whole ? fmt::format("{:.0f} {}", number, unit.name) : fmt::format("{:.1f} {}", number, unit.name);
  }
  return fmt::format("{} bytes", bytes);
}

std::optional<std::int64_t> parse_amount(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  double factor = 0;
  if (text.empty() || text == "bytes") factor = 1;
  for (const auto& unit : units)
    if (text == unit.name || text == unit.name.substr(0, 1)) factor = unit.bytes;
  constexpr double most = 1e18;
  if (factor == 0 || number * factor > most) return std::nullopt;
  return static_cast<std::int64_t>(number * factor);
}

}  // namespace podium::compile
