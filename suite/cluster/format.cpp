// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table itself: a form a map of the file.
#include "suite/cluster/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "suite/base/backend.hpp"
#include "suite/problem/yaml/schema.hpp"

namespace podium::cluster {
namespace {

using problem::Form;
using problem::Words;
using Ordered = nlohmann::ordered_json;

constexpr bool needed = true;

std::vector<Form> all_forms() {
  return {
      {.name = "campaign",
       .says = "Problems and contestants that are measured on the partitions of a cluster",
       .keys = {{"podium_campaign", "version", "The version of the format: 1", needed},
                {"name", "name", "Of the campaign's folder and jobs; the file's name unless stated"},
                {"problems", "[name | problem]", "Problems; all unless stated"},
                {"types", "[name]", "Choices of types, as in [f32, bf16]; all unless stated"},
                {"contestants", "[name]", "Contestants, beside the baseline; all unless stated"},
                {"level", "level", "Workloads that are timed; bench are those of published tables (bench)"},
                {"repeats", "repeats", "How often each board is measured"},
                {"shards", "shards", "How boards are put together"},
                {"options", "options", "Options of podium run"},
                {"common", "common", "What each device measures, so that a sick one is found"},
                {"partitions", "{partition}", "Nodes with devices of one type, by a name of your choice",
                 needed}}},
      {.name = "problem",
       .says = "A problem with choices of its own",
       .keys = {{"name", "name", "Its name", needed},
                {"types", "[name]", "Choices of types; the campaign's unless stated"},
                {"contestants", "[name]", "Contestants, beside the baseline; the campaign's unless stated"},
                {"level", "level", "Workloads that are timed; the campaign's unless stated"}}},
      {.name = "repeats",
       .says = "Rounds and runs of each board",
       .keys =
           {{"rounds", "count", "Rounds of a run; fewer than 7 in all separate no ranks (7)"},
            {"runs", "count",
             "Runs of each board, each a shard of its own; their rounds pool, and the spread between devices "
             "follows (1)"}}},
      {.name = "shards",
       .says = "Boards are put together until a shard takes about the target",
       .keys = {{"target", "duration", "Time that a shard should take (30 min)"}}},
      {.name = "options",
       .says = "Options of podium run, with which all shards are measured",
       .keys = {{"isolated", "truth", "One worker at a time, for files that you do not trust (false)"},
                {"cold_only", "truth", "Skips the times that do not rank (false)"},
                {"energy", "truth", "Measures the energy of a call, too (false)"},
                {"require_sandbox", "truth", "A node without the full sandbox measures nothing (false)"}}},
      {.name = "common",
       .says = "The common contestant: one board that every device measures",
       .keys = {{"problem", "name", "Its problem (vector_add)"},
                {"types", "name", "Its choice of types (f32)"},
                {"contestant", "name", "The problem's baseline on the device unless stated"}}},
      {.name = "partition",
       .says = "Nodes with devices of one type; each measures all boards that it can",
       .keys = {{"partition", "name", "The scheduler's name of it; its name here unless stated"},
                {"backend", "backend", "The backend of its devices", needed},
                {"arch", "name",
                 "Their architecture, as in sm_90 or gfx942; what cannot run there is left out"},
                {"gres", "text", "What a job asks for, as in gpu:h200:1"},
                {"constraint", "text", "Features that nodes must have"},
                {"account", "name", "Who is charged"},
                {"qos", "name", "Quality of service"},
                {"time_limit", "duration", "Longest time of a job, as in 4 h or 4:00:00", needed},
                {"modules", "[text]", "Modules that are loaded, as in cuda/13.0"},
                {"container", "container", "The image that Podium runs in; none unless stated"},
                {"scratch", "text", "Folder on the node for a shard's work; the node's TMPDIR unless stated"},
                {"setup", "[text]", "Lines of shell before Podium starts"},
                {"sbatch", "[text]", "Further options of sbatch, as in --exclude=n17"},
                {"shared", "shared", "Folders that all nodes see, beside the campaign's"},
                {"problems", "[name]", "Those of the campaign that are measured here; all unless stated"}}},
      {.name = "container",
       .says = "An image, by the program that runs it",
       .keys = {{"apptainer", "text", "Image of Apptainer, as in podium-cuda.sif"},
                {"pyxis", "text", "Image of Pyxis and enroot, as in podium-cuda.sqsh"}},
       .one_of = {"apptainer", "pyxis"}},
      {.name = "shared",
       .says = "Folders that all nodes see, beside the campaign's",
       .keys = {{"cache", "text", "Cache of compiled products, in place of one on each node"}}},
  };
}

template <class List>
const auto& named(const List& list, std::string_view name) {
  const auto found =
      std::ranges::find(list, name, [](const auto& item) { return std::string_view(item.name); });
  if (found == list.end()) throw std::logic_error("the format of campaigns has no " + std::string(name));
  return *found;
}

Ordered scalars() {
  Ordered all;
  all["version"] = {{"enum", Ordered::array({1})}};
  all["name"] = all["text"] = {{"type", Ordered::array({"string", "number", "boolean"})}};
  all["count"] = {{"type", "integer"}, {"minimum", 1}};
  all["truth"] = {{"type", "boolean"}};
  all["duration"] = {{"type", "string"},
                     {"pattern", "^([0-9.]+ *(s|min|h|d)|([0-9]+-)?[0-9]+:[0-9]{2}(:[0-9]{2})?)$"}};
  return all;
}

std::string in_words(std::string_view holds) {
  const auto parts = problem::alternatives(holds);
  if (parts.size() > 1) {
    std::string text;
    for (const auto part : parts) text += (text.empty() ? "" : " or ") + in_words(part);
    return text;
  }
  const std::string_view inner = holds.substr(1, holds.size() - 2);
  if (holds.starts_with('[')) return "list of " + in_words(inner);
  if (holds.starts_with('{')) return "map to " + in_words(inner);
  if (scalars().contains(std::string(holds))) return std::string(holds);
  for (const Words& list : word_lists())
    if (list.name == holds) {
      std::string text;
      for (const std::string& word : list.words) text += (text.empty() ? "`" : " or `") + word + "`";
      return text;
    }
  return fmt::format("[{}](#{})", holds, holds);
}

}  // namespace

const std::vector<Form>& forms() {
  static const std::vector<Form> all = all_forms();
  return all;
}

const Form& form(std::string_view name) { return named(forms(), name); }

const std::vector<Words>& word_lists() {
  static const std::vector<Words> lists{{"level", {"quick", "bench"}}, {"backend", backend_names()}};
  return lists;
}

const std::vector<std::string>& words(std::string_view list) { return named(word_lists(), list).words; }

std::string campaign_schema() {
  Ordered definitions = scalars();
  for (const Words& list : word_lists()) definitions[list.name] = {{"enum", list.words}};
  for (const Form& one : forms())
    if (one.name != "campaign") definitions[one.name] = problem::object_of(one);
  Ordered root{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "A campaign of Podium"}};
  root.update(problem::object_of(form("campaign")));
  root["definitions"] = definitions;
  return root.dump(2) + "\n";
}

std::string campaign_tables() {
  std::string out;
  for (const Form& one : forms()) {
    out += fmt::format("{}### {}\n\n{}.\n\n| key | holds | meaning |\n|---|---|---|\n",
                       out.empty() ? "" : "\n", one.name, one.says);
    for (const problem::Key& key : one.keys)
      out += fmt::format("| {} | {} | {} |\n",
                         key.needed ? fmt::format("**`{}`**", key.name) : fmt::format("`{}`", key.name),
                         in_words(key.holds), key.says);
  }
  return out;
}

}  // namespace podium::cluster
