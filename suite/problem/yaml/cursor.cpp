// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Expectations on YAML nodes, and the sentences for what does not meet them.
#include "suite/problem/yaml/cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "suite/base/nearest.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

constexpr std::string_view digits = "0123456789";

std::string join(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::optional<double> parse_integer(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<double>(value);
}

}  // namespace

std::optional<Number> core_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view body = text;
  if (negative || text.starts_with('+')) body.remove_prefix(1);
  const auto signed_number = [&](double value, bool integer) {
    return Number{negative ? -value : value, integer};
  };
  if (body == ".inf" || body == ".Inf" || body == ".INF")
    return signed_number(std::numeric_limits<double>::infinity(), false);
  if (body.size() == text.size() && (body.starts_with("0x") || body.starts_with("0o"))) {
    const auto value = parse_integer(body.substr(2), body[1] == 'x' ? 16 : 8);
    return value ? std::optional(Number{*value, true}) : std::nullopt;
  }
  if (!body.empty() && body.find_first_not_of(digits) == body.npos) {
    const auto value = parse_integer(body, 10);
    return value ? std::optional(signed_number(*value, true)) : std::nullopt;
  }
  // [ "." digits | digits [ "." digits? ] ] [ e [sign] digits ]; from_chars alone would also take "inf" and
  // "nan".
  if (body.empty() || body.find_first_not_of("0123456789.eE+-") != body.npos || body[0] == '+' ||
      body[0] == '-')
    return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (error != std::errc() || end != body.data() + body.size()) return std::nullopt;
  return signed_number(value, false);
}

Cursor::Cursor(const yaml::Node& node, const std::string& file, Mistakes& mistakes, std::string key)
    : node_(&node), file_(&file), mistakes_(&mistakes), key_(std::move(key)) {}

void Cursor::mistake(std::string_view sentence) const { mistakes_->add(at(), key_, sentence); }

void Cursor::mistake_first(std::string_view sentence) const { mistakes_->add_first(at(), key_, sentence); }

void Cursor::expected(std::string_view what) const {
  mistake(fmt::format("found {}, expected {}", found(), what));
}

std::string Cursor::found() const {
  switch (node_->kind) {
    case yaml::Node::Kind::null:
      return "nothing";
    case yaml::Node::Kind::list:
      return "a list";
    case yaml::Node::Kind::map:
      return "a map";
    case yaml::Node::Kind::scalar:
      break;
  }
  return fmt::format("\"{}\"", yaml::excerpt(node_->text));
}

std::vector<Cursor> Cursor::fields(std::string_view what) const {
  std::vector<Cursor> fields;
  if (!is_map()) {
    expected(what);
    return fields;
  }
  for (const yaml::Node& node : node_->children) {
    const std::string name = yaml::excerpt(node.key);
    fields.push_back(child(node, key_.empty() ? name : key_ + "." + name));
  }
  return fields;
}

std::vector<Cursor> Cursor::items(std::string_view what) const {
  std::vector<Cursor> items;
  if (!is_list()) {
    expected(what);
    return items;
  }
  for (const yaml::Node& node : node_->children)
    items.push_back(child(node, fmt::format("{}[{}]", key_, items.size())));
  return items;
}

std::optional<Cursor> Cursor::find(std::string_view key) const {
  if (const yaml::Node* node = node_->find(key)) return child(*node, path_of(key));
  if (!is_map()) return std::nullopt;
  const std::string spelt = mistakes_->spelling(path_of(key));
  const yaml::Node* node = spelt.empty() ? nullptr : node_->find(spelt);
  if (!node) return std::nullopt;
  return child(*node, path_of(yaml::excerpt(spelt)));
}

std::string Cursor::path_of(std::string_view key) const {
  return key_.empty() ? std::string(key) : fmt::format("{}.{}", key_, key);
}

std::optional<Cursor> Cursor::need(std::string_view key, std::string_view what) const {
  auto found = find(key);
  const std::string path = path_of(key);
  if (!found && is_map() && !mistakes_->is_misspelt(path))
    mistakes_->add(at(), path, fmt::format("found nothing, expected {}", what));
  return found;
}

bool Cursor::keys(const std::vector<std::string>& keys, const std::vector<std::string>& later) const {
  bool known = true;
  if (!is_map()) return known;
  for (const yaml::Node& node : node_->children) {
    if (std::find(keys.begin(), keys.end(), node.key) != keys.end()) continue;
    const Location at{*file_, node.key_line};
    if (std::find(later.begin(), later.end(), node.key) != later.end()) {
      mistakes_->add(at, key_,
                     fmt::format("found \"{}\", which is not there yet; there is: {}", node.key, join(keys)));
      known = false;
      continue;
    }
    const bool cut = node.key.find_first_of("()") != node.key.npos;  // YAML ends an unquoted text at a comma
    mistakes_->add(at, key_,
                   "unknown key: " + found_one_of(yaml::excerpt(node.key), keys) +
                       (cut ? "; put a term with a comma into quotes" : ""));
    const std::string meant = nearest(node.key, keys);
    if (!meant.empty()) mistakes_->misspelt(path_of(meant), cut ? "" : node.key);
    known &= !cut && is_read_as(node, meant);
  }
  return known;
}

bool Cursor::is_read_as(const yaml::Node& node, const std::string& meant) const {
  return !meant.empty() && !node_->find(meant) && mistakes_->spelling(path_of(meant)) == node.key;
}

std::vector<Cursor> Cursor::strangers(const std::vector<std::string>& keys) const {
  std::vector<Cursor> found;
  if (!is_map()) return found;
  for (const yaml::Node& node : node_->children)
    if (std::find(keys.begin(), keys.end(), node.key) == keys.end() &&
        !is_read_as(node, nearest(node.key, keys)))
      found.push_back(child(node, path_of(yaml::excerpt(node.key))));
  return found;
}

void Cursor::not_yet(std::string_view what, const std::vector<std::string>& there) const {
  mistake(fmt::format("found \"{}\", which is not there yet; there is: {}", what, join(there)));
}

std::optional<std::string> Cursor::word(std::string_view what) const {
  if (is_scalar() && node_->text.find_first_not_of(" \t\n\r") != std::string::npos) return node_->text;
  expected(what);
  return std::nullopt;
}

std::optional<Text> Cursor::text(std::string_view what) const {
  const auto found = word(what);
  return found ? std::optional(Text{*found, at(), key_}) : std::nullopt;
}

std::optional<double> Cursor::number(std::string_view what) const {
  const auto number = is_scalar() && !node_->quoted ? core_number(node_->text) : std::nullopt;
  if (number && std::isfinite(number->value)) return number->value;
  expected(what);
  return std::nullopt;
}

std::optional<std::int64_t> Cursor::whole(std::string_view what, std::int64_t low, std::int64_t high) const {
  const auto number = is_scalar() && !node_->quoted ? core_number(node_->text) : std::nullopt;
  if (number && number->value == std::floor(number->value) && number->value >= static_cast<double>(low) &&
      number->value <= static_cast<double>(high))
    return static_cast<std::int64_t>(number->value);
  expected(what);
  return std::nullopt;
}

std::optional<bool> Cursor::truth() const {
  if (is_scalar() && !node_->quoted) {
    if (node_->text == "true" || node_->text == "True" || node_->text == "TRUE") return true;
    if (node_->text == "false" || node_->text == "False" || node_->text == "FALSE") return false;
  }
  expected("true or false");
  return std::nullopt;
}

std::optional<std::int64_t> Cursor::bytes() const {
  constexpr std::string_view what = "bytes, as in \"512 MiB\" or \"2 GiB\" (units: B, KiB, MiB, GiB, TiB)";
  static const std::vector<std::string> units{"B", "KiB", "MiB", "GiB", "TiB"};
  if (!is_scalar()) {
    expected(what);
    return std::nullopt;
  }
  const std::string_view text = node_->text;
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = core_number(text.substr(0, end));
  std::string_view unit = text.substr(end);
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  double value = number ? number->value : -1;
  const auto known = std::find(units.begin(), units.end(), unit.empty() ? "B" : unit);
  if (number && known == units.end()) {
    mistake("unit: " + found_one_of(yaml::excerpt(unit), units));
    return std::nullopt;
  }
  if (known != units.end()) value = std::ldexp(value, 10 * static_cast<int>(known - units.begin()));
  if (value >= 0 && value <= static_cast<double>(largest_whole) && value == std::floor(value))
    return static_cast<std::int64_t>(value);
  expected(what);
  return std::nullopt;
}

}  // namespace podium::problem
