// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Finds what must be evaluated by following calls from the outputs back, then gives every number its place.
#include "suite/problem/generate/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/program/launch.hpp"

namespace podium::problem {
namespace {

constexpr int most_words = 512;  // 4 KiB, what a kernel takes as parameters

bool all_whole(const std::vector<int>& sets) {
  return std::all_of(sets.begin(), sets.end(), [](int set) { return set == whole_range; });
}

// The evaluations that are asked for, by reference.
using Demands = std::vector<std::vector<Evaluation>>;

// `one` serves the callers of `other` as well.
void merge(Evaluation& one, const Evaluation& other) {
  one.magnitude |= other.magnitude;
  for (const std::size_t fill : other.fills)
    if (std::find(one.fills.begin(), one.fills.end(), fill) == one.fills.end()) one.fills.push_back(fill);
}

// A form that runs along an index is evaluated along all of it, whatever its caller asks for.
void demand(Demands& demands, const Problem& problem, Evaluation wanted) {
  const std::vector<bool> whole = whole_indices(problem.references[wanted.reference]);
  for (std::size_t k = 0; k < whole.size() && k < wanted.sets.size(); ++k)
    if (whole[k]) wanted.sets[k] = whole_range;
  auto& there = demands[wanted.reference];
  const auto same =
      std::find_if(there.begin(), there.end(), [&](const Evaluation& e) { return e.sets == wanted.sets; });
  if (same == there.end())
    there.push_back(wanted);
  else
    merge(*same, wanted);
}

// Whether a term reads something that belongs to one index, whatever the other: once for a whole row of a
// tile.
bool reads_once_for_all(const std::string& term, const std::string& index, const std::string& other) {
  const std::vector<Token> tokens = tokenise(term);
  const std::vector<Access> all = accesses(term);
  return std::any_of(all.begin(), all.end(), [&](const Access& access) {
    const auto mentions = [&](const std::string& name) {
      return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(access.first),
                         tokens.begin() + static_cast<std::ptrdiff_t>(access.last), [&](const Token& token) {
                           return token.kind == Token::Kind::name && token.text == name;
                         });
    };
    return mentions(index) && !mentions(other);
  });
}

// One evaluation over everything serves all callers.
void merge_into_whole(std::vector<Evaluation>& demands) {
  const auto whole =
      std::find_if(demands.begin(), demands.end(), [](const Evaluation& e) { return all_whole(e.sets); });
  if (whole == demands.end()) return;
  Evaluation only = *whole;
  for (const Evaluation& e : demands) merge(only, e);
  demands = {only};
}

}  // namespace

bool tiled(const Reference& reference) {
  if (!reference.form->reduces || reference.index.size() < 2) return false;
  if (std::any_of(reference.over.begin(), reference.over.end(),
                  [](const Index& index) { return index.dependent; }))
    return false;
  const std::string &row = reference.index[reference.index.size() - 2].name,
                    &column = reference.index.back().name;
  return is_body(reference.term.text) ||  // whose locals may stand for any index
         (reads_once_for_all(reference.term.text, row, column) &&
          reads_once_for_all(reference.term.text, column, row));
}

Plan::Plan(const Problem& problem) : problem_(problem) {
  find_sets();
  find_evaluations_of_fills();
  find_evaluations();
  find_watches();
  place();
}

std::size_t Plan::reference_named(std::string_view name) const {
  return problem::reference_named(problem_, name);
}

std::vector<std::size_t> Plan::evaluations_of(std::size_t reference, bool fill) const {
  std::vector<std::size_t> found;
  for (std::size_t e = 0; e < evaluations_.size(); ++e)
    if (evaluations_[e].reference == reference && evaluations_[e].fill() == fill) found.push_back(e);
  return found;
}

std::vector<int> Plan::output_sets(std::size_t reference) const {
  std::vector<int> result;
  for (const Index& index : problem_.references[reference].index) {
    const auto same = [&](const SampleSet& set) {
      return set.index == index.name && set.low.text == index.low.text && set.high.text == index.high.text;
    };
    const auto set = std::find_if(sets_.begin(), sets_.end(), same);
    result.push_back(set == sets_.end() ? whole_range : static_cast<int>(set - sets_.begin()));
  }
  return result;
}

void Plan::find_sets() {
  for (std::size_t r = 0; r < problem_.references.size(); ++r) {
    const Reference& reference = problem_.references[r];
    if (!reference.output && !reference.check) continue;
    const std::vector<int> known = output_sets(r);
    for (std::size_t k = 0; k < reference.index.size(); ++k) {
      const Index& index = reference.index[k];
      const auto drawn = problem_.sample.find(index.name);
      if (drawn == problem_.sample.end()) continue;
      if (known[k] == whole_range) sets_.push_back({index.name, index.low, index.high, drawn->second, 0});
    }
  }
}

void Plan::find_evaluations_of_fills() {
  const auto& references = problem_.references;
  Demands demands(references.size());
  for (std::size_t r = 0; r < references.size(); ++r)
    if (!references[r].fills.empty())
      demand(demands, problem_, {r, std::vector<int>(references[r].index.size(), whole_range), false, {r}});
  add_evaluations(std::move(demands));
}

void Plan::find_evaluations() {
  const auto& references = problem_.references;
  Demands demands(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    const std::vector<int> sets = output_sets(r);
    if (references[r].check) demand(demands, problem_, {r, sets, false});
    if (!references[r].output) continue;
    const Tensor* output = problem_.tensor(references[r].name);
    demand(demands, problem_, {r, sets, output && output->tolerance.scale == Tolerance::Scale::magnitude});
    const auto companion = [&](const std::string& name) {  // of some of the output's indices
      const std::size_t other = reference_named(name);
      if (other == npos) return;
      Evaluation wanted{other, {}, false};
      for (const Index& index : references[other].index)
        for (std::size_t k = 0; k < references[r].index.size(); ++k)
          if (references[r].index[k].name == index.name) wanted.sets.push_back(sets[k]);
      demand(demands, problem_, wanted);
    };
    if (output && output->tolerance.scale == Tolerance::Scale::reference)
      companion(output->tolerance.scale_reference);
    if (!references[r].unless.empty()) companion(references[r].unless);
  }
  add_evaluations(std::move(demands));
}

// Those that are demanded, and those that these call.
void Plan::add_evaluations(Demands demands) {
  const auto& references = problem_.references;
  for (std::size_t r = references.size(); r-- > 0;) {
    merge_into_whole(demands[r]);
    const std::vector<Access> calls = accesses(references[r]);
    const bool magnitudes = references[r].form->carries_magnitude;
    for (const Evaluation& caller : demands[r]) {
      for (const Access& call : calls) {
        const Meaning what = meaning(problem_, references[r], call);
        const std::size_t callee = what.index;
        if (what.kind != Meaning::Kind::reference || callee >= r) continue;
        Evaluation wanted{callee, {}, caller.magnitude && magnitudes, caller.fills};
        for (const std::string& argument : call.arguments) {
          int set = whole_range;
          for (std::size_t k = 0; k < references[r].index.size(); ++k)
            if (references[r].index[k].name == argument) set = caller.sets[k];
          wanted.sets.push_back(set);
        }
        wanted.sets.resize(references[callee].index.size(), whole_range);
        demand(demands, problem_, wanted);
      }
    }
  }
  for (const auto& of_reference : demands)
    evaluations_.insert(evaluations_.end(), of_reference.begin(), of_reference.end());
}

void Plan::watch(const Watch& watch) {
  if (watch.set == whole_range || std::find(watches_.begin(), watches_.end(), watch) != watches_.end())
    return;
  watches_.push_back(watch);
  ++sets_[static_cast<std::size_t>(watch.set)].outputs;
}

// Of outputs with a reference all axes; of others those that a term reads with one of its indices alone.
void Plan::find_watches() {
  for (const Evaluation& evaluation : evaluations_) {
    const Reference& reference = problem_.references[evaluation.reference];
    for (const Access& access : accesses(reference)) {
      const Meaning what = meaning(problem_, reference, access);
      if (what.kind != Meaning::Kind::written) continue;
      for (std::size_t axis = 0; axis < access.arguments.size(); ++axis)
        for (std::size_t k = 0; k < reference.index.size(); ++k)
          if (reference.index[k].name == access.arguments[axis])
            watch({what.index, axis, evaluation.sets[k]});
    }
  }
  for (std::size_t r = 0; r < problem_.references.size(); ++r) {
    if (!problem_.references[r].output) continue;
    const Tensor* output = problem_.tensor(problem_.references[r].name);
    const std::vector<int> sets = output_sets(r);
    for (std::size_t axis = 0; output && axis < sets.size(); ++axis)
      watch({static_cast<std::size_t>(output - problem_.tensors.data()), axis, sets[axis]});
  }
}

int Plan::bounds(std::size_t reference, std::size_t index) const {
  return bounds_[reference] + 2 * static_cast<int>(index);
}

void Plan::place() {
  int next = program::launch_words;
  const auto take = [&next](std::size_t count) {
    const int at = next;
    next += static_cast<int>(count);
    return at;
  };
  axes_ = take(problem_.axes.size());
  parameters_ = take(problem_.parameters.size());
  for (const Structure& structure : problem_.structure)
    structures_.push_back(take(1 + structure.shape.size()));
  for (const Tensor& tensor : problem_.tensors)
    tensors_.push_back(take(1 + tensor.shape.size() + tensor.strides.size()));
  for (const Tensor& tensor : problem_.tensors)
    initials_.push_back(tensor.role == Role::inout ? take(1 + tensor.shape.size() + tensor.strides.size())
                                                   : 0);
  for (const Reference& r : problem_.references)
    bounds_.push_back(take(2 * (r.index.size() + r.over.size())));
  for (std::size_t s = 0; s < sets_.size(); ++s) set_places_.push_back(take(3));
  for (std::size_t e = 0; e < evaluations_.size(); ++e) values_.push_back(take(2));
  words_ = next;
  if (words_ > most_words)
    throw Error(
        fmt::format("{}: this problem's axes, tensors and references need {} words of kernel parameters, "
                    "expected at most {}; split the problem or merge references",
                    problem_.file.string(), words_, most_words));
}

}  // namespace podium::problem
