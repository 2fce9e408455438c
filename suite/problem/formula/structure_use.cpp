// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/structure_use.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "suite/base/error.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

bool folds(const std::vector<Token>& tokens, std::size_t at, const Scope& scope) {
  return (reads(tokens, at, "sum") || reads(tokens, at, "max") || reads(tokens, at, "min")) &&
         reads(tokens, at + 1, "(") && at + 2 < tokens.size() &&
         scope.structure.contains(tokens[at + 2].text) && reads(tokens, at + 3, ")");
}

const StructureInstance& known(std::string_view formula, const std::string& name, const Scope& scope) {
  const StructureInstance& structure = *scope.structure.find(name)->second;
  if (!scope.trial && !structure.words)
    refuse(formula,
           fmt::format("no structure: the numbers of {} are known only while a contestant runs", name));
  return structure;
}

double fold(const std::string& function, const StructureInstance& structure) {
  const std::int64_t count = structure.used_elements();
  double result = function == "sum"   ? 0
                  : function == "max" ? -std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < count; ++k) {
    const double x = structure.number(k);
    result = function == "sum" ? result + x : function == "max" ? std::max(result, x) : std::min(result, x);
  }
  return result;
}

// The values of the arguments between the parentheses of the call at `at`.
std::vector<double> arguments(const std::vector<Token>& tokens, std::size_t at, std::size_t end,
                              const Scope& scope) {
  std::vector<double> values;
  std::string argument;
  int depth = 0;
  for (std::size_t k = at + 2; k <= end; ++k) {
    if (k == end || (depth == 0 && reads(tokens, k, ","))) {
      if (k != end || !argument.empty() || !values.empty()) values.push_back(evaluate(argument, scope));
      argument.clear();
      continue;
    }
    depth += reads(tokens, k, "(") - reads(tokens, k, ")");
    argument += (argument.empty() ? "" : " ") + tokens[k].text;
  }
  return values;
}

}  // namespace

std::size_t end_of_structure(const std::vector<Token>& tokens, std::size_t at, const Scope& scope) {
  if (folds(tokens, at, scope)) return at + 3;
  if (!reads(tokens, at + 1, "(") || !scope.structure.contains(tokens[at].text)) return 0;
  int depth = 0;
  for (std::size_t end = at + 1; end < tokens.size(); ++end) {
    depth += reads(tokens, end, "(") - reads(tokens, end, ")");
    if (depth == 0) return end;
  }
  return 0;
}

double value_of_structure(std::string_view formula, const std::vector<Token>& tokens, std::size_t at,
                          const Scope& scope) {
  const bool whole = folds(tokens, at, scope);
  const std::string& name = tokens[whole ? at + 2 : at].text;
  const StructureInstance& structure = known(formula, name, scope);
  if (whole) return scope.trial ? 1 : fold(tokens[at].text, structure);
  const std::vector<double> index = arguments(tokens, at, end_of_structure(tokens, at, scope), scope);
  if (index.size() != structure.extents.size())
    refuse(formula, fmt::format("{} {} of {}", structure.extents.size(),
                                structure.extents.size() == 1 ? "index" : "indices", name));
  if (scope.trial) return 1;
  std::int64_t linear = 0;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const std::int64_t extent = k == 0 ? structure.used : structure.extents[k];
    if (!(index[k] >= 0 && index[k] < static_cast<double>(extent) && index[k] == std::floor(index[k])))
      throw Error(
          fmt::format("in \"{}\" found {}({}), expected whole indices within its part in use, which has {} "
                      "along axis {}",
                      yaml::excerpt(formula), name, fmt::join(index, ", "), extent, k));
    linear = linear * structure.extents[k] + static_cast<std::int64_t>(index[k]);
  }
  return structure.number(linear);
}

}  // namespace podium::problem
