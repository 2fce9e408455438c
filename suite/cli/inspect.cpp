// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium list`, `report`, `calibrate`, `doctor`: what there is, without a contest.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "suite/base/user.hpp"
#include "suite/build/builder.hpp"
#include "suite/cli/commands.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/overhead.hpp"
#include "suite/contest/plan.hpp"
#include "suite/problem/requirement.hpp"
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

Exit calibrate(const std::string& device) {
  const DeviceName name = choose_device(device);
  contest::Session session(contest::executables(name.backend), name.ordinal, {});
  fmt::print("{}: copy {:.1f} GB/s (bytes read and written)\n", protocol::get(session.device().product),
             session.copy_rate() * 1e-9);

  // An empty call needs some arena: that of the first problem's test workloads.
  contest::Plan plan = contest::plan({.problems = problems_folder()}, name.backend);
  const std::string arch = name.backend == "host" ? "" : protocol::get(session.device().architecture);
  std::erase_if(plan.boards, [&](const auto& board) {
    return !problem::unmet(*board.problem, name.backend, arch).empty();
  });
  if (plan.boards.empty())
    throw Error("no problem runs on this device, expected one to calibrate with; see `requires` of each");
  plan.boards.resize(1);
  plan.boards[0].entrants.clear();
  build::Builder builder(build::read_toolchain(toolchain_file()), build::default_cache());
  contest::build(plan, builder, name.backend, arch, {});
  const contest::BoardPlan& board = plan.boards[0];
  session.load(*board.problem, board.choice, board.program);
  session.board(board.tests);
  const auto measured = contest::measure_overhead(session, board.tests.front());
  if (const auto* failure = std::get_if<contest::Failure>(&measured))
    throw Error(fmt::format("the trusted empty contestant failed: {}: {}", failure->verdict, failure->text),
                Exit::no_device);
  const auto& overheads = std::get<contest::Overheads>(measured);
  fmt::print(
      "empty call, by the judge's clock beyond the device's: {:.1f} µs, tolerance {:.1f} µs; where the call "
      "waits: {:.1f} µs, tolerance {:.1f} µs\n",
      overheads.usual.constant, overheads.usual.tolerance, overheads.waiting.constant,
      overheads.waiting.tolerance);
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
