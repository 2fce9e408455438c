// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium list`: problems and their contestants, or devices.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "suite/cli/command.hpp"
#include "suite/cli/device_list.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/plan.hpp"
#include "suite/report/format.hpp"

namespace podium::cli {
namespace {

using nlohmann::json;

struct Request {
  std::string what = "problems", format = "table";
  std::filesystem::path folder;  // of problems; empty: the default
};

bool contains(const json& names, const json& name) { return std::ranges::find(names, name) != names.end(); }

void add(json& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

// `faults`: what is wrong with files, each once.
json problems(const std::filesystem::path& folder, std::vector<std::string>& faults) {
  json all = json::array();
  std::map<std::string, std::size_t> at;
  for (const auto& backend : {"host", "cuda", "hip"}) {
    const auto plan = contest::plan({.problems = folder}, backend);
    const auto note = [&](const std::string& fault) {
      if (!fault.empty() && std::ranges::find(faults, fault) == faults.end()) faults.push_back(fault);
    };
    std::ranges::for_each(plan.faults, note);
    for (const auto& problem : plan.problems) {
      if (!at.contains(problem.name)) {
        at[problem.name] = all.size();
        json choices = json::array();
        for (const auto& choice : problem.choices) choices.push_back(choice.name);
        all.push_back({{"problem", problem.name},
                       {"title", problem.title},
                       {"types", choices},
                       {"contestants", json::object()},
                       {"sealed", json::object()}});
      }
    }
    for (const auto& board : plan.boards)
      for (const auto& entrant : board.entrants) {
        note(entrant.contestant.fault);
        auto& problem = all[at[board.problem->name]];
        add(problem["contestants"][backend], entrant.contestant.name);
        if (entrant.contestant.sealed) add(problem["sealed"][backend], entrant.contestant.name);
      }
  }
  return all;
}

std::string words(const json& list) {
  std::vector<std::string> all;
  for (const auto& item : list) all.push_back(item.get<std::string>());
  return fmt::format("{}", fmt::join(all, ", "));
}

Exit list(const Request& request) {
  if (request.what == "devices") {
    const json all = devices();
    if (request.format == "json")
      fmt::print("{}\n", all.dump(2));
    else
      show_devices(all);
    return Exit::success;
  }
  std::vector<std::string> faults;
  const json all = problems(request.folder.empty() ? problems_folder() : request.folder, faults);
  if (request.format == "json") {
    fmt::print("{}\n", all.dump(2));
    return tell(faults);
  }
  for (const auto& p : all) {
    fmt::print("{} - {} ({})\n", p["problem"].get<std::string>(),
               report::one_line(p["title"].get<std::string>()), words(p["types"]));
    for (const auto& [backend, names] : p["contestants"].items()) {
      json marked = names;
      for (auto& name : marked)
        if (p["sealed"].contains(backend) && contains(p["sealed"][backend], name))
          name = name.get<std::string>() + " (sealed)";
      fmt::print("  {:5} {}\n", backend, words(marked));
    }
  }
  return tell(faults);
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("what", request->what, "problems or devices")->check(CLI::IsMember({"problems", "devices"}));
  app.add_option("--problems", request->folder, "Folder of problem folders");
  app.add_option("--format", request->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  return [request] { return list(*request); };
}

const Registered registered({.name = "list",
                             .summary = "List problems and contestants, or devices",
                             .place = 60,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
