// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks, and whether every output is verified by a reference or a check.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/checks/checks.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

bool has_index(const Reference& reference, const std::string& name) {
  return std::any_of(reference.index.begin(), reference.index.end(),
                     [&](const Index& index) { return index.name == name; });
}

// What an output's scale or excuse must be: of its indices, and beyond a contestant's reach.
void check_companion(const Parsing& parsing, const Cursor& cursor, std::size_t companion,
                     const Reference& reference) {
  const Reference& other = parsing.problem.references[companion];
  for (const Index& index : other.index)
    if (!has_index(reference, index.name))
      cursor.mistake(fmt::format("found the reference {} with the index {}, expected only indices of {}",
                                 other.name, index.name, reference.name));
  const auto depends = dependences(parsing.problem);
  if (const std::string what = untrusted(parsing.problem, depends[companion]); !what.empty())
    cursor.mistake(fmt::format("found the reference {}, which depends on {}, expected one that does not",
                               other.name, what));
}

std::vector<std::string> names_of_references(const Problem& problem, std::vector<std::string> names) {
  for (const Reference& other : problem.references)
    if (!other.check && !other.probe) names.push_back(other.name);
  return names;
}

void check_unless(const Parsing& parsing, const Cursor& cursor, const Reference& reference) {
  if (reference.unless.empty() || !reference.output) return;
  const std::size_t other = reference_named(parsing.problem, reference.unless);
  if (other != no_reference) return check_companion(parsing, cursor, other, reference);
  if (!parsing.unclear.contains(reference.unless) && !parsing.names.doubtful(reference.unless))
    cursor.mistake("unknown reference: " +
                   found_one_of(yaml::excerpt(reference.unless), names_of_references(parsing.problem, {})));
}

void check_scale(const Parsing& parsing, const Cursor& cursor, const Tensor& tensor,
                 const Reference& reference) {
  if (tensor.tolerance.scale == Tolerance::Scale::magnitude)
    if (const Reference* const host = uncounted(parsing.problem, reference))
      cursor.mistake(
          fmt::format("found magnitude, which the sequential algorithm (host) of {} does not track, expected "
                      "value, or the name of a reference to which errors are relative",
                      host->name));
  if (tensor.tolerance.scale != Tolerance::Scale::reference) return;
  const std::size_t scale = reference_named(parsing.problem, tensor.tolerance.scale_reference);
  if (scale != no_reference) return check_companion(parsing, cursor, scale, reference);
  if (parsing.names.doubtful(tensor.tolerance.scale_reference)) return;
  cursor.mistake("unknown scale: " +
                 found_one_of(yaml::excerpt(tensor.tolerance.scale_reference),
                              names_of_references(parsing.problem, {"value", "magnitude"})));
}

bool mentions(const Check& check, const Tensor& tensor) {
  return check.tensor == tensor.name ||
         std::find(check.with.begin(), check.with.end(), tensor.name) != check.with.end();
}

// Whoever is not compared with anything would always be right. `clear`: no check was unreadable.
void check_output(const Parsing& parsing, const Cursor& cursor, const Tensor& tensor, bool clear) {
  const auto& problem = parsing.problem;
  const auto reference = std::find_if(problem.references.begin(), problem.references.end(),
                                      [&](const Reference& other) { return other.name == tensor.name; });
  const bool checked = std::any_of(problem.checks.begin(), problem.checks.end(),
                                   [&](const Check& check) { return verifies(problem, check, tensor); });
  const auto tolerance = cursor.find("tolerance");
  if (problem.python && reference == problem.references.end())
    return;  // reference.py has a check, or is refused
  if (reference == problem.references.end()) {
    std::vector<std::string> touching;
    for (const Check& check : problem.checks)
      if (mentions(check, tensor)) touching.push_back(check.name);
    if (!checked && clear && !touching.empty())
      cursor.mistake(fmt::format(
          "found an output whose checks ({}) look at no input, expected a reference, a permutation of an "
          "input, or a check by value or reduce; outputs unrelated to the inputs would pass",
          fmt::join(touching, ", ")));
    else if (!checked && clear)
      cursor.mistake(
          "found an output without reference or check, expected one of them; an unverified output cannot be "
          "ranked");
    else if (tolerance && !parsing.unread)
      tolerance->mistake("found the tolerance of an output without a reference, expected none");
    return;
  }
  const bool floating = floating_somewhere(problem, tensor);
  if (floating && !tolerance)
    cursor.mistake(
        "found no tolerance, expected one, as in { ulp: 1, growth: \"sqrt(k)\", scale: magnitude }");
  if (!floating && tolerance)
    tolerance->mistake(fmt::format(
        "found a tolerance of an output of dtype {}, expected none; integers are exact", tensor.type));
  if (const auto scale = tolerance ? tolerance->find("scale") : std::nullopt)
    check_scale(parsing, *scale, tensor, *reference);
}

void parse_limit(Parsing& parsing, const Cursor& cursor, Check& check) {
  if (const auto limit = cursor.need("limit", "a number that the result must not exceed in size, as in 0"))
    if (const auto formula = parse_formula(
            parsing, *limit, "; divide the value by what it is held against, and state the limit 1"))
      check.limit = *formula;
  check.reference = reference_named(parsing.problem, "checks." + check.name);
}

// A built-in check looks at all elements of its outputs; of what need not be written that says nothing. What
// is not finite is counted without those elements.
void refuse_any(const Parsing& parsing, const Cursor& cursor, const Check& check) {
  if (check.builtin && check.builtin->finds == BuiltinCheck::Finds::nonfinite) return;
  for (const Reference& reference : parsing.problem.references)
    if (const Tensor* tensor = parsing.problem.tensor(reference.name);
        tensor && !reference.any.text.empty() && mentions(check, *tensor))
      cursor.mistake(
          fmt::format("found a built-in check of {}, some of whose elements may hold anything "
                      "(reference.{}.any), expected a check by value or reduce that leaves these out",
                      reference.name, reference.name));
}

void parse_check(Parsing& parsing, const Cursor& cursor) {
  if (const std::string fault = fault_of_name(cursor.name()); !fault.empty())
    cursor.mistake_first(fmt::format("found \"{}\", {}", yaml::excerpt(cursor.name()), fault));
  if (!cursor.is_map())
    return cursor.expected("a map, as in { sorted: y } or { index: [i], value: \"y(i) - x(i)\", limit: 0 }");
  Check check;
  check.name = cursor.name();
  check.at = cursor.at();
  const bool known = cursor.keys(form("check"));
  const auto general = std::find_if(general_keys.begin(), general_keys.end(),
                                    [&](const std::string& key) { return cursor.find(key).has_value(); });
  const bool builtin = parse_builtin({parsing.problem, parsing.unclear}, cursor, check);
  refuse_any(parsing, cursor, check);
  if (builtin && general != general_keys.end())
    cursor.mistake(fmt::format(
        "found {} beside a built-in check, expected one of them; give each a name of its own", *general));
  else if (general != general_keys.end())
    parse_limit(parsing, cursor, check);
  else if (!builtin && known)
    cursor.mistake(
        fmt::format("found no check, expected {}, or an index with a value or reduction and a limit",
                    fmt::join(names_of_checks(), ", ")));
  if (!builtin && general == general_keys.end()) return;
  const bool lost = !builtin && check.reference == no_reference;
  if (!lost) parsing.problem.checks.push_back(std::move(check));  // its term's mistakes are noted already
}

}  // namespace

bool verifies(const Problem& problem, const Check& check, const Tensor& tensor) {
  if (!check.builtin) {
    const auto depends = dependences(problem);
    return depends[check.reference].written[static_cast<std::size_t>(&tensor - problem.tensors.data())];
  }
  // Zeros are sorted, and 0 … n - 1 distinct, whatever the inputs are.
  return check.builtin->reads_inputs && mentions(check, tensor);
}

void parse_checks(Parsing& parsing, const Cursor& root) {
  const std::size_t before = parsing.mistakes.count();
  if (const auto checks = root.find("checks"))
    for (const Cursor& field : checks->fields("a map from names to checks")) parse_check(parsing, field);
  const bool clear = parsing.mistakes.count() == before && !parsing.unread &&
                     std::none_of(parsing.unclear.begin(), parsing.unclear.end(),
                                  [](const std::string& name) { return name.starts_with("checks."); });
  const auto tensors = root.find("tensors");
  for (const Tensor& tensor : parsing.problem.tensors)
    if (tensor.role != Role::input && !parsing.unclear.contains(tensor.name))
      check_output(parsing, *tensors->find(tensor.name), tensor, clear);
  const auto section = parsing.problem.python ? std::nullopt : root.find("reference");
  for (const Reference& reference : parsing.problem.references)
    if (const auto own = section ? section->find(reference.name) : std::nullopt)
      if (const auto unless = own->find("unless")) check_unless(parsing, *unless, reference);
}

}  // namespace podium::problem
