// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The order of a verification: scan, sample, references, comparisons and checks, evidence.
#include "suite/judge/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <set>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/judge/checks.hpp"
#include "suite/judge/evidence.hpp"
#include "suite/judge/program_runner.hpp"
#include "suite/judge/python_reference.hpp"
#include "suite/judge/sensitivity.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/program/philox.hpp"

namespace podium::judge {
namespace {

using problem::Role;

// The first suspicious element of each group that found one, at most most_suspects of them chosen by `seed`;
// the very first poisoned and the very first non-finite one always.
std::vector<std::int64_t> suspects(const Pending<program::Scan>& scan, std::uint64_t seed) {
  const program::Scan all = scan.merged();
  std::set<std::int64_t> chosen;
  for (const std::int64_t first : {all.first_poisoned, all.first_nonfinite})
    if (first >= 0) chosen.insert(first);
  // Each element belongs to one group. In narrow types most groups find one that equals the poison by chance.
  std::vector<std::int64_t> others;
  const auto add = [&](std::int64_t first) {
    if (first >= 0 && !chosen.contains(first)) others.push_back(first);
  };
  for (const program::Scan& group : scan.records) {
    add(group.first_poisoned);
    if (group.first_nonfinite != group.first_poisoned) add(group.first_nonfinite);
  }
  for (std::uint64_t draw = 0; !others.empty() && static_cast<std::int64_t>(chosen.size()) < most_suspects;
       ++draw) {
    const program::Block4 block =
        program::philox(seed, draw, program::stream_of(program::Stream::sample, ~0u));
    const std::size_t pick = block.word[0] % others.size();
    chosen.insert(std::exchange(others[pick], others.back()));
    others.pop_back();
  }
  return {chosen.begin(), chosen.end()};
}

Pending<program::Count> start_comparison(ProgramRunner& runner, const Evaluator::Expected& range) {
  const auto* const other = std::get_if<const std::byte*>(&range.contents);
  runner.set(program::bytes_first, reinterpret_cast<std::uint64_t>(range.at));
  runner.set(program::bytes_second,
             other ? reinterpret_cast<std::uint64_t>(*other) : std::get<std::uint8_t>(range.contents));
  runner.set(program::bytes_count, static_cast<std::uint64_t>(range.bytes));
  constexpr std::int64_t pack = 16;  // bytes that a thread looks at together
  return runner.start<program::Count>(other ? "podium_compare_memory" : "podium_compare_byte",
                                      (range.bytes + pack - 1) / pack);
}

// As many at once as there are regions for their results, so that few wait for the one before.
std::vector<Difference> differences(ProgramRunner& runner, const std::vector<Evaluator::Expected>& ranges) {
  std::vector<Difference> differences;
  for (auto next = ranges.begin(); next != ranges.end();) {
    runner.reset_results();
    std::vector<Pending<program::Count>> pending;
    do pending.push_back(next->bytes == 0 ? Pending<program::Count>() : start_comparison(runner, *next));
    while (++next != ranges.end() && static_cast<int>(pending.size()) < runner.regions());
    runner.synchronise();
    for (const auto& one : pending) {
      const program::Count found = one.merged();
      differences.push_back({found.count, found.first});
    }
  }
  return differences;
}

class Verification {
 public:
  // `python`: the reference in Python, or nullptr.
  Verification(ProgramRunner& runner, PythonReference* python, std::uint64_t seed, std::uint8_t poison)
      : runner_(runner), problem_(runner.problem()), python_(python), seed_(seed), poison_(poison) {}

  Finding run() {
    runner_.set(program::launch_seed, seed_);
    runner_.clear_fault();
    runner_.reset_results();
    scan();
    if (!runner_.full()) sample();
    const auto began = std::chrono::steady_clock::now();
    PythonReference::Said said;
    if (python_) said = python_->verify(runner_, seed_, runner_.full());
    runner_.evaluate();
    runner_.synchronise();
    finding_.reference_microseconds =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
    for (std::size_t r = 0; r < problem_.references.size(); ++r)
      if (compared(r) > 0) comparing_.push_back({r, output_of(r), compare(r)});
    Checking checking(runner_, seed_, poison_, scans_);
    checking.start();
    const ProgramRunner::Astray astray = runner_.raise_fault();
    for (const Comparing& one : comparing_) report(one);
    if (!astray.text.empty()) report_astray(astray);
    for (const Outcome& outcome : checking.outcomes()) report(outcome);
    if (python_) report(said);
    left_alone();
    return std::move(finding_);
  }

  // Of outputs that hold zeros.
  std::vector<Sensitivity> sense() {
    run();
    std::vector<Sensitivity> found(runner_.instance().tensors.size());
    for (std::size_t t = 0; t < found.size(); ++t)
      if (tensor(t).role != Role::input && tensor(t).elements > 0) found[t].kind = Sensitivity::Kind::unlike;
    for (std::size_t r = 0; r < problem_.references.size(); ++r)
      if (problem_.references[r].output && compared(r) > 0) found[output_of(r)] = sense(r);
    for (std::size_t t = 0; t < found.size(); ++t) found[t].zeros_pass = !failed_.contains(t);
    runner_.clear_fault();
    return found;
  }

 private:
  struct Comparing {
    std::size_t reference, tensor;
    Pending<program::Comparison> found;
  };
  const problem::TensorInstance& tensor(std::size_t t) const { return runner_.instance().tensors[t]; }
  std::size_t tensor_index(const std::string& name) const {
    return static_cast<std::size_t>(problem_.tensor(name) - problem_.tensors.data());
  }

  void scan() {
    scans_.resize(runner_.instance().tensors.size());
    runner_.set(program::scan_poison, poison_);
    for (std::size_t t = 0; t < scans_.size(); ++t) {
      if (tensor(t).role == Role::input || tensor(t).elements == 0) continue;
      scans_[t] = runner_.start<program::Scan>("podium_scan_" + tensor(t).name, tensor(t).elements);
      finding_.elements += tensor(t).elements;
    }
    runner_.synchronise();
    for (std::size_t t = 0; t < scans_.size(); ++t)  // an inout was never poisoned: equal bits are its own
      for (program::Scan& record : scans_[t].records)
        if (tensor(t).role == Role::inout) record.poisoned = 0, record.first_poisoned = -1;
  }

  // Adds the coordinates of suspicious elements to the sets that their output is sampled by.
  void sample() {
    const auto& plan = runner_.plan();
    std::vector<std::vector<std::int64_t>> wanted(plan.sets().size());
    std::vector<std::vector<std::int64_t>> suspicious;
    for (const auto& scan : scans_) {
      suspicious.push_back(suspects(scan, seed_));
      suspected_ = suspected_ || !suspicious.back().empty();
    }
    for (const problem::Watch& watch : plan.watches()) {
      const auto& extents = tensor(watch.tensor).extents;
      for (std::int64_t linear : suspicious[watch.tensor]) {
        for (std::size_t k = extents.size() - 1; k > watch.axis; --k) linear /= extents[k];
        wanted[static_cast<std::size_t>(watch.set)].push_back(linear % extents[watch.axis]);
      }
    }
    runner_.sample(seed_, wanted);
  }

  Sensitivity sense(std::size_t r) {
    const problem::Tolerance& tolerance = problem_.tensors[output_of(r)].tolerance;
    const double ulp = number(tolerance.ulp, 0), growth = growth_of(tolerance);
    Sensitivity found =
        sensitivity([&](double factor) { return compared_now(r, factor * ulp, factor * growth).failed; });
    if (tolerance.scale == problem::Tolerance::Scale::value && !tolerance.growth_by_index) {
      found.scale_of_all = found.scale_of_one = tensor(output_of(r)).accumulate_eps;
    } else if (found.kind == Sensitivity::Kind::measured) {
      const Sensitivity scale =
          sensitivity([&](double factor) { return compared_now(r, 0, factor).failed; }, to_a_tenth);
      found.scale_of_all = scale.all;
      found.scale_of_one = scale.one;
    }
    const program::Comparison all = compared_now(r, ulp, growth);
    found.elements = compared(r);
    found.any = found.elements - all.checked;
    found.excused = all.excused;
    found.excuses_drawn = excuses_drawn(r);
    found.telling = all.telling;
    return found;
  }
  program::Comparison compared_now(std::size_t r, double ulp, double growth) {
    runner_.reset_results();
    const auto found = compare(r, ulp, growth);
    runner_.synchronise();
    return found.merged();
  }

  // 1 where it is evaluated for each element.
  double growth_of(const problem::Tolerance& tolerance) const {
    return tolerance.growth_by_index ? 1 : number(tolerance.growth, 1);
  }

  double number(const problem::Text& formula, double absent) const {
    return formula.text.empty() ? absent : problem::evaluate(problem_, runner_.instance(), formula);
  }

  std::size_t output_of(std::size_t r) const { return tensor_index(problem_.references[r].name); }

  // How many elements of an output are compared with reference `r`.
  std::int64_t compared(std::size_t r) const {
    const bool output = problem_.references[r].output && runner_.evaluates(r);
    return output ? runner_.elements(r, runner_.plan().output_sets(r)) : 0;
  }

  // Starts to compare them.
  Pending<program::Comparison> compare(std::size_t r) {
    const problem::Tolerance& tolerance = problem_.tensors[output_of(r)].tolerance;
    return compare(r, number(tolerance.ulp, 0), growth_of(tolerance));
  }
  Pending<program::Comparison> compare(std::size_t r, double ulp, double growth) {
    const std::size_t t = output_of(r);
    runner_.set(program::compare_poison, poison_);
    runner_.set(program::compare_ulp, std::bit_cast<std::uint64_t>(ulp));
    runner_.set(program::compare_growth, std::bit_cast<std::uint64_t>(growth * tensor(t).accumulate_eps));
    return runner_.start<program::Comparison>("podium_compare_" + tensor(t).name, compared(r));
  }

  void wrong(const std::string& sentence, bool written) {
    finding_.text = finding_.right ? sentence : finding_.text + "; " + sentence;
    finding_.right = false;
    finding_.written = finding_.written && written;
  }

  void report(const Comparing& one) {
    const program::Comparison found = one.found.merged();
    const program::Scan scan = scans_[one.tensor].merged();
    const problem::Reference& reference = problem_.references[one.reference];
    // Suspicious elements that join a sample are the contestant's choice: they prove nothing about the
    // problem.
    if ((runner_.full() || !suspected_) &&
        too_many_excused(found.excused, found.checked, excuses_drawn(one.reference)))
      throw Error(excuse_sentence(reference, runner_.instance(), found));
    if (found.failed > 0) {
      failed_.insert(one.tensor);
      const bool bytewise = problem::info(tensor(one.tensor).dtype).bytes == 1;
      const bool kept = tensor(one.tensor).role == Role::inout;  // never poisoned
      wrong(rank_of(one.tensor, found.at) + wrong_output(tensor(one.tensor), found, scan, poison_),
            kept || (bytewise ? !unwritten(one.tensor) : found.poisoned == 0));
    } else {
      finding_.left_out += found.excused + scan.any;
      if (finding_.right && (finding_.text.empty() || found.worst > finding_.worst))
        finding_.text = right_output(tensor(one.tensor), found, scan, reference.unless);
    }
    finding_.compared += found.checked;
    finding_.worst = std::max(finding_.worst, found.worst);
  }

  // Whose part of an output the element is; empty for one device.
  std::string rank_of(std::size_t t, std::int64_t element) const {
    const int ranks = runner_.instance().ranks;
    if (ranks == 1 || element < 0) return "";
    return fmt::format("rank {}: ", element / (tensor(t).elements / ranks));
  }

  // How many numbers of the reference that excuses were evaluated for an output.
  std::int64_t excuses_drawn(std::size_t output) const {
    const auto& references = problem_.references;
    const std::size_t excuse = runner_.plan().reference_named(references[output].unless);
    if (excuse == problem::Plan::npos) return 0;
    const std::vector<int> sets = runner_.plan().output_sets(output);
    std::vector<int> own;
    for (const problem::Index& index : references[excuse].index)
      for (std::size_t k = 0; k < sets.size(); ++k)
        if (references[output].index[k].name == index.name) own.push_back(sets[k]);
    return runner_.elements(excuse, own);
  }

  // A byte-sized element equals the poison now and then; then only all of them together say that nothing was
  // written.
  bool unwritten(std::size_t t) const {
    const program::Scan scan = scans_[t].merged();
    return scan.poisoned > 0 &&
           (problem::info(tensor(t).dtype).bytes > 1 || scan.poisoned == tensor(t).elements - scan.any);
  }
  bool written(const std::set<std::size_t>& outputs) const {
    return std::none_of(outputs.begin(), outputs.end(), [this](std::size_t t) { return unwritten(t); });
  }

  void report(const Outcome& outcome) {
    if (!outcome.right) {
      failed_.insert(outcome.outputs.begin(), outcome.outputs.end());
      wrong(outcome.text, written(outcome.outputs));
    } else if (finding_.right && !outcome.text.empty() &&
               (finding_.text.empty() || outcome.worst > finding_.worst)) {
      finding_.text = outcome.text;
    }
    finding_.examined += outcome.examined;
    finding_.worst = std::max(finding_.worst, outcome.worst);
  }

  // Whatever a check says: floating outputs that hold nothing but poison have not been written. Of others its
  // bits may be the right numbers.
  void report(const PythonReference::Said& said) {
    finding_.exact = said.exact;
    if (!python_->has_check()) {
      if (finding_.right && !said.text.empty())
        finding_.text += (finding_.text.empty() ? "" : "; ") + said.text;
      return;
    }
    std::set<std::size_t> outputs;
    for (std::size_t t = 0; t < scans_.size(); ++t) {
      if (tensor(t).role == Role::input || tensor(t).elements == 0) continue;
      outputs.insert(t);
      finding_.examined += tensor(t).elements;
      const auto& dtype = problem::info(tensor(t).dtype);
      if (said.right && dtype.floating && dtype.bytes > 1 &&
          scans_[t].merged().poisoned == tensor(t).elements) {
        failed_.insert(t);
        wrong(fmt::format("{} was not written", tensor(t).name), false);
      }
    }
    if (said.right) {
      if (finding_.right && finding_.text.empty())
        finding_.text = said.text.empty() ? "check() passed" : said.text;
      return;
    }
    failed_.insert(outputs.begin(), outputs.end());
    std::string text = said.text;
    for (const std::size_t t : outputs) text += scan_remark(tensor(t), scans_[t].merged(), poison_);
    finding_.judged = said.judged;
    wrong(text, written(outputs));
  }

  void report_astray(const ProgramRunner::Astray& astray) {
    const std::set<std::size_t> outputs = outputs_behind(problem_, astray.site);
    failed_.insert(outputs.begin(), outputs.end());
    std::string text = astray.text;
    for (const std::size_t t : outputs) text += scan_remark(tensor(t), scans_[t].merged(), poison_);
    wrong(text, written(outputs));
  }

  // An inout that is wrong and holds what it held before the call was not written.
  void left_alone() {
    for (const std::size_t t : failed_) {
      if (tensor(t).role != Role::inout || tensor(t).bytes == 0) continue;
      const auto changed =
          differences(runner_, {{runner_.tensor(t), tensor(t).bytes, runner_.initial(t)}}).front();
      if (changed.count == 0) wrong(fmt::format("the call changed nothing in {}", tensor(t).name), false);
    }
  }

  ProgramRunner& runner_;
  const problem::Problem& problem_;
  PythonReference* python_;
  std::uint64_t seed_;
  std::uint8_t poison_;
  std::vector<Pending<program::Scan>> scans_;  // by tensor; empty for inputs
  std::vector<Comparing> comparing_;
  std::set<std::size_t> failed_;  // outputs that something is wrong with
  bool suspected_ = false;        // suspicious elements have joined the sample
  Finding finding_;
};

}  // namespace

struct Evaluator::State {
  ProgramRunner runner;
  std::unique_ptr<PythonReference> python;
  bool begun = false;
};

Evaluator::Evaluator(device::Device& device, device::Program& program, const problem::Problem& problem,
                     const problem::Choice&)
    : state_(std::make_unique<State>(State{ProgramRunner(device, program, problem), nullptr, false})) {}
Evaluator::~Evaluator() = default;

void Evaluator::begin(const problem::Instance& instance, bool full,
                      std::shared_ptr<const PackedStructure> structure) {
  const problem::Problem& problem = state_->runner.problem();
  if (problem.python && !state_->python)
    throw Error(fmt::format("{}: has no process of its reference", problem.file.string()));
  state_->runner.begin(instance, full, std::move(structure));
  if (state_->python) {
    state_->runner.leave_out_references(state_->python->has_check());
    state_->python->begin(state_->runner);
  }
  state_->begun = true;
}
bool Evaluator::reference_is_over() const { return state_->python && state_->python->over(); }
// A second process is told what the first one knew, and shows that the fault was not in the reference.
void Evaluator::attach(std::unique_ptr<PythonReference> reference) {
  const auto before = std::exchange(state_->python, std::move(reference));
  if (!before || !state_->python) return;
  state_->python->take_over(*before);
  if (!state_->begun) return;
  constexpr std::uint64_t seed = 1;  // nothing of it reaches a contestant
  state_->python->begin(state_->runner);
  state_->python->prove(state_->runner, seed);
}
// What is drawn in Python comes first: derived fills may read it.
void Evaluator::fill(std::uint64_t seed) {
  if (state_->python) state_->python->fill(state_->runner, seed);
  state_->runner.fill(seed);
}
void Evaluator::prove(std::uint64_t seed) {
  if (state_->python) state_->python->prove(state_->runner, seed);
}
const std::byte* Evaluator::input(std::size_t tensor) const { return state_->runner.initial(tensor); }
const PackedStructure& Evaluator::structure() const { return state_->runner.structure(); }
std::byte* Evaluator::output(std::size_t tensor) { return state_->runner.tensor(tensor); }
void Evaluator::watch(std::function<void(const Evaluated&)> watch) { state_->runner.watch(std::move(watch)); }
Finding Evaluator::verify(std::uint64_t seed, std::uint8_t poison) {
  return Verification(state_->runner, state_->python.get(), seed, poison).run();
}

std::vector<Sensitivity> Evaluator::sense(std::uint64_t seed, std::uint8_t poison) {
  ProgramRunner& runner = state_->runner;
  const auto& tensors = runner.instance().tensors;
  for (std::size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t].role != problem::Role::input && tensors[t].bytes > 0) runner.clear(t);
  return Verification(runner, state_->python.get(), seed, poison).sense();
}

std::vector<Difference> Evaluator::compare(const std::vector<Expected>& ranges) {
  return differences(state_->runner, ranges);
}

double Evaluator::work(const problem::Problem& problem, const problem::Instance& instance) {
  const problem::Plan plan(problem);
  const PrivateLayout layout = lay_out(plan, problem, instance, false);
  double work = 0;
  for (const auto& tensor : instance.tensors) work += static_cast<double>(tensor.elements);
  for (const problem::Evaluation& evaluation : plan.evaluations()) {
    const problem::Reference& reference = problem.references[evaluation.reference];
    for (const problem::Text* term : problem::terms_of(reference))
      if (problem::is_body(term->text)) return std::numeric_limits<double>::infinity();
    double terms = 1;
    const auto& ranges = layout.ranges[evaluation.reference];
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const bool sampled = k < evaluation.sets.size() && evaluation.sets[k] != problem::whole_range;
      terms *= static_cast<double>(
          sampled ? std::min(ranges[k].extent, layout.capacity[static_cast<std::size_t>(evaluation.sets[k])])
                  : ranges[k].extent);
    }
    work += terms;
  }
  return work;
}

std::int64_t Evaluator::memory(const problem::Problem& problem, const problem::Instance& instance,
                               bool full) {
  return lay_out(problem::Plan(problem), problem, instance, full).bytes + PackedStructure::memory(instance);
}

}  // namespace podium::judge
