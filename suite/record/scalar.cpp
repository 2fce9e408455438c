// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/record/record.hpp"

namespace podium::record {
namespace {

using Kind = ScalarOf::Kind;

constexpr double most_count = std::numeric_limits<std::int32_t>::max();
constexpr double most_exact = 0x1p53;  // whole numbers up to here are numbers of JSON everywhere

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_hexadecimal(char c) { return is_decimal(c) || (c >= 'a' && c <= 'f'); }

bool matches(std::string_view text, std::string_view pattern) {
  return std::ranges::equal(text, pattern, [](char c, char p) {
    return p == 'd' ? is_decimal(c) : p == 'h' ? is_hexadecimal(c) : c == p;
  });
}

std::string expression_of(std::string_view pattern) {
  std::string expression = "^";
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    const std::size_t end = std::min(pattern.find_first_not_of(c, at), pattern.size());
    if (c == 'd' || c == 'h')
      expression += fmt::format("{}{{{}}}", c == 'd' ? "[0-9]" : "[0-9a-f]", end - at);
    else
      expression.append(end - at, c);
    at = end;
  }
  return expression + "$";
}

bool is_word(const ScalarOf& scalar, const nlohmann::json& value) {
  return value.is_string() &&
         std::ranges::find(scalar.words, value.get_ref<const std::string&>()) != scalar.words.end();
}

bool within(const ScalarOf& scalar, const nlohmann::json& value) {
  const auto number = value.get<double>();
  return number >= scalar.least && number <= scalar.most;
}

nlohmann::ordered_json number_schema(const ScalarOf& scalar) {
  nlohmann::ordered_json number{{"type", scalar.kind == Kind::whole ? "integer" : "number"}};
  if (std::isfinite(scalar.least)) number["minimum"] = static_cast<std::int64_t>(scalar.least);
  if (std::isfinite(scalar.most)) number["maximum"] = static_cast<std::int64_t>(scalar.most);
  if (scalar.words.empty()) return number;
  return {{"anyOf", nlohmann::ordered_json::array({number, {{"enum", scalar.words}}})}};
}

}  // namespace

const std::vector<ScalarOf>& scalars() {
  static const std::vector<ScalarOf> all{
      {.name = "text", .says = "a text"},
      {.name = "stage",
       .says = "`test`, `quick`, `bench` or an empty text",
       .words = {"", "test", "quick", "bench"}},
      {.name = "sha256", .says = "64 hexadecimal digits", .pattern = std::string(64, 'h')},
      {.name = "seed", .says = "16 hexadecimal digits", .pattern = std::string(16, 'h')},
      {.name = "time",
       .says = "a time in UTC, such as 2025-01-31T13:45:00Z",
       .pattern = "dddd-dd-ddTdd:dd:ddZ"},
      {.name = "truth", .kind = Kind::truth, .says = "true or false"},
      {.name = "version",
       .kind = Kind::whole,
       .says = fmt::format("a version, from {} to {}", oldest_schema, schema),
       .least = oldest_schema,
       .most = schema},
      {.name = "count",
       .kind = Kind::whole,
       .says = "a whole number from 0 on, below 2^31",
       .least = 0,
       .most = most_count},
      {.name = "round",
       .kind = Kind::whole,
       .says = "a whole number from -1 on, below 2^31",
       .least = -1,
       .most = most_count},
      {.name = "large",
       .kind = Kind::whole,
       .says = "a whole number from 0 to 2^53",
       .least = 0,
       .most = most_exact},
      {.name = "amount", .kind = Kind::number, .says = "a finite number from 0 on", .least = 0},
      {.name = "error",
       .kind = Kind::number,
       .says = "a number from 0 on, or \"inf\"",
       .least = 0,
       .words = {"inf"}},
      {.name = "degrees", .kind = Kind::number, .says = "a number from -273 on", .least = -273},
      {.name = "number",
       .kind = Kind::number,
       .says = "a number, or \"inf\", \"-inf\" or \"nan\"",
       .words = {"inf", "-inf", "nan"}}};
  return all;
}

const ScalarOf* scalar(std::string_view name) {
  const auto found = std::ranges::find(scalars(), name, &ScalarOf::name);
  return found == scalars().end() ? nullptr : &*found;
}

bool holds(const ScalarOf& scalar, const nlohmann::json& value) {
  switch (scalar.kind) {
    case Kind::text:
      if (!value.is_string()) return false;
      if (!scalar.words.empty()) return is_word(scalar, value);
      return scalar.pattern.empty() || matches(value.get_ref<const std::string&>(), scalar.pattern);
    case Kind::truth:
      return value.is_boolean();
    case Kind::whole:
      return value.is_number_integer() && within(scalar, value);
    case Kind::number:
      break;
  }
  return value.is_number() ? within(scalar, value) : is_word(scalar, value);
}

nlohmann::ordered_json schema_of(const ScalarOf& scalar) {
  switch (scalar.kind) {
    case Kind::text:
      if (!scalar.words.empty()) return {{"enum", scalar.words}};
      if (scalar.pattern.empty()) return {{"type", "string"}};
      return {{"type", "string"}, {"pattern", expression_of(scalar.pattern)}};
    case Kind::truth:
      return {{"type", "boolean"}};
    case Kind::whole:
    case Kind::number:
      break;
  }
  return number_schema(scalar);
}

}  // namespace podium::record
