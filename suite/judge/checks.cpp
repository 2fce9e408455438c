// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/checks.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "suite/judge/evidence.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::judge {

using problem::Check;
using Finds = problem::BuiltinCheck::Finds;

std::set<std::size_t> outputs_behind(const problem::Problem& problem, std::size_t r) {
  std::set<std::size_t> outputs;
  const auto depends = problem::dependences(problem);
  for (std::size_t t = 0; t < depends[r].written.size(); ++t)
    if (depends[r].written[t]) outputs.insert(t);
  return outputs;
}

Checking::Checking(ProgramRunner& runner, std::uint64_t seed, std::uint8_t poison,
                   const std::vector<Pending<program::Scan>>& scans)
    : runner_(runner), problem_(runner.problem()), seed_(seed), poison_(poison), scans_(scans) {}

std::size_t Checking::tensor_index(const std::string& name) const {
  return static_cast<std::size_t>(problem_.tensor(name) - problem_.tensors.data());
}
const problem::TensorInstance& Checking::tensor(const std::string& name) const {
  return runner_.instance().tensors[tensor_index(name)];
}

void Checking::start() {
  started_.resize(problem_.checks.size());
  for (std::size_t c = 0; c < started_.size(); ++c) {
    started_[c].check = &problem_.checks[c];
    start(started_[c]);
  }
}

void Checking::start(Started& one) {
  const Check& check = *one.check;
  const std::string kernel = "podium_check_" + check.name;
  if (!check.builtin) {
    if (!runner_.evaluates(check.reference)) return;
    const std::int64_t count = runner_.elements(check.reference, runner_.plan().output_sets(check.reference));
    runner_.set(program::hold_limit,
                std::bit_cast<std::uint64_t>(problem::evaluate(problem_, runner_.instance(), check.limit)));
    if (count > 0) one.limit = runner_.start<program::Comparison>(kernel, count);
    return;
  }
  const std::int64_t elements = tensor(check.tensor).elements;
  if (check.builtin->finds == Finds::nonfinite || elements == 0) return;
  runner_.set(program::hash_key, seed_);
  if (check.builtin->finds == Finds::other_multiset) {
    one.here = runner_.start<program::Multiset>(kernel, elements);
    one.there = runner_.start<program::Multiset>("podium_before_" + check.name, elements);
    return;
  }
  if (check.builtin->hash_tables) runner_.clear_tables(tensor(check.tensor));
  one.count = runner_.start<program::Count>(kernel, elements);
}

std::vector<Outcome> Checking::outcomes() {
  std::vector<Outcome> outcomes;
  for (const Started& one : started_) outcomes.push_back(outcome(one));
  return outcomes;
}

std::string Checking::remark(const std::set<std::size_t>& outputs) const {
  std::string remark;
  for (const std::size_t t : outputs)
    remark += scan_remark(runner_.instance().tensors[t], scans_[t].merged(), poison_);
  return remark;
}

Outcome Checking::outcome(const Started& one) {
  const Check& check = *one.check;
  Outcome outcome;
  if (!check.builtin) {
    outcome.outputs = outputs_behind(problem_, check.reference);
    outcome.text = held(one, outcome);
    if (!outcome.right) outcome.text += remark(outcome.outputs);
    return outcome;
  }
  outcome.examined = tensor(check.tensor).elements;
  outcome.outputs.insert(tensor_index(check.tensor));
  for (const std::string& name : check.with) outcome.outputs.insert(tensor_index(name));
  const problem::WrongElements found = wrong_elements(one);
  if (found.count == 0) return outcome;
  outcome.right = false;
  outcome.text = check.builtin->wrong(check, *this, found) + remark(outcome.outputs);
  return outcome;
}

problem::WrongElements Checking::wrong_elements(const Started& one) const {
  switch (one.check->builtin->finds) {
    case Finds::other_multiset: {
      const program::Multiset here = one.here.merged(), there = one.there.merged();
      return {.count = here.sum[0] == there.sum[0] && here.sum[1] == there.sum[1] ? 0 : 1};
    }
    case Finds::nonfinite: {
      const program::Scan scan = scans_[tensor_index(one.check->tensor)].merged();
      return {scan.nonfinite, scan.first_nonfinite};
    }
    case Finds::count:
      break;
  }
  const program::Count found = one.count.merged();
  return {found.count, found.first};
}

std::string Checking::name(const std::string& tensor, std::int64_t at) const {
  return element_name(this->tensor(tensor), at);
}
std::string Checking::is(const std::string& tensor, std::int64_t at) const {
  return fmt::format("{} is {}", name(tensor, at), runner_.text_of(tensor_index(tensor), at));
}
std::int64_t Checking::first_equal(const std::string& tensor, std::int64_t at) const {
  const std::size_t t = tensor_index(tensor);
  const std::string text = runner_.text_of(t, at);
  if (text == "nan" || text == "-nan") return -1;
  return runner_.first_equal(t, at - at % runner_.instance().tensors[t].extents.back(), at);
}

std::string Checking::held(const Started& one, Outcome& outcome) {
  const program::Comparison found = one.limit.merged();
  outcome.worst = found.worst;
  outcome.examined = found.checked;
  outcome.right = found.failed == 0;
  if (found.checked == 0) return "";
  const std::string place = runner_.place_of(one.check->reference, found.at);
  const std::string value =
      expected_number(problem::Dtype::f32, {.expected = found.got, .expected_kind = found.expected_kind});
  if (outcome.right)
    return found.worst == 0
               ? fmt::format("check {}: 0 in {} verified results", one.check->name, found.checked)
               : fmt::format(
                     "largest result {:.3g} of the limit at check {}{}: {}, expected at most "
                     "{:.4g} in size; {} results verified",
                     found.worst, one.check->name, place, value, found.limit, found.checked);
  return fmt::format(
      "check {}{}: found {}, expected at most {:.4g} in size; {} of {} verified results are wrong",
      one.check->name, place, value, found.limit, found.failed, found.checked);
}

}  // namespace podium::judge
