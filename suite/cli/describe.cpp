// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/describe.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/base/backend.hpp"
#include "suite/base/descriptor.hpp"
#include "suite/base/file_text.hpp"
#include "suite/cli/built.hpp"
#include "suite/cli/places.hpp"
#include "suite/compile/interpreter.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/record/calibration.hpp"
#include "suite/record/sources.hpp"
#include "suite/report/calibration.hpp"

namespace podium::cli {
namespace {

record::BoardRecord board_record(const contest::BoardPlan& board) {
  const auto& problem = *board.problem;
  record::BoardRecord r{.problem = problem.name,
                        .title = problem.title,
                        .types = problem.choices[board.choice].name,
                        .baseline = board.baseline,
                        .sha256 = record::sha256(problem.source),
                        .series = board.series,
                        .files = board.reference.included};
  for (const int w : board.timed) {
    const auto& workload = problem.workloads[static_cast<std::size_t>(w)];
    r.stage = name_of(workload.stage);
    r.workloads.push_back(workload.name);
  }
  for (const auto& entrant : board.entrants) r.contestants.push_back(entrant.contestant.name);
  return r;
}

// The interpreter of a product that has one, with its packages.
std::string runtime_of(const compile::Product& product) {
  const Descriptor file(open(product.file.c_str(), O_RDONLY | O_CLOEXEC));
  const auto interpreter = file ? compile::interpreter_of(file.get()) : std::filesystem::path();
  return interpreter.empty() ? "" : compile::interpreter_at(interpreter.string()).version;
}

report::Arithmetic usable(const record::Calibration& stored, const std::string& driver,
                          const std::filesystem::path& file) {
  try {
    return report::arithmetic_of(stored, driver);
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", file.string(), e.what()));
  }
}

}  // namespace

record::DeviceKey key_of(const protocol::Opened& device) {
  record::DeviceKey key{.backend = protocol::get(device.backend),
                        .product = protocol::get(device.product),
                        .architecture = protocol::get(device.architecture),
                        .memory = device.memory,
                        .partition = protocol::get(device.partition),
                        .emulated = device.emulated != 0};
  if (recorded_backend(key.backend).processor)
    key.partition = fmt::format("{} threads", device.multiprocessors);
  return key;
}

std::vector<record::Compiler> compilers_of(const compile::Toolchain& toolchain, const std::string& backend) {
  const auto found = toolchain.backends.find(backend);
  if (found == toolchain.backends.end()) return {};
  return {{backend, found->second.version, record::without_folders(found->second.flags)}};
}

void describe_boards(record::Provenance& p, const contest::Plan& plan,
                     const std::map<const contest::BoardPlan*, contest::Overheads>& overheads) {
  p.boards.clear();
  p.contestants.clear();
  for (const auto& board : plan.boards) {
    if (board.broken) continue;
    record::BoardRecord& described = p.boards.emplace_back(board_record(board));
    if (const auto found = overheads.find(&board); found != overheads.end()) {
      described.empty_call = found->second.usual.reported;
      described.judge_overhead = found->second.usual.constant;
      described.tolerance = found->second.usual.tolerance;
    }
    for (const auto& entrant : board.entrants) {
      const auto& c = entrant.contestant;
      const auto same = [&](const record::ContestantRecord& r) {
        return r.problem == board.problem->name && r.name == c.name;
      };
      if (std::any_of(p.contestants.begin(), p.contestants.end(), same)) continue;
      const std::string text_sha256 = record::sha256(*entrant.text);
      p.contestants.push_back({.problem = board.problem->name,
                               .name = c.name,
                               .title = c.title,
                               .author = c.author,
                               .source = c.source,
                               .kind = c.language->name,
                               .tier = c.language->sealed ? "sealed" : "native",
                               .file = c.file.filename().string(),
                               .sha256 = entrant.sha256,
                               .text_sha256 = text_sha256 == entrant.sha256 ? "" : text_sha256,
                               .runtime = runtime_of(entrant.product),
                               .included = entrant.product.included});
    }
  }
}

record::Provenance describe(const contest::Plan& plan, const contest::RunOptions& options,
                            const protocol::Opened& device, const compile::Toolchain& toolchain,
                            const Circumstances& circumstances) {
  record::Provenance p;
  p.podium = version();
  // Where an installed podium was built there may be another commit by now, or another tree.
  p.commit = record::commit_of(own_checkout(), built_commit());
  p.command = circumstances.command;
  p.started = record::utc(circumstances.started);
  p.device = key_of(device);
  p.driver = protocol::get(device.driver);
  p.multiprocessors = device.multiprocessors;
  p.last_level_cache = device.last_level_cache;
  p.cpu = record::cpu_model(text_of("/proc/cpuinfo"));
  p.kernel = record::kernel_release();
  p.compilers = compilers_of(toolchain, p.device.backend);
  describe_boards(p, plan, {});
  p.sandbox = {"judge not dumpable", "descriptors closed", "no new privileges", "no core files",
               "own scratch"};
  for (const auto& grant : contest::grants_on(protocol::get(device.pci)))
    if (grant.held)
      p.sandbox.emplace_back(name_of(grant.means));
    else
      p.sandbox_without.emplace(name_of(grant.means), grant.detail);
  p.order_seed = options.order_seed;
  p.rounds = options.rounds;
  p.isolated = options.isolated;
  p.columns = options.columns;
  p.energy = options.energy;
  p.stopping = options.stopping;
  p.copy_bytes_per_second = circumstances.rates.copy;
  p.read_bytes_per_second = circumstances.rates.read;
  p.write_bytes_per_second = circumstances.rates.write;
  return p;
}

void keep_sources(record::Writer& writer, const contest::BoardPlan& board) {
  writer.keep(board.problem->source);
  for (const auto& [sha256, text] : board.reference.texts) writer.keep(*text);
  for (const contest::Entrant& entrant : board.entrants) {
    if (entrant.text->empty()) continue;  // it cannot be read
    const auto& texts = entrant.product.texts;
    const auto text_of = [&](const std::string& sha256) {
      const auto found = texts.find(sha256);
      return found == texts.end() ? nullptr : found->second.get();
    };
    writer.keep(*entrant.text);
    for (const auto& [name, sha256] : record::named_files(*entrant.text, entrant.product.included, text_of))
      writer.keep(*text_of(sha256));
  }
}

void add_calibration(record::Provenance& provenance, const std::filesystem::path& results) {
  const auto file = record::calibration_file(results, provenance.device);
  if (!std::filesystem::exists(file)) return;
  try {
    const auto stored = record::read_calibration(file);
    const report::Arithmetic found = usable(stored, provenance.driver, file);
    provenance.calibrated = stored.provenance.started;
    provenance.arithmetic = found.rates;
    if (!found.scattered.empty())
      fmt::print(stderr, "podium: no % SOL from these rates of {}: {}\n", file.string(),
                 fmt::join(found.scattered, "; "));
  } catch (const Error& e) {
    fmt::print(stderr, "podium: no % SOL for work bound by arithmetic: {}\n", e.what());
  }
}

}  // namespace podium::cli
