// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium list`, `report`, `doctor`: what there is, without a contest.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "suite/base/user.hpp"
#include "suite/cli/commands.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/plan.hpp"
#include "suite/record/record.hpp"
#include "suite/report/format.hpp"
#include "suite/report/render.hpp"

namespace podium::cli {
namespace {

using nlohmann::json;

json devices() {
  json all = json::array();
  for (const auto& backend : built_backends())
    for (int ordinal = 0;; ++ordinal) try {
        const contest::Session session(contest::executables(backend), ordinal, {});
        const auto& d = session.device();
        all.push_back({{"device", backend == "host" ? backend : fmt::format("{}:{}", backend, ordinal)},
                       {"product", protocol::get(d.product)},
                       {"architecture", protocol::get(d.architecture)},
                       {"driver", protocol::get(d.driver)},
                       {"memory", d.memory},
                       {"available", true}});
        if (backend == "host") break;
      } catch (const Error& e) {
        if (ordinal == 0) all.push_back({{"device", backend}, {"available", false}, {"why", e.what()}});
        break;
      }
  return all;
}

json problems(const std::filesystem::path& folder) {
  json all = json::array();
  std::map<std::string, std::size_t> at;
  for (const auto& backend : {"host", "cuda", "hip"}) {
    const auto plan = contest::plan({.problems = folder}, backend);
    for (const auto& problem : plan.problems) {
      if (!at.contains(problem.name)) {
        at[problem.name] = all.size();
        json choices = json::array();
        for (const auto& choice : problem.choices) choices.push_back(choice.name);
        all.push_back({{"problem", problem.name},
                       {"title", problem.title},
                       {"types", choices},
                       {"contestants", json::object()}});
      }
    }
    for (const auto& board : plan.boards)
      for (const auto& entrant : board.entrants) {
        auto& names = all[at[board.problem->name]]["contestants"][backend];
        if (std::find(names.begin(), names.end(), entrant.contestant.name) == names.end())
          names.push_back(entrant.contestant.name);
      }
  }
  return all;
}

std::string words(const json& list) {
  std::vector<std::string> all;
  for (const auto& item : list) all.push_back(item.get<std::string>());
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

Exit list(const std::string& what, const std::filesystem::path& folder, const std::string& format) {
  if (what == "devices") {
    const json all = devices();
    if (format == "json")
      fmt::print("{}\n", all.dump(2));
    else
      for (const auto& d : all)
        if (d["available"].get<bool>())
          fmt::print("{:8} {} ({}, {:.1f} GiB)\n", d["device"].get<std::string>(),
                     d["product"].get<std::string>(), d["architecture"].get<std::string>(),
                     d["memory"].get<double>() / (1 << 30));
        else
          fmt::print("{:8} not available: {}\n", d["device"].get<std::string>(), d["why"].get<std::string>());
    return Exit::well;
  }
  const json all = problems(folder.empty() ? problems_folder() : folder);
  if (format == "json") {
    fmt::print("{}\n", all.dump(2));
    return Exit::well;
  }
  for (const auto& p : all) {
    fmt::print("{} - {} ({})\n", p["problem"].get<std::string>(),
               report::one_line(p["title"].get<std::string>()), words(p["types"]));
    for (const auto& [backend, names] : p["contestants"].items())
      fmt::print("  {:5} {}\n", backend, words(names));
  }
  return Exit::well;
}

Exit report(const std::vector<std::filesystem::path>& runs, const std::string& format,
            const std::filesystem::path& out, bool publish) {
  for (const auto& folder : runs) {
    const auto run = record::read(folder);
    if (publish) {
      report::publish(run, std::filesystem::canonical(folder).parent_path());
      continue;
    }
    if (!out.empty())
      report::write(run, out);
    else
      fmt::print("{}", report::render(run, format));
  }
  return Exit::well;
}

Exit doctor() {
  list("devices", {}, "table");
  const auto uid = worker_uid();
  fmt::print(
      "sandbox: workers {}; the judge's memory is not readable by them; core files off; files up to 64 MiB\n",
      uid ? fmt::format("run as uid {}", *uid)
          : "share podium's uid (start podium as root to separate them): results are unattested");
  return Exit::well;
}

}  // namespace podium::cli
