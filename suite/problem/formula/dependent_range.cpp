// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/dependent_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/yaml/cursor.hpp"

namespace podium::problem {
namespace {

// What a range is taken for that structure decides where its numbers are not known, or where its bounds read
// it as only the program can.
constexpr std::int64_t usual_length = 4096;
// Structure goes up and down along an index: more than its ends and its middle are tried.
constexpr int steps_in_structure = 8;
// Of all outer indices together: a few milliseconds. Beyond it, what has not been tried is taken for usual.
constexpr int most_trials = 512;

// Loops over a few values of each outer index that the range uses, directly or through another range.
class Trial {
 public:
  Trial(const Reference& reference, std::size_t k, const Scope& scope)
      : target_(reference.over[k]), scope_(scope) {
    std::vector<const Index*> outer;
    for (const Index& index : reference.index) outer.push_back(&index);
    for (std::size_t inner = 0; inner < k; ++inner) outer.push_back(&reference.over[inner]);
    std::set<std::string, std::less<>> used;
    use(target_, used);
    for (std::size_t at = outer.size(); at-- > 0;)
      if (used.contains(outer[at]->name)) {
        use(*outer[at], used);
        outer_.insert(outer_.begin(), outer[at]);
      }
    for (const auto& [name, structure] : scope_.structure)
      if (used.contains(name)) steps_ = steps_in_structure;
    const auto indices = static_cast<double>(outer_.size());
    while (steps_ > 1 && std::pow(steps_ + 1, indices) > most_trials) --steps_;
  }

  std::int64_t run() {
    try_values(0);
    return open_ ? std::max(most_, usual_length) : most_;
  }

 private:
  static void use(const Index& index, std::set<std::string, std::less<>>& used) {
    for (const Text* bound : {&index.low, &index.high}) used.merge(names_used(bound->text));
  }

  double number(const Text& bound) {
    try {
      return std::floor(evaluate(bound.text, scope_));  // `/` is C++'s when the program evaluates it
    } catch (const Error&) {
      if (!structure_in(bound.text, scope_).empty()) {
        open_ = true;
        return 0;
      }
      throw Error(
          fmt::format("found the bound \"{}\", which is known only on the device, outside of this range, "
                      "expected the range's "
                      "most values beside it, as in {{ low: \"{}\", high: \"{}\", most: 64 }}; the work is "
                      "divided by that number",
                      bound.text, target_.low.text, target_.high.text));
    }
  }

  void try_values(std::size_t at) {
    open_ = open_ || trials_ == most_trials;
    if (trials_ == most_trials) return;
    if (at == outer_.size()) {
      ++trials_;
      const double length = number(target_.high) - number(target_.low);
      if (!(length <= static_cast<double>(largest_whole)))
        throw Error(fmt::format("found a range of {} values, expected fewer than 2^53", length));
      if (length > 0) most_ = std::max(most_, static_cast<std::int64_t>(length));
      return;
    }
    const double low = number(outer_[at]->low), high = number(outer_[at]->high);
    if (!(low < high)) return;
    std::set<double> values{high - 1};
    for (int step = 0; step < steps_; ++step) values.insert(std::floor(low + (high - low) * step / steps_));
    for (const double value : values) {
      scope_.numbers[outer_[at]->name] = value;
      try_values(at + 1);
    }
  }

  const Index& target_;
  Scope scope_;
  std::vector<const Index*> outer_;
  int steps_ = 2, trials_ = 0;
  std::int64_t most_ = 0;
  bool open_ = false;
};

}  // namespace

std::int64_t most_values(const Reference& reference, std::size_t k, const Scope& scope) {
  const Index& index = reference.over[k];
  if (index.most.text.empty()) return Trial(reference, k, scope).run();
  const double most = evaluate(index.most.text, scope);
  if (most >= 0 && most <= static_cast<double>(largest_whole) && most == std::floor(most))
    return static_cast<std::int64_t>(most);
  throw Error(fmt::format("found the most values \"{}\" to be {}, expected a whole number below 2^53",
                          index.most.text, most));
}

}  // namespace podium::problem
