// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/general_mistakes/examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "suite/contest/session.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/general_mistakes/honest.hpp"
#include "tests/general_mistakes/plugin.hpp"
#include "tests/whole.hpp"

namespace podium::mistakes {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_mistakes = 4;       // that each output allows on each board
constexpr std::size_t sample_of_a_problem = 6;  // workloads of a mistake, on all boards together
constexpr std::size_t least_sample = 2;         // on each board
constexpr int round_of_verification = -1;
constexpr double judges_seconds = 30;  // for a sample's verification in full

constexpr Verdict left_out = Verdict::unsupported;  // the plugin's own word: the mistake is none there

// What one mistake in one output met.
struct Tally {
  int applied = 0, rejected = 0;
  std::set<std::string> reasons;      // why it was none
  std::vector<std::string> accepted;  // workloads, and the judge's words
};

class Examination {
 public:
  Examination(const fs::path& folder, const fs::path& scratch)
      : problem_(problem::load(folder / "problem.yaml")),
        scratch_(scratch),
        session_(executables_of("host"), 0, {}),
        outputs_(outputs_of(problem_)) {}

  Report run() {
    std::vector<std::size_t> choices = examined(problem_);
    if (!test::whole()) {
      sample_ = std::max(least_sample, sample_of_a_problem / std::max<std::size_t>(choices.size(), 1));
      choices = {choices.at(test::part_of_today(choices.size(), problem_.name, test::turn_days))};
    }
    const auto boards = build_boards(problem_, choices, scratch_);
    for (const Board& board : boards) examine(board);
    return std::move(report_);
  }

 private:
  void examine(const Board& board) {
    const auto& choice = problem_.choices[board.choice];
    session_.load(problem_, board.choice, board.program);
    tests_.clear();
    for (std::size_t w = 0; w < problem_.workloads.size(); ++w)
      if (problem_.workloads[w].stage == problem::Stage::test && on_board(problem_.workloads[w], choice) &&
          runs(board, problem_.workloads[w]))
        tests_.push_back(static_cast<int>(w));
    session_.board(tests_);
    for (std::size_t output = 0; output < outputs_.size(); ++output) {
      std::size_t applied = 0;
      where_ = fmt::format("{}/{}: {}", problem_.name, choice.name, outputs_[output]->name);
      if (output == 0) control(board);
      for (const auto& [mistake, name] : names) applied += judge(board, output, mistake, name);
      if (applied < least_mistakes)
        fault("found {} mistakes that change it, expected {} or more: add test workloads with more elements",
              applied, least_mistakes);
    }
  }

  bool runs(const Board& board, const problem::Workload& workload) const {
    const auto& when = board.right.when;
    return when.text.empty() ||
           evaluate(problem_, instantiate(problem_, problem_.choices[board.choice], workload), when) != 0;
  }

  // Without a mistake the very same plugin is right: what is rejected below is rejected for its mistake.
  void control(const Board& board) {
    start(board, Mistake::none, 0);
    double worst = 0;
    for (const int test : tests_) {
      const Said said = sample(test);
      if (const auto sentence = fault_of_honest(board.right.name, name_of(test), said); !sentence.empty())
        fault("{}", sentence);
      worst = std::max(worst, said.worst);
    }
    report_.lines.push_back(fmt::format("{} is right on {} workloads, largest error {:.3g} of its limit",
                                        board.right.name, tests_.size(), worst));
  }

  // Whether it was a mistake on any workload that was tried. A sample is enough only for what it shows: where
  // fewer rejected it than must, all are tried. Each sample begins where the one before it ended.
  bool judge(const Board& board, std::size_t output, Mistake mistake, const std::string& name) {
    Tally tally;
    bool started = false;
    std::size_t tried = 0;
    for (const int test : tests_) {
      if (is_enough(tried, tally, *outputs_[output], mistake)) break;
      ++tried;
      if (!started) start(board, mistake, output);
      const Said said = sample(test);
      started = said.verdict != left_out;  // what an exception leaves behind is not known
      if (!started) {
        tally.reasons.insert(said.text);
        continue;
      }
      ++tally.applied;
      if (said.verdict == Verdict::right)
        tally.accepted.push_back(fmt::format("{} ({})", name_of(test), said.text));
      else if (makes_sense(said, *outputs_[output]))
        ++tally.rejected;
      else
        fault("{}: on {}: found the verdict {}: {}; expected one that names what is wrong", name,
              name_of(test), said.verdict.word(), said.text);
    }
    std::ranges::rotate(tests_, tests_.begin() + static_cast<std::ptrdiff_t>(tried));
    conclude(tally, *outputs_[output], mistake, name);
    return tally.applied > 0;
  }

  bool is_enough(std::size_t tried, const Tally& tally, const problem::Tensor& output,
                 Mistake mistake) const {
    if (tally.applied == 0) return tried >= 2 * sample_ && !always_one(output, mistake);
    return std::max<std::size_t>(tally.applied, tried / 2) >= sample_ &&
           tally.rejected >= rejections_needed(tally.applied, output, mistake);
  }

  void conclude(const Tally& tally, const problem::Tensor& output, Mistake mistake, const std::string& name) {
    const std::string reasons = fmt::format("{}", fmt::join(tally.reasons, "; "));
    if (tally.applied == 0) {
      report_.lines.push_back(fmt::format("{}: {}: left out: {}", where_, name, reasons));
      if (always_one(output, mistake))
        fault("{}: left out on every test workload ({}), expected one where it is a mistake", name, reasons);
      return;
    }
    report_.lines.push_back(fmt::format("{}: {}: rejected on {} of {} workloads{}", where_, name,
                                        tally.rejected, tally.applied,
                                        reasons.empty() ? "" : "; elsewhere " + reasons));
    const int needed = rejections_needed(tally.applied, output, mistake);
    if (tally.rejected < needed)
      fault("{}: rejected on {} of {} workloads, expected {}; accepted on {}", name, tally.rejected,
            tally.applied, needed, fmt::join(tally.accepted, ", on "));
  }

  // One that a problem must give occasion for.
  static bool always_one(const problem::Tensor&, Mistake mistake) {
    return mistake == Mistake::nothing || mistake == Mistake::stale || mistake == Mistake::first_off;
  }

  // What is not written, or no number, is never right. Whoever keeps half the digits is right where those
  // are enough, as for small whole numbers. Half of the workloads must do where an output is only checked,
  // which need not be unique, or excused in places; and where a sum may cancel to so little that a step
  // relative to it is within the limit.
  int rejections_needed(int applied, const problem::Tensor& output, Mistake mistake) const {
    if (mistake == Mistake::rounded) return 1;
    const bool plain = mistake == Mistake::nothing || mistake == Mistake::not_a_number;
    const bool unique = std::ranges::any_of(problem_.references, [&](const auto& r) {
      return r.output && r.name == output.name && r.unless.empty();
    });
    const bool relative = output.tolerance.scale == problem::Tolerance::Scale::value;
    return plain || (unique && relative) ? applied : (applied + 1) / 2;
  }

  // "wrong", or "not written" (integers may happen to be what memory was set to), with the output's name or
  // that of a check in the evidence.
  bool makes_sense(const Said& said, const problem::Tensor& output) const {
    if (said.verdict != Verdict::wrong && said.verdict != Verdict::not_written) return false;
    const auto named = [&](const std::string& name) { return said.text.find(name) != std::string::npos; };
    return named(output.name) ||
           std::ranges::any_of(problem_.checks, [&](const auto& check) { return named(check.name); });
  }

  void start(const Board& board, Mistake mistake, std::size_t output) {
    const fs::path copy = scratch_ / "selected.plugin";
    select(board.plugin, mistake, output, copy);
    if (const auto failure = session_.workers().start(copy))
      throw std::runtime_error(fmt::format("{}: {}: {}", where_, word_of(failure->verdict), failure->text));
  }

  Said sample(int workload) {
    if (const auto failure = session_.begin(workload, round_of_verification, 0, judges_seconds))
      return {failure->verdict, failure->text};
    const auto sampled = session_.sample(0);
    if (const auto* failure = std::get_if<contest::Failure>(&sampled)) {
      if (failure->verdict != left_out) session_.end();
      return {failure->verdict, failure->text};
    }
    session_.end();
    const auto& right = std::get<protocol::Sampled>(sampled);
    return {Verdict::right, protocol::get(right.text), right.worst};
  }

  const std::string& name_of(int workload) const {
    return problem_.workloads[static_cast<std::size_t>(workload)].name;
  }

  template <class... Values>
  void fault(fmt::format_string<Values...> format, Values&&... values) {
    report_.faults.push_back(where_ + ": " + fmt::format(format, std::forward<Values>(values)...));
  }

  problem::Problem problem_;
  fs::path scratch_;
  std::size_t sample_ = problem_.workloads.size();
  contest::Session session_;
  std::vector<const problem::Tensor*> outputs_;
  std::vector<int> tests_;
  std::string where_;
  Report report_;
};

}  // namespace

Report examine(const fs::path& folder, const fs::path& scratch) { return Examination(folder, scratch).run(); }

}  // namespace podium::mistakes
