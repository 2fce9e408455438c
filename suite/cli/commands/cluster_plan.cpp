// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster plan`: a campaign's file as shards, before anything is submitted.
#include <fmt/format.h>

#include <memory>
#include <system_error>

#include "suite/base/file_text.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/offers.hpp"
#include "suite/cli/places.hpp"
#include "suite/cluster/staging.hpp"
#include "suite/cluster/state.hpp"
#include "suite/record/record.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

struct Request {
  fs::path campaign, to, problems;
  std::vector<fs::path> results;
  bool commands = false;
};

// A plan whose shards have begun stays.
void refuse_another_plan(const fs::path& folder, const std::string& text) {
  if (!fs::exists(folder / "plan.json")) return;
  std::error_code none;
  const bool begun = fs::directory_iterator(folder / "shards", none) != fs::directory_iterator();
  if (begun && text_of(folder / "campaign.yaml") != text)
    throw Error(
        fmt::format("{}: shards of another campaign.yaml have begun there; plan to another folder with "
                    "--to, or remove this one",
                    folder.string()));
}

fs::path folder_of(const Request& request, const cluster::Campaign& campaign) {
  return request.to.empty() ? request.campaign.parent_path() / campaign.name : request.to;
}

// Shards that are not done, one command a line.
void print_commands(const fs::path& folder, const cluster::Plan& plan) {
  for (const cluster::Shard& shard : plan.shards)
    if (cluster::read_state(folder, shard.id).standing != cluster::Standing::done)
      fmt::print("{} cluster shard {} {}\n", own_command(), record::quoted(fs::absolute(folder).string()),
                 shard.id);
}

Exit show(const Request& request, const fs::path& folder, const cluster::Plan& plan) {
  if (request.commands) {
    print_commands(folder, plan);
    return Exit::success;
  }
  fmt::print("{}", cluster::text_of(plan));
  const std::string place = relative_to_here(folder);
  if (!plan.shards.empty())
    fmt::print("\nplanned in {}; next:\n  {} cluster submit {}\n", place, own_command(), place);
  return Exit::success;
}

Exit plan(const Request& request) {
  if (fs::is_directory(request.campaign))
    return show(request, request.campaign, cluster::read_plan(request.campaign));
  const cluster::Campaign campaign = cluster::load_campaign(request.campaign);
  const fs::path folder = folder_of(request, campaign);
  const std::string text = text_of(request.campaign);
  if (fs::absolute(folder / "campaign.yaml").lexically_normal() !=
      fs::absolute(request.campaign).lexically_normal())
    refuse_another_plan(folder, text);
  const fs::path problems = request.problems.empty() ? problems_folder() : request.problems;
  const Offers offers = offers_of(campaign, request.campaign, problems);
  const auto estimates =
      cluster::estimates_from(request.results.empty() ? std::vector{results_folder()} : request.results);
  const cluster::Plan plan = cluster::make_plan(campaign, offers.offers, estimates);
  cluster::write_plan(folder, plan);
  record::write_file(folder / "campaign.yaml", text);
  cluster::keep_problems(folder, problems);
  const Exit shown = show(request, folder, plan);
  const Exit faults = report_faults(offers.faults);
  return faults == Exit::success ? shown : faults;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option(
         "campaign", request->campaign,
         "The campaign's file, which docs/campaigns.md describes, or the folder of a plan to show again")
      ->required();
  app.add_option("--to", request->to,
                 "The campaign's folder; default: beside the file, with the campaign's name");
  app.add_flag("--commands", request->commands,
               "Print shards that are not done as commands, one a line, for Flux, PBS, LSF or a shell");
  app.add_option("--results", request->results,
                 "Folders of earlier runs, from which times are estimated; default: results/");
  app.add_option("--problems", request->problems, "Folder that holds the problem folders");
  return [request] { return plan(*request); };
}

const Registered registered(
    {.name = "plan",
     .summary = "Show the shards of a campaign, how long they take, and what cannot run",
     .parent = "cluster",
     .place = 10,
     .declare = declare});

}  // namespace
}  // namespace podium::cli
