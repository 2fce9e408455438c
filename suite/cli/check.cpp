// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "suite/base/backend.hpp"
#include "suite/base/nearest.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/measure.hpp"
#include "suite/cli/places.hpp"
#include "suite/compile/builder.hpp"
#include "suite/contest/session.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/report/format.hpp"

namespace podium::cli {

std::vector<int> workloads_to_check(const problem::Problem& problem, const problem::Choice& choice,
                                    const std::string& wanted, const std::vector<problem::Stage>& stages) {
  std::vector<int> found;
  for (std::size_t w = 0; w < problem.workloads.size(); ++w) {
    const auto& workload = problem.workloads[w];
    if (!problem::on_board(workload, choice)) continue;
    const bool named = wanted == workload.name || wanted == choice.name + "/" + workload.name;
    if (wanted.empty() ? std::ranges::find(stages, workload.stage) != stages.end() : named)
      found.push_back(static_cast<int>(w));
  }
  return found;
}

std::filesystem::path reference_among(const std::vector<compile::Product>& products,
                                      const problem::Problem& problem, std::size_t choice) {
  return problem.python ? products.at(problem.choices.size() + choice).file : std::filesystem::path();
}

void require_workload(const problem::Problem& problem, const std::string& wanted) {
  if (wanted.empty()) return;
  std::vector<std::string> all;
  for (const auto& choice : problem.choices) {
    if (!workloads_to_check(problem, choice, wanted, {}).empty()) return;
    for (const auto& workload : problem.workloads)
      if (problem::on_board(workload, choice)) all.push_back(choice.name + "/" + workload.name);
  }
  throw Error(fmt::format("{}: --workload: {}", problem.file.string(), found_one_of(wanted, all)));
}

void print_columns(const Columns& lines) {
  std::vector<std::size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], report::width(line[k]));
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t k = 0; k < line.size(); ++k)
      text += line[k] + std::string(widths[k] - report::width(line[k]) + 2, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
}

namespace {

constexpr int repeats = 3;             // of a sample; the best counts
constexpr double longest_full = 60e6;  // microseconds that a full verification may take to be tried

// Why a workload cannot be verified like this on the device; "" if it can. `arena`: 0 where it is there
// already.
std::string does_not_fit(std::int64_t bytes, const protocol::Opened& device) {
  if (fits(bytes, device.memory)) return "";
  return fmt::format("needs {}, the device has {}", report::size_text(static_cast<double>(bytes)),
                     report::size_text(static_cast<double>(device.memory)));
}

class Measurement {
 public:
  Measurement(const problem::Problem& problem, contest::Session& session)
      : problem_(problem), session_(session), device_(session.device()) {}

  Measured of(std::size_t choice, int workload) {
    const auto instance = some_round(problem_, problem_.choices[choice],
                                     problem_.workloads[static_cast<std::size_t>(workload)]);
    const bool test = instance.stage == problem::Stage::test;
    Measured measured{.board = problem_.choices[choice].name,
                      .stage = std::string(name_of(instance.stage)),
                      .workload = instance.workload,
                      .line = problem_.workloads[static_cast<std::size_t>(workload)].at.line,
                      .arena_bytes = judge::arena_bytes(instance)};
    const auto needs = [&](bool full) { return memory_of(problem_, instance, full); };
    if (const std::string why = does_not_fit(needs(test), device_); !why.empty())
      throw Error(fmt::format("it {}; make it smaller", why));
    session_.board({workload});
    measured.sample = session_.rehearse(workload, false, repeats);
    if (test) {
      measured.full = measured.sample;
      measured.fully = true;
      return measured;
    }
    measured.why_not = does_not_fit(needs(true), device_);
    if (const double estimate = estimate_full(measured.sample);
        measured.why_not.empty() && estimate > longest_full)
      measured.why_not = fmt::format("about {}, not tried", report::time_text(estimate));
    measured.fully = measured.why_not.empty();
    if (measured.fully) measured.full = session_.rehearse(workload, true, 0);
    return measured;
  }

 private:
  const problem::Problem& problem_;
  contest::Session& session_;
  protocol::Opened device_;
};

std::string memory_text(const Measured& row, const protocol::Rehearsed& rehearsed) {
  return report::size_text(static_cast<double>(row.arena_bytes + rehearsed.private_bytes));
}

void print(const std::vector<Measured>& rows) {
  Columns table{{"board", "stage", "workload", "fill", "sample", "memory", "in full", "memory"}};
  for (const Measured& row : rows)
    table.push_back({row.board, row.stage, row.workload, report::time_text(row.sample.fill_microseconds),
                     report::time_text(row.sample.verify_microseconds), memory_text(row, row.sample),
                     row.fully ? report::time_text(row.full.verify_microseconds) : row.why_not,
                     row.fully ? memory_text(row, row.full) : ""});
  print_columns(table);
}

void print_references(const problem::Problem& problem, const std::vector<Measured>& rows) {
  Columns table{{"board", "workload", "reference", "elements", "of", "terms each", "time", "terms/s"}};
  for (const Measured& row : rows)
    for (std::uint64_t k = 0; k < row.sample.count; ++k) {
      const auto& one = row.sample.evaluations[k];
      table.push_back(
          {row.board, row.workload, problem.references.at(static_cast<std::size_t>(one.reference)).name,
           fmt::format("{}", one.elements), fmt::format("{}", one.all), fmt::format("{}", one.terms),
           report::time_text(one.microseconds),
           fmt::format("{:.3g}", static_cast<double>(one.elements) * static_cast<double>(one.terms) /
                                     (one.microseconds * 1e-6))});
    }
  fmt::print("\n");
  print_columns(table);
}

// All workloads of one problem. One that cannot be measured is a sentence of its own and does not take the
// others' numbers with it; where it ended the judge, another is started.
class Series {
 public:
  Series(const problem::Problem& problem, const DeviceName& name)
      : problem_(problem), name_(name), session_(start()) {}

  const protocol::Opened& device() const { return session_->device(); }
  const std::vector<Measured>& rows() const { return rows_; }
  const std::vector<std::string>& failures() const { return failures_; }

  void measure(std::size_t choice, const std::filesystem::path& program,
               const std::filesystem::path& reference, const std::vector<int>& workloads) {
    session_->load(problem_, choice, program, reference);
    for (const int w : workloads) try {
        rows_.push_back(Measurement(problem_, *session_).of(choice, w));
      } catch (const contest::DeviceLost& e) {
        note(choice, w, e.what());
        session_ = start();
        session_->load(problem_, choice, program, reference);
      } catch (const Error& e) {
        if (e.fault() == Fault::interruption) throw;
        note(choice, w, e.what());
      }
  }

 private:
  std::unique_ptr<contest::Session> start() const {
    return std::make_unique<contest::Session>(executables_for(name_), name_.ordinal, contest::Limits{});
  }

  void note(std::size_t choice, int w, const std::string& why) {
    const auto& workload = problem_.workloads[static_cast<std::size_t>(w)];
    failures_.push_back(fmt::format("{}:{}: the {} workload {} of board {} was not measured: {}",
                                    problem_.file.string(), workload.at.line, name_of(workload.stage),
                                    workload.name, problem_.choices[choice].name, why));
  }

  const problem::Problem& problem_;
  const DeviceName& name_;
  std::unique_ptr<contest::Session> session_;
  std::vector<Measured> rows_;
  std::vector<std::string> failures_;
};

// Exit::usage if a workload could not be measured, else Exit::contestant if a sample is not cheap enough
// where that binds.
Exit measure(const std::filesystem::path& file, const DeviceName& name, bool references,
             const std::string& wanted) {
  const auto path = std::filesystem::is_directory(file) ? file / "problem.yaml" : file;
  const problem::Problem problem = problem::load(path);
  require_workload(problem, wanted);
  Series series(problem, name);
  const protocol::Opened device = series.device();
  refuse_times(device, "podium check --measure");
  const bool binds = !backend_named(name.backend).processor;
  const std::string arch = code_architecture(name, device);
  compile::Builder builder(compile::read_toolchain(toolchain_file()), compile::default_cache());
  for (const auto& choice : problem.choices) builder.add_program(problem, choice, name.backend, arch);
  if (problem.python)
    for (const auto& choice : problem.choices) builder.add_reference(problem, choice, name.backend);
  const auto products = builder.run();
  for (const auto& product : products)
    if (product.status != compile::Product::Status::built) throw Error(product.message);

  using problem::Stage;
  for (std::size_t choice = 0; choice < problem.choices.size(); ++choice)
    series.measure(choice, products[choice].file, reference_among(products, problem, choice),
                   workloads_to_check(problem, problem.choices[choice], wanted,
                                      {Stage::test, Stage::quick, Stage::bench}));
  const std::string product = protocol::get(device.product);
  fmt::print("{} on {}{}\n", path.string(), product, binds ? "" : " (the CPU: these costs do not bind)");
  print(series.rows());
  if (references) print_references(problem, series.rows());
  Exit exit = Exit::success;
  for (const Measured& row : series.rows()) {
    const std::string sentence = row.stage == "test" ? "" : too_expensive(problem, row, product);
    if (sentence.empty()) continue;
    fmt::print(stderr, "podium: {}{}\n", sentence, binds ? "" : " (not binding on the CPU)");
    if (binds) exit = Exit::contestant;
  }
  for (const std::string& failure : series.failures()) fmt::print(stderr, "podium: {}\n", failure);
  return series.failures().empty() ? exit : Exit::usage;
}

}  // namespace

Exit check_measure(const std::vector<std::filesystem::path>& files, const std::string& device,
                   bool references, const std::string& workload) {
  const DeviceName name = choose_device(device);
  refuse_times(name, "podium check --measure");
  Exit exit = Exit::success;
  for (const auto& file : files) exit = std::max(exit, measure(file, name, references, workload));
  return exit;
}

}  // namespace podium::cli
