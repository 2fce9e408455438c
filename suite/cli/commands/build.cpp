// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium build`: compiles contestants and judge's programs without running anything.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "suite/base/backend.hpp"
#include "suite/base/counted.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/plan.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::vector<std::string> problems, contestants;
  std::string backend, arch;
  std::filesystem::path folder, out;  // out: a cache folder to be carried elsewhere; empty: the default cache
  std::string format = "table";
};

std::string choice_of_backend() {
  auto names = backend_names_processor_first();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string_view outcome_of(compile::Product::Status status) {
  if (status == compile::Product::Status::built) return "compiled";
  if (status == compile::Product::Status::unsuited) return "for other devices";
  return word_of(contest::verdict_of(status));
}

Exit build(const Request& request) {
  const auto toolchain = compile::read_toolchain(toolchain_file());
  const std::string backend =
      request.backend.empty() ? built_backends().front() : parse_device(request.backend).backend;
  const auto tools = toolchain.backends.find(backend);
  if (tools == toolchain.backends.end())
    throw Error(fmt::format("{} records no compiler for the {} backend; configure with `cmake --preset {}`",
                            toolchain.file.string(), backend, backend));
  const std::string arch = !backend_named(backend).code_by_architecture() ? ""
                           : request.arch.empty()                         ? tools->second.default_arch
                                                                          : request.arch;
  contest::Plan plan = contest::plan({.problems = request.folder.empty() ? problems_folder() : request.folder,
                                      .names = request.problems,
                                      .contestants = request.contestants},
                                     backend);
  compile::Builder builder(toolchain, request.out.empty() ? compile::default_cache() : request.out);
  contest::build(plan, builder, backend, arch, [](int done, int total, const std::string& what) {
    fmt::print(stderr, "[{}/{}] {}\n", done, total, what);
  });
  const bool as_json = request.format == "json";
  auto rows = nlohmann::json::array();
  int built = 0, cached = 0, failed = 0, bad = 0, unavailable = 0;
  for (const auto& board : plan.boards)
    for (const auto& entrant : board.entrants) {
      const auto& product = entrant.product;
      if (as_json)
        rows.push_back({{"problem", board.problem->name},
                        {"types", board.problem->choices[board.choice].name},
                        {"contestant", entrant.contestant.name},
                        {"file", entrant.contestant.file.filename().string()},
                        {"outcome", outcome_of(product.status)},
                        {"text", product.message}});
      cached += product.cached;
      if (product.status == compile::Product::Status::built) {
        ++built;
        continue;
      }
      const bool faulty = product.status == compile::Product::Status::faulty,
                 missing = !faulty && product.status != compile::Product::Status::failed;
      ++(missing ? unavailable : faulty ? bad : failed);
      if (!as_json)
        fmt::print("{}/{} {}: {}: {}\n", board.problem->name, board.problem->choices[board.choice].name,
                   entrant.contestant.name, missing ? "not available" : outcome_of(product.status),
                   product.message);
    }
  const Exit told = report_faults(plan.faults), exit = told != Exit::success ? told
                                                       : failed + bad > 0    ? Exit::contestant
                                                                             : Exit::success;
  if (as_json) {
    fmt::print("{}\n", rows.dump(2));
    return exit;
  }
  fmt::print("{} for {}{}{}: {} from the cache, {} did not compile, {} not available here\n",
             counted(built, "contestant"), backend, arch.empty() ? "" : " ", arch, cached, failed,
             unavailable);
  if (bad > 0) fmt::print("{} cannot be used\n", counted(bad, "file"));
  return exit;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("problem", request->problems, "Problems to build; default: all");
  app.add_option("--contestant", request->contestants, "Contestants by name or file")->take_all();
  app.add_option("--backend", request->backend, choice_of_backend());
  app.add_option("--arch", request->arch,
                 "Architecture of the device: sm_90, gfx942, ...; default: the preset's");
  app.add_option("--problems", request->folder, "Folder that holds the problem folders");
  app.add_option("--format", request->format, "Format of the output: table or json")
      ->check(CLI::IsMember({"table", "json"}));
  app.add_option("--out", request->out,
                 "Cache folder to fill; on another machine, PODIUM_CACHE names a copy of it");
  return [request] { return build(*request); };
}

const Registered registered({.name = "build",
                             .summary = "Compile contestants and the judge's programs",
                             .place = 40,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
