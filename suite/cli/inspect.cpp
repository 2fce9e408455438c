// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium list`, `report`: what there is, without a contest.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

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

}  // namespace

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
                       {"partition", protocol::get(d.partition)},
                       {"multiprocessors", d.multiprocessors},
                       {"warp", d.warp},
                       {"local_share", d.local_share},
                       {"last_level_cache", d.last_level_cache},
                       {"pci", protocol::get(d.pci)},
                       {"available", true}});
        if (backend == "host") break;
      } catch (const Error& e) {
        if (ordinal == 0) all.push_back({{"device", backend}, {"available", false}, {"why", e.what()}});
        break;
      }
  for (const auto& backend : built_backends())
    for (const auto& architecture : device::emulated_architectures(backend)) {
      const DeviceName name{.backend = backend, .emulated = device::Emulated{backend, architecture}};
      json row{{"device", name.emulated->name()}, {"architecture", architecture}, {"emulated", true}};
      try {
        executables_for(name);
        row["available"] = true;
      } catch (const Error& e) {
        row["available"] = false;
        row["why"] = e.what();
      }
      all.push_back(row);
    }
  return all;
}

namespace {

bool contains(const json& names, const json& name) { return std::ranges::find(names, name) != names.end(); }

void add(json& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

// Of a GPU: what kernels are written for.
std::string parts(const json& d) {
  if (d["local_share"] == 0) return "";
  return fmt::format(", {} multiprocessors of {} KiB shared memory, warps of {}, last cache {} MiB",
                     d["multiprocessors"].get<int>(), d["local_share"].get<std::int64_t>() >> 10,
                     d["warp"].get<int>(), d["last_level_cache"].get<std::int64_t>() >> 20);
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

}  // namespace

void show_devices(const json& devices) {
  for (const auto& d : devices)
    if (!d["available"].get<bool>())
      fmt::print("{:8} not available: {}\n", d["device"].get<std::string>(), d["why"].get<std::string>());
    else if (d.contains("emulated"))
      fmt::print("{:8} the CPU executes {} code: for `podium verify`, never timed\n",
                 d["device"].get<std::string>(), d["architecture"].get<std::string>());
    else
      fmt::print("{:8} {} ({}, {:.1f} GiB{}{})\n", d["device"].get<std::string>(),
                 d["product"].get<std::string>(), d["architecture"].get<std::string>(),
                 d["memory"].get<double>() / (1 << 30), parts(d),
                 d["partition"].get<std::string>().empty() ? "" : ", " + d["partition"].get<std::string>());
}

Exit list(const std::string& what, const std::filesystem::path& folder, const std::string& format) {
  if (what == "devices") {
    const json all = devices();
    if (format == "json")
      fmt::print("{}\n", all.dump(2));
    else
      show_devices(all);
    return Exit::well;
  }
  std::vector<std::string> faults;
  const json all = problems(folder.empty() ? problems_folder() : folder, faults);
  if (format == "json") {
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

}  // namespace podium::cli
