// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium check --measure`: what fills, full verification and a sample cost in time and memory, workload by
// workload, on one device.
#include <fmt/format.h>

#include <algorithm>

#include "suite/build/builder.hpp"
#include "suite/cli/columns.hpp"
#include "suite/cli/commands.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/measure.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/session.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/instance.hpp"
#include "suite/report/format.hpp"

namespace podium::cli {
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
      throw Error(fmt::format("{}:{}: the {} workload {} {}; make it smaller", problem_.file.string(),
                              problem_.workloads[static_cast<std::size_t>(workload)].at.line, measured.stage,
                              measured.workload, why));
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

// Whether every sample is cheap enough, where that binds.
bool measure(const std::filesystem::path& file, const DeviceName& name, bool references) {
  const auto path = std::filesystem::is_directory(file) ? file / "problem.yaml" : file;
  const problem::Problem problem = problem::load(path);
  contest::Session session(executables_for(name), name.ordinal, {});
  const protocol::Opened device = session.device();
  device::refuse_times(protocol::get(device.product), "podium check --measure");
  const bool binds = name.backend != "host";
  const std::string arch = binds ? protocol::get(device.architecture) : "";
  build::Builder builder(build::read_toolchain(toolchain_file()), build::default_cache());
  for (const auto& choice : problem.choices) builder.add_program(problem, choice, name.backend, arch);
  const auto products = builder.run();
  for (const auto& product : products)
    if (product.status != build::Product::Status::built) throw Error(product.message);

  std::vector<Measured> rows;
  for (std::size_t choice = 0; choice < problem.choices.size(); ++choice) {
    session.load(problem, choice, products[choice].file);
    Measurement measurement(problem, session);
    for (std::size_t w = 0; w < problem.workloads.size(); ++w)
      if (problem::on_board(problem.workloads[w], problem.choices[choice]))
        rows.push_back(measurement.of(choice, static_cast<int>(w)));
  }
  const std::string product = protocol::get(device.product);
  fmt::print("{} on {}{}\n", path.string(), product, binds ? "" : " (the CPU: these costs do not bind)");
  print(rows);
  if (references) print_references(problem, rows);
  bool cheap = true;
  for (const Measured& row : rows) {
    const std::string sentence = row.stage == "test" ? "" : too_expensive(problem, row, product);
    if (sentence.empty()) continue;
    fmt::print(stderr, "podium: {}{}\n", sentence, binds ? "" : " (not binding on the CPU)");
    cheap = cheap && !binds;
  }
  return cheap;
}

}  // namespace

Exit check_measure(const std::vector<std::filesystem::path>& files, const std::string& device,
                   bool references) {
  const DeviceName name = choose_device(device);
  refuse_times(name, "podium check --measure");
  bool cheap = true;
  for (const auto& file : files) cheap = measure(file, name, references) && cheap;
  return cheap ? Exit::well : Exit::contestant;
}

}  // namespace podium::cli
