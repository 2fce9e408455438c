// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads a campaign's file section by section; every mistake is told with its line.
#include "suite/cluster/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "suite/base/nearest.hpp"
#include "suite/cluster/format.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/record/fields.hpp"

namespace podium::cluster {
namespace {

using problem::Cursor;

constexpr int format_version = 1, most_count = 100000;
constexpr const char* a_name = "a name of letters, digits, '.', '_' and '-'";
constexpr const char* a_duration = "a duration, as in \"30 min\", \"4 h\" or \"4:00:00\"";

// A name that is a word of the shell, of the scheduler and of a folder.
bool is_name(const std::string& text) {
  return !text.empty() && text.front() != '-' && text.front() != '.' && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

void read_name(const std::optional<Cursor>& at, std::string& name) {
  if (!at) return;
  const auto word = at->word(a_name);
  if (word && !is_name(*word)) at->expected(a_name);
  if (word) name = *word;
}

// One line: it ends in a script.
void read_line(const std::optional<Cursor>& at, std::string& line) {
  if (!at) return;
  const auto word = at->word("a line of text");
  if (word && word->find('\n') != std::string::npos)
    at->mistake("found several lines, expected one; make them a list");
  if (word) line = *word;
}

template <class Reader>
void read_list(const std::optional<Cursor>& at, std::vector<std::string>& list, const char* what,
               Reader reader) {
  if (!at) return;
  const auto items = at->items(what);
  if (at->is_list() && items.empty()) at->mistake(fmt::format("found an empty list, expected {}", what));
  for (const Cursor& item : items) reader(item, list.emplace_back());
  for (std::size_t i = 0; i < items.size(); ++i)
    if (std::ranges::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) !=
        list.begin() + static_cast<std::ptrdiff_t>(i))
      items[i].mistake(fmt::format("found \"{}\" twice, expected it once", list[i]));
}

void read_names(const std::optional<Cursor>& at, std::vector<std::string>& list, const char* what) {
  read_list(at, list, what, [](const Cursor& item, std::string& name) { read_name(item, name); });
}

void read_lines(const std::optional<Cursor>& at, std::vector<std::string>& list, const char* what) {
  read_list(at, list, what, [](const Cursor& item, std::string& line) { read_line(item, line); });
}

void read_word(const std::optional<Cursor>& at, std::string& word, std::string_view list) {
  if (!at) return;
  const auto found = at->word(found_one_of(at->raw(), words(list)));
  if (!found) return;
  if (std::ranges::find(words(list), *found) == words(list).end())
    at->mistake(found_one_of(yaml::excerpt(*found), words(list)));
  word = *found;
}

void read_count(const std::optional<Cursor>& at, int& count) {
  if (!at) return;
  if (const auto whole = at->whole("a whole number from 1 on", 1, most_count))
    count = static_cast<int>(*whole);
}

void read_truth(const std::optional<Cursor>& at, bool& truth) {
  if (!at) return;
  if (const auto found = at->truth()) truth = *found;
}

void read_duration(const std::optional<Cursor>& at, double& seconds) {
  if (!at) return;
  const auto text = at->word(a_duration);
  if (!text) return;
  const double found = seconds_of(*text);
  if (found > 0)
    seconds = found;
  else
    at->expected(a_duration);
}

// The map below `key`, its keys checked; none if it is absent or no map.
std::optional<Cursor> section(const Cursor& parent, const char* key, const char* form_name) {
  auto found = parent.find(key);
  if (!found) return found;
  if (!found->is_map()) {
    found->expected(fmt::format("a map: {}", form(form_name).says));
    return std::nullopt;
  }
  found->keys(form(form_name));
  return found;
}

ChosenProblem problem_from(const Cursor& at) {
  ChosenProblem chosen;
  if (!at.is_map()) {
    read_name(at, chosen.name);
    return chosen;
  }
  at.keys(form("problem"));
  read_name(at.need("name", "the problem's name"), chosen.name);
  read_names(at.find("types"), chosen.types, "a list of choices of types");
  read_names(at.find("contestants"), chosen.contestants, "a list of contestants");
  read_word(at.find("level"), chosen.level, "level");
  return chosen;
}

void read_problems(const Cursor& root, Campaign& campaign) {
  const auto at = root.find("problems");
  if (!at) return;
  std::set<std::string> seen;
  const auto items = at->items("a list of problems");
  if (at->is_list() && items.empty())
    at->mistake("found an empty list, expected problems; leave it out for all");
  for (const Cursor& item : items) {
    const ChosenProblem chosen = problem_from(item);
    if (!chosen.name.empty() && !seen.insert(chosen.name).second)
      item.mistake(fmt::format("found \"{}\" twice, expected it once", chosen.name));
    campaign.problems.push_back(chosen);
  }
}

void read_container(const Cursor& at, Partition& partition) {
  const auto container = section(at, "container", "container");
  if (!container) return;
  read_line(container->find("apptainer"), partition.apptainer);
  read_line(container->find("pyxis"), partition.pyxis);
  if (partition.apptainer.empty() == partition.pyxis.empty())
    container->mistake(fmt::format("found {}, expected one of apptainer and pyxis",
                                   partition.apptainer.empty() ? "neither" : "both"));
}

Partition read_partition(const Cursor& at, const std::vector<ChosenProblem>& problems) {
  Partition partition{.name = at.name(), .partition = at.name()};
  if (!is_name(partition.name)) at.mistake(fmt::format("found \"{}\", expected {}", at.key(), a_name));
  if (!at.is_map()) {
    at.expected("a map: " + form("partition").says);
    return partition;
  }
  at.keys(form("partition"));
  read_name(at.find("partition"), partition.partition);
  read_word(at.need("backend", "the backend of its devices"), partition.backend, "backend");
  read_name(at.find("arch"), partition.arch);
  read_line(at.find("gres"), partition.gres);
  read_line(at.find("constraint"), partition.constraint);
  read_name(at.find("account"), partition.account);
  read_name(at.find("qos"), partition.qos);
  read_duration(at.need("time_limit", a_duration), partition.time_limit);
  read_lines(at.find("modules"), partition.modules, "a list of modules");
  read_container(at, partition);
  read_line(at.find("scratch"), partition.scratch);
  read_lines(at.find("setup"), partition.setup, "a list of lines");
  read_lines(at.find("sbatch"), partition.sbatch, "a list of options");
  if (const auto shared = section(at, "shared", "shared")) {
    read_line(shared->find("cache"), partition.shared_cache);
  }
  const auto own = at.find("problems");
  read_names(own, partition.problems, "a list of problems");
  std::vector<std::string> names;
  for (const ChosenProblem& one : problems) names.push_back(one.name);
  if (own && own->is_list() && !names.empty())
    for (const Cursor& item : own->items(""))
      if (std::ranges::find(names, item.raw()) == names.end())
        item.mistake(found_one_of(item.raw(), names) + ", the problems of the campaign");
  return partition;
}

void read_partitions(const Cursor& root, Campaign& campaign) {
  const auto at = root.need("partitions", "a map of partitions");
  if (!at) return;
  const auto fields = at->fields("a map of partitions");
  if (at->is_map() && fields.empty()) at->mistake("found an empty map, expected a partition");
  for (const Cursor& field : fields) campaign.partitions.push_back(read_partition(field, campaign.problems));
}

void read_rest(const Cursor& root, Campaign& campaign) {
  if (const auto repeats = section(root, "repeats", "repeats")) {
    read_count(repeats->find("rounds"), campaign.rounds);
    read_count(repeats->find("runs"), campaign.runs);
  }
  if (const auto shards = section(root, "shards", "shards"))
    read_duration(shards->find("target"), campaign.target);
  if (const auto options = section(root, "options", "options")) {
    read_truth(options->find("isolated"), campaign.isolated);
    read_truth(options->find("cold_only"), campaign.cold_only);
    read_truth(options->find("energy"), campaign.energy);
    read_truth(options->find("require_sandbox"), campaign.require_sandbox);
  }
  if (const auto common = section(root, "common", "common")) {
    read_name(common->find("problem"), campaign.common.problem);
    read_name(common->find("types"), campaign.common.types);
    read_name(common->find("contestant"), campaign.common.contestant);
  }
}

// D-HH:MM:SS, HH:MM:SS, HH:MM.
double clock_seconds(std::string_view text) {
  double days = 0;
  if (const auto dash = text.find('-'); dash != text.npos) {
    const auto number = problem::core_number(text.substr(0, dash));
    if (!number || !number->integer || number->value < 0) return -1;
    days = number->value;
    text.remove_prefix(dash + 1);
  }
  std::vector<double> parts;
  while (true) {
    const auto colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    const auto number = problem::core_number(part);
    if (!number || !number->integer || number->value < 0) return -1;
    if (!parts.empty() && (part.size() != 2 || number->value >= 60)) return -1;
    parts.push_back(number->value);
    if (colon == text.npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts.size() < 2 || parts.size() > 3) return -1;
  return days * 86400 + parts[0] * 3600 + parts[1] * 60 + (parts.size() > 2 ? parts[2] : 0);
}

}  // namespace

double seconds_of(const std::string& duration) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};
  const std::string_view text = duration;
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string_view unit = text.substr(end);
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, seconds] : units)
    if (unit == name) {
      const auto number = problem::core_number(text.substr(0, end));
      return number && std::isfinite(number->value) ? number->value * seconds : -1;
    }
  return clock_seconds(text);
}

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} d", seconds / 86400);
}

Campaign campaign_of(const std::string& source, const std::filesystem::path& file) {
  const std::string where = file.string();
  const yaml::Node tree = yaml::parse(source, where);
  problem::Mistakes mistakes;
  const Cursor root(tree, where, mistakes);
  Campaign campaign{.name = file.stem().string()};
  if (root.is_map()) {
    root.keys(form("campaign"));
    if (const auto version = root.need("podium_campaign", "1, the version of the format"))
      version->whole("1, the version of the format", format_version, format_version);
    read_name(root.find("name"), campaign.name);
    if (!root.find("name") && !is_name(campaign.name))
      root.mistake(
          fmt::format("found \"{}\" as the file's name, expected {}; state name", campaign.name, a_name));
    read_problems(root, campaign);
    read_names(root.find("types"), campaign.types, "a list of choices of types");
    read_names(root.find("contestants"), campaign.contestants, "a list of contestants");
    read_word(root.find("level"), campaign.level, "level");
    read_rest(root, campaign);
    read_partitions(root, campaign);
  } else {
    root.expected("a campaign: a map that begins with podium_campaign: 1");
  }
  mistakes.raise();
  return campaign;
}

Campaign load_campaign(const std::filesystem::path& file) { return campaign_of(yaml::read_file(file), file); }

nlohmann::json to_json(const Partition& p) {
  return {{"partition", p.partition},
          {"backend", p.backend},
          {"arch", p.arch},
          {"gres", p.gres},
          {"constraint", p.constraint},
          {"account", p.account},
          {"qos", p.qos},
          {"time_limit_s", p.time_limit},
          {"modules", p.modules},
          {"apptainer", p.apptainer},
          {"pyxis", p.pyxis},
          {"scratch", p.scratch},
          {"setup", p.setup},
          {"sbatch", p.sbatch},
          {"shared_cache", p.shared_cache},
          {"problems", p.problems}};
}

Partition partition_from(const nlohmann::json& json, const std::string& name, const std::string& what) {
  const record::Fields fields(json, what);
  for (const char* key : {"partition", "backend", "time_limit_s"}) fields.need(key);
  Partition p{.name = name};
  fields.read("partition", p.partition);
  fields.read("backend", p.backend);
  fields.read("arch", p.arch);
  fields.read("gres", p.gres);
  fields.read("constraint", p.constraint);
  fields.read("account", p.account);
  fields.read("qos", p.qos);
  fields.read("time_limit_s", p.time_limit);
  fields.read("modules", p.modules);
  fields.read("apptainer", p.apptainer);
  fields.read("pyxis", p.pyxis);
  fields.read("scratch", p.scratch);
  fields.read("setup", p.setup);
  fields.read("sbatch", p.sbatch);
  fields.read("shared_cache", p.shared_cache);
  fields.read("problems", p.problems);
  return p;
}

}  // namespace podium::cluster
