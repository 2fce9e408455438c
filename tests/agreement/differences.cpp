// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agreement/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace podium::agreement {
namespace {

using judge::Evaluated;

double real(std::uint64_t bits) { return std::bit_cast<double>(bits); }
bool is_real(const Evaluated& one) { return one.kind == 'd' || one.kind == 'n'; }

std::string number(const Evaluated& one, std::uint64_t bits) {
  return is_real(one)      ? fmt::format("{:.17g}", real(bits))
         : one.kind == 'u' ? fmt::format("{}", bits)
                           : fmt::format("{}", static_cast<std::int64_t>(bits));
}

// The largest finite size of all values of both.
double largest(const Evaluated& left, const Evaluated& right) {
  double most = 0;
  for (const auto* side : {&left, &right})
    for (const std::uint64_t bits : side->values)
      if (const double size = std::abs(real(bits)); std::isfinite(size)) most = std::max(most, size);
  return most;
}

// How far apart two numbers are, over `limit`.
double apart(double a, double b, double limit) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double distance = std::abs(a - b);
  return std::isfinite(a) && std::isfinite(b) && distance <= limit ? distance / limit
         : std::isfinite(a) && std::isfinite(b) && limit > 0       ? distance / limit
                                                                   : HUGE_VAL;
}

std::string place(const Evaluated& one, std::size_t element) {
  std::vector<std::int64_t> at(one.index.size());
  for (std::size_t k = at.size(); k-- > 0;) {
    at[k] = one.index[k][element % one.index[k].size()];
    element /= one.index[k].size();
  }
  return fmt::format("[{}]", fmt::join(at, ", "));
}

struct Found {
  std::size_t count = 0, first = 0;
  double worst = 0;
  void see(std::size_t element, double ratio) {
    worst = std::max(worst, ratio);
    if (ratio <= 1) return;
    if (count++ == 0) first = element;
  }
};

std::string sentence(const std::string& what, const Found& found, const Evaluated& left,
                     const Evaluated& right, const std::vector<std::uint64_t>& a,
                     const std::vector<std::uint64_t>& b) {
  return fmt::format("{}{} is {} and {}, {:.3g} times what rounding may do; {} of {} differ", what,
                     place(left, found.first), number(left, a[found.first]), number(right, b[found.first]),
                     found.worst, found.count, a.size());
}

}  // namespace

void Comparison::compare(const problem::Problem& problem, std::size_t evaluations,
                         const std::vector<Evaluated>& left, const std::vector<Evaluated>& right) {
  elements.resize(evaluations);
  const auto differ = [&](const Evaluated& one, const std::string& text) {
    differences.push_back({problem.references[one.reference].name, text});
  };
  const auto same = [](const Evaluated& one) {
    return [&one](const Evaluated& other) { return other.evaluation == one.evaluation; };
  };
  for (const Evaluated& one : right)
    if (std::ranges::none_of(left, same(one)))
      differ(one, problem.references[one.reference].name + " was evaluated on the second alone");
  for (const Evaluated& one : left) {
    const std::string& name = problem.references[one.reference].name;
    const auto found = std::ranges::find_if(right, same(one));
    if (found == right.end()) {
      differ(one, name + " was evaluated on the first alone");
      continue;
    }
    const Evaluated& other = *found;
    if (one.index != other.index) {
      differ(one, name + " was evaluated at other places");
      continue;
    }
    if (one.kind != other.kind) {
      differ(one, fmt::format("{} is stored as {} and {}", name, one.kind, other.kind));
      continue;
    }
    const double peak = is_real(one) && one.kind != 'n' ? largest(one, other) : 0;
    Found values, magnitudes;
    for (std::size_t k = 0; k < one.values.size(); ++k) {
      if (!is_real(one)) {
        values.see(k, one.values[k] == other.values[k] ? 0 : HUGE_VAL);
        continue;
      }
      const double a = real(one.values[k]), b = real(other.values[k]);
      double scale = std::max(std::abs(a), std::abs(b));
      if (one.kind == 'n') {
        const double m = real(one.magnitudes[k]), n = real(other.magnitudes[k]);
        magnitudes.see(k, apart(m, n, rounding * std::max(m, n)));
        scale = std::max({scale, m, n});
      }
      values.see(k, apart(a, b, std::max(rounding * scale, cancelled * peak)));
    }
    elements[one.evaluation] += one.values.size();
    worst = std::max({worst, values.worst, magnitudes.worst});
    if (values.count > 0) differ(one, sentence(name, values, one, other, one.values, other.values));
    if (magnitudes.count > 0)
      differ(one,
             sentence("the magnitude of " + name, magnitudes, one, other, one.magnitudes, other.magnitudes));
  }
}

}  // namespace podium::agreement
