// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The order of a verification: scan, sample, references, comparisons and checks, evidence.
#include "suite/judge/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "suite/judge/evaluator_report.hpp"
#include "suite/judge/evaluator_runner.hpp"
#include "suite/problem/program/philox.hpp"

namespace podium::judge {
namespace {

using problem::Check;
using problem::Role;

// The first suspicious element of each group that found one, at most most_suspects of them chosen by `seed`;
// the very first poisoned and the very first non-finite one always.
std::vector<std::int64_t> suspects(const Pending<program::Scan>& scan, std::uint64_t seed) {
  const program::Scan all = scan.merged();
  std::set<std::int64_t> chosen, rest;
  for (const std::int64_t first : {all.first_poisoned, all.first_nonfinite})
    if (first >= 0) chosen.insert(first);
  for (const program::Scan& group : scan.records)
    for (const std::int64_t first : {group.first_poisoned, group.first_nonfinite})
      if (first >= 0 && !chosen.count(first)) rest.insert(first);
  std::vector<std::int64_t> others(rest.begin(), rest.end());
  for (std::uint64_t draw = 0; !others.empty() && static_cast<std::int64_t>(chosen.size()) < most_suspects;
       ++draw) {
    const program::Block4 block =
        program::philox(seed, draw, program::stream_of(program::Stream::sample, ~0u));
    const std::size_t pick = block.word[0] % others.size();
    chosen.insert(others[pick]);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(pick));
  }
  return {chosen.begin(), chosen.end()};
}

class Verification {
 public:
  Verification(Runner& runner, std::uint64_t seed, std::uint8_t poison)
      : runner_(runner), problem_(runner.problem()), seed_(seed), poison_(poison) {}

  Finding run() {
    runner_.set(program::launch_seed, seed_);
    runner_.clear_fault();
    runner_.reset_results();
    scan();
    if (!runner_.full()) sample();
    runner_.evaluate();
    for (std::size_t r = 0; r < problem_.references.size(); ++r)
      if (problem_.references[r].output && runner_.evaluates(r)) compare(r);
    for (const Check& check : problem_.checks) start(check);
    runner_.raise_fault();
    for (const Comparing& one : comparing_) report(one);
    for (const Sorting& one : sorting_) report(one);
    for (const Permuting& one : permuting_) report(one);
    return std::move(finding_);
  }

 private:
  struct Comparing {
    std::size_t tensor;
    Pending<program::Comparison> found;
  };
  struct Sorting {
    const Check* check;
    std::size_t tensor;
    Pending<program::Count> found;
  };
  struct Permuting {
    std::size_t tensor, of;
    Pending<program::Multiset> here, there;
  };

  const problem::TensorInstance& tensor(std::size_t t) const { return runner_.instance().tensors[t]; }
  std::size_t tensor_index(const std::string& name) const {
    return static_cast<std::size_t>(problem_.tensor(name) - problem_.tensors.data());
  }

  void scan() {
    scans_.resize(runner_.instance().tensors.size());
    runner_.set(program::scan_poison, poison_);
    for (std::size_t t = 0; t < scans_.size(); ++t)
      if (tensor(t).role == Role::output && tensor(t).elements > 0)
        scans_[t] = runner_.start<program::Scan>("podium_scan_" + tensor(t).name, tensor(t).elements);
    runner_.synchronise();
  }

  // Adds the coordinates of suspicious elements to the sets that their output is sampled by.
  void sample() {
    const auto& plan = runner_.plan();
    std::vector<std::vector<std::int64_t>> wanted(plan.sets().size());
    for (std::size_t r = 0; r < problem_.references.size(); ++r) {
      if (!problem_.references[r].output) continue;
      const std::size_t t = tensor_index(problem_.references[r].name);
      const std::vector<int> sets = plan.output_sets(r);
      for (std::int64_t linear : suspects(scans_[t], seed_))
        for (std::size_t k = sets.size(); k-- > 0; linear /= tensor(t).extents[k])
          if (sets[k] != problem::whole_range)
            wanted[static_cast<std::size_t>(sets[k])].push_back(linear % tensor(t).extents[k]);
    }
    runner_.sample(seed_, wanted);
  }

  double number(const problem::Text& formula, double absent) const {
    return formula.text.empty() ? absent : problem::evaluate(problem_, runner_.instance(), formula);
  }

  void compare(std::size_t r) {
    const std::size_t t = tensor_index(problem_.references[r].name);
    const std::int64_t count = runner_.elements(r, runner_.plan().output_sets(r));
    if (count == 0) return;
    const problem::Tolerance& tolerance = problem_.tensors[t].tolerance;
    runner_.set(program::compare_poison, poison_);
    runner_.set(program::compare_ulp, std::bit_cast<std::uint64_t>(number(tolerance.ulp, 0)));
    runner_.set(program::compare_growth,
                std::bit_cast<std::uint64_t>(number(tolerance.growth, 1) * tensor(t).accumulate_eps));
    comparing_.push_back({t, runner_.start<program::Comparison>("podium_compare_" + tensor(t).name, count)});
  }

  void start(const Check& check) {
    const std::size_t t = tensor_index(check.tensor);
    if (check.kind == Check::Kind::sorted) {
      if (tensor(t).elements > 0)
        sorting_.push_back(
            {&check, t,
             runner_.start<program::Count>(fmt::format("podium_sorted_{}_{}", check.name, check.tensor),
                                           tensor(t).elements)});
      return;
    }
    const std::size_t of = tensor_index(check.of);
    const auto hash = [&](std::size_t which) {
      runner_.set(program::hash_key, seed_);
      return runner_.start<program::Multiset>(
          fmt::format("podium_multiset_{}_{}", check.name, tensor(which).name), tensor(which).elements);
    };
    permuting_.push_back({t, of, hash(t), hash(of)});
  }

  void wrong(const std::string& sentence, bool written) {
    finding_.text = finding_.right ? sentence : finding_.text + "; " + sentence;
    finding_.right = false;
    finding_.written = finding_.written && written;
  }

  void report(const Comparing& one) {
    const program::Comparison found = one.found.merged();
    const program::Scan scan = scans_[one.tensor].merged();
    if (found.failed > 0) {
      const bool bytewise = problem::info(tensor(one.tensor).dtype).bytes == 1;
      wrong(wrong_output(tensor(one.tensor), found, scan, poison_),
            bytewise ? !unwritten(one.tensor) : found.poisoned == 0);
    } else if (finding_.right && (finding_.text.empty() || found.worst > finding_.worst)) {
      finding_.text = right_output(tensor(one.tensor), found);
    }
    finding_.worst = std::max(finding_.worst, found.worst);
  }

  // A byte-sized element equals the poison now and then; then only all of them together say that nothing was
  // written.
  bool unwritten(std::size_t t) const {
    const std::int64_t poisoned = scans_[t].merged().poisoned;
    return problem::info(tensor(t).dtype).bytes > 1 ? poisoned > 0 : poisoned == tensor(t).elements;
  }

  void report(const Sorting& one) {
    const program::Count found = one.found.merged();
    if (found.count == 0) return;
    const problem::TensorInstance& output = tensor(one.tensor);
    std::string text =
        fmt::format("{} is {}", element_name(output, found.first), runner_.text_of(one.tensor, found.first));
    if ((found.first + 1) % output.extents.back() != 0)
      text += fmt::format(" before {} is {}", element_name(output, found.first + 1),
                          runner_.text_of(one.tensor, found.first + 1));
    text += fmt::format(", expected {} order; {} of {} elements are out of order",
                        one.check->descending ? "descending" : "ascending", found.count, output.elements);
    wrong(text + scan_remark(output, scans_[one.tensor].merged(), poison_), !unwritten(one.tensor));
  }

  void report(const Permuting& one) {
    const program::Multiset here = one.here.merged(), there = one.there.merged();
    if (here.sum[0] == there.sum[0] && here.sum[1] == there.sum[1]) return;
    wrong(fmt::format("{} does not hold the elements of {}, expected each of them as often as there{}",
                      tensor(one.tensor).name, tensor(one.of).name,
                      scan_remark(tensor(one.tensor), scans_[one.tensor].merged(), poison_)),
          !unwritten(one.tensor));
  }

  Runner& runner_;
  const problem::Problem& problem_;
  std::uint64_t seed_;
  std::uint8_t poison_;
  std::vector<Pending<program::Scan>> scans_;  // by tensor; empty for inputs
  std::vector<Comparing> comparing_;
  std::vector<Sorting> sorting_;
  std::vector<Permuting> permuting_;
  Finding finding_;
};

}  // namespace

struct Evaluator::State {
  Runner runner;
};

Evaluator::Evaluator(device::Device& device, device::Program& program, const problem::Problem& problem,
                     const problem::Choice&)
    : state_(std::make_unique<State>(State{Runner(device, program, problem)})) {}
Evaluator::~Evaluator() = default;

void Evaluator::begin(const problem::Instance& instance, bool full) { state_->runner.begin(instance, full); }
void Evaluator::fill(std::uint64_t seed) { state_->runner.fill(seed); }
const std::byte* Evaluator::input(std::size_t tensor) const { return state_->runner.tensor(tensor); }
const std::byte* Evaluator::structure(std::size_t s) const { return state_->runner.structure(s); }
std::byte* Evaluator::output(std::size_t tensor) { return state_->runner.tensor(tensor); }
void Evaluator::watch(std::function<void(const Evaluated&)> watch) { state_->runner.watch(std::move(watch)); }
Finding Evaluator::verify(std::uint64_t seed, std::uint8_t poison) {
  return Verification(state_->runner, seed, poison).run();
}

namespace {

Difference differences(Runner& runner, const char* kernel, const std::byte* a, std::uint64_t other,
                       std::int64_t bytes) {
  if (bytes == 0) return {};
  runner.reset_results();
  runner.set(program::bytes_first, reinterpret_cast<std::uint64_t>(a));
  runner.set(program::bytes_second, other);
  runner.set(program::bytes_count, static_cast<std::uint64_t>(bytes));
  constexpr std::int64_t pack = 16;  // bytes that a thread looks at together
  const auto pending = runner.start<program::Count>(kernel, (bytes + pack - 1) / pack);
  runner.synchronise();
  const program::Count found = pending.merged();
  return {found.count, found.first};
}

}  // namespace

Difference Evaluator::compare(const std::byte* a, const std::byte* b, std::int64_t bytes) {
  return differences(state_->runner, "podium_compare_memory", a, reinterpret_cast<std::uint64_t>(b), bytes);
}
Difference Evaluator::compare(const std::byte* a, std::uint8_t value, std::int64_t bytes) {
  return differences(state_->runner, "podium_compare_byte", a, value, bytes);
}

std::int64_t Evaluator::memory(const problem::Problem& problem, const problem::Instance& instance,
                               bool full) {
  return lay_out(problem::Plan(problem), problem, instance, full).bytes;
}

}  // namespace podium::judge
