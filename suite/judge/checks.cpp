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
  if (check.kind == Check::Kind::limit) {
    if (!runner_.evaluates(check.reference)) return;
    const std::int64_t count = runner_.elements(check.reference, runner_.plan().output_sets(check.reference));
    runner_.set(program::hold_limit,
                std::bit_cast<std::uint64_t>(problem::evaluate(problem_, runner_.instance(), check.limit)));
    if (count > 0) one.limit = runner_.start<program::Comparison>(kernel, count);
    return;
  }
  const std::int64_t elements = tensor(check.tensor).elements;
  if (check.kind == Check::Kind::finite || elements == 0) return;
  runner_.set(program::hash_key, seed_);
  if (check.kind == Check::Kind::permutation) {
    one.here = runner_.start<program::Multiset>(kernel, elements);
    one.there = runner_.start<program::Multiset>("podium_before_" + check.name, elements);
    return;
  }
  if (check.kind == Check::Kind::distinct) runner_.clear_tables(tensor(check.tensor));
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
  if (check.kind == Check::Kind::limit) {
    outcome.outputs = outputs_behind(problem_, check.reference);
    outcome.text = held(one, outcome);
    if (!outcome.right) outcome.text += remark(outcome.outputs);
    return outcome;
  }
  outcome.outputs.insert(tensor_index(check.tensor));
  for (const std::string& name : check.with) outcome.outputs.insert(tensor_index(name));
  if (check.kind == Check::Kind::permutation) {
    const program::Multiset here = one.here.merged(), there = one.there.merged();
    if (here.sum[0] == there.sum[0] && here.sum[1] == there.sum[1]) return outcome;
    std::string left = check.tensor, right = check.of;
    for (const std::string& name : check.with) left += ", " + name;
    for (const std::string& name : check.of_with) right += ", " + name;
    outcome.text =
        check.with.empty()
            ? fmt::format("{} does not hold the elements of {}, expected each of them as often as there",
                          left, right)
            : fmt::format("({}) does not hold the tuples of ({}), expected each of them as often as there",
                          left, right);
  } else {
    program::Count found = one.count.merged();
    if (check.kind == Check::Kind::finite) {
      const program::Scan scan = scans_[tensor_index(check.tensor)].merged();
      found = {scan.nonfinite, scan.first_nonfinite};
    }
    if (found.count == 0) return outcome;
    outcome.text = counted(one, found);
  }
  outcome.right = false;
  outcome.text += remark(outcome.outputs);
  return outcome;
}

// "y[3] is 7 …": the first element of a tensor at which a check that counts does not hold.
std::string Checking::counted(const Started& one, const program::Count& found) {
  const Check& check = *one.check;
  const std::size_t t = tensor_index(check.tensor);
  const problem::TensorInstance& output = runner_.instance().tensors[t];
  const auto is = [&](const std::string& name, std::int64_t at) {
    return fmt::format("{} is {}", element_name(tensor(name), at), runner_.text_of(tensor_index(name), at));
  };
  std::string text = is(check.tensor, found.first);
  const bool last = output.extents.empty() || (found.first + 1) % output.extents.back() == 0;
  switch (check.kind) {
    case Check::Kind::sorted:
      if (!last) text += " before " + is(check.tensor, found.first + 1);
      return text + fmt::format(", expected {} order; {} of {} elements are out of order",
                                check.descending ? "descending" : "ascending", found.count, output.elements);
    case Check::Kind::stable:
      return text + fmt::format(
                        " as is {}, and {} before {}, expected ascending order among equals; {} of {} "
                        "elements are out of order",
                        element_name(output, found.first + 1), is(check.with[0], found.first),
                        is(check.with[0], found.first + 1), found.count, output.elements);
    case Check::Kind::triangular: {
      const std::int64_t columns = output.extents.back(), rows = output.extents[output.extents.size() - 2];
      const bool diagonal = found.first / columns % rows == found.first % columns;
      return text +
             fmt::format(", expected {}: {} is {}{} triangular; {} of {} elements are not as they must be",
                         diagonal ? 1 : 0, output.name, check.unit ? "unit " : "",
                         check.upper ? "upper" : "lower", found.count, output.elements);
    }
    case Check::Kind::distinct:
      return text +
             fmt::format("{}, expected distinct numbers along the last axis; {} of {} elements are not",
                         already_there(t, found.first), found.count, output.elements);
    default:
      return text + fmt::format(", expected finite numbers; {} of {} elements are not", found.count,
                                output.elements);
  }
}

// " as is y[2]": the first element of the same row that holds the same.
std::string Checking::already_there(std::size_t t, std::int64_t at) {
  const problem::TensorInstance& output = runner_.instance().tensors[t];
  const std::int64_t first = at - at % output.extents.back();
  const std::string text = runner_.text_of(t, at);
  if (text == "nan" || text == "-nan") return "";
  const std::int64_t same = runner_.first_equal(t, first, at);
  return same < 0 ? "" : " as is " + element_name(output, same);
}

std::string Checking::held(const Started& one, Outcome& outcome) {
  const program::Comparison found = one.limit.merged();
  outcome.worst = found.worst;
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
