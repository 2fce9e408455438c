// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Workloads: the numbers, types, fills and name of each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "suite/base/nearest.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_workloads = std::extent_v<decltype(protocol::SizeArena::workloads)>;
constexpr std::size_t longest_name = 200;  // characters

constexpr std::array stages{Stage::test, Stage::quick, Stage::bench};

class WorkloadParser {
 public:
  WorkloadParser(Parsing& parsing, const Cursor& cursor, Stage stage, const std::optional<Cursor>& defaults)
      : parsing_(parsing), cursor_(cursor), defaults_(defaults) {
    workload_.stage = stage;
    workload_.at = cursor.at();
  }

  std::optional<Workload> parse() {
    const std::size_t before = parsing_.mistakes.count();
    if (!cursor_.is_map()) {
      cursor_.expected("a map, as in { rows: 128, cols: 4096 }");
      return std::nullopt;
    }
    check_keys();
    axes();
    parameters();
    types();
    ranks();
    fills();
    name();
    return parsing_.mistakes.count() == before ? std::optional(workload_) : std::nullopt;
  }

 private:
  void check_keys() {
    const Problem& problem = parsing_.problem;
    std::vector<std::string> known = form("workload").names();
    for (const auto& axis : problem.axes) known.push_back(axis.name);
    for (const auto& parameter : problem.parameters) known.push_back(parameter.name);
    for (const auto& [key, dtype] : problem.choices[0].types) known.push_back(key);
    known.insert(known.end(), parsing_.names.doubtful().begin(), parsing_.names.doubtful().end());
    if (!parsing_.names.any_doubtful()) cursor_.keys(known, form("workload").later);
  }

  // The workload's own number, else the default; a mistake of the workload if there is neither.
  std::optional<Cursor> number(const std::string& name, std::string_view what) const {
    if (defaults_ && !cursor_.find(name))
      if (auto field = defaults_->find(name)) return field;
    return cursor_.need(name, what);
  }

  void axes() {
    for (const auto& axis : parsing_.problem.axes) {
      if (axis.ranks) continue;
      if (axis.formula) {
        if (const auto field = cursor_.find(axis.name))
          field->mistake(fmt::format("found a number, expected none; this axis is computed as \"{}\"",
                                     yaml::excerpt(axis.formula->text)));
        continue;
      }
      const auto field = number(axis.name, "a whole number");
      const auto value =
          field ? field->whole("a whole number below 2^53", -largest_whole, largest_whole) : std::nullopt;
      if (value) workload_.axes[axis.name] = *value;
    }
  }

  void parameters() {
    for (const auto& parameter : parsing_.problem.parameters) {
      const auto field = number(parameter.name, "a number");
      const auto value = field ? field->number("a number") : std::nullopt;
      if (!value) continue;
      if (std::abs(*value) > info(parameter.type).largest)
        field->mistake(
            fmt::format("found {}, expected a number that {} holds", *value, info(parameter.type).name));
      else  // the reference computes with what contestants get
        workload_.parameters[parameter.name] =
            parameter.type == Dtype::f32 ? static_cast<double>(static_cast<float>(*value)) : *value;
    }
  }

  void types() {
    const auto& choices = parsing_.problem.choices;
    for (const auto& [key, dtype] : choices[0].types) {
      const auto field = cursor_.find(key);
      const auto word = field ? field->word("one dtype") : std::nullopt;
      if (!word) continue;
      std::vector<std::string> served;
      for (const Choice& choice : choices) {
        const std::string name(info(choice.types.at(key)).name);
        if (std::find(served.begin(), served.end(), name) == served.end()) served.push_back(name);
      }
      if (std::find(served.begin(), served.end(), *word) == served.end() && !parsing_.mistakes.about("types"))
        field->mistake("not among the types: " + found_one_of(yaml::excerpt(*word), served));
      workload_.types[key] = *word;
    }
    const auto fits = [&](const Choice& choice) { return on_board(workload_, choice); };
    if (workload_.types.size() > 1 && std::none_of(choices.begin(), choices.end(), fits))
      cursor_.mistake("found types that no choice has together, expected a choice of types");
  }

  void ranks() {
    const auto field = cursor_.find("ranks");
    if (!field) return;
    const auto& choices = parsing_.problem.choices;
    if (!parsing_.problem.ranked())
      return field->mistake(
          "found a number of ranks, expected the problem to say ranks, as in ranks: [2, 4]");
    const auto number = field->whole("a number of ranks", 2, protocol::max_ranks);
    if (!number) return;
    workload_.ranks = static_cast<int>(*number);
    if (std::ranges::none_of(choices, [&](const Choice& choice) { return choice.ranks == workload_.ranks; }))
      field->mistake(fmt::format("found {} ranks, expected one of the numbers that the problem states",
                                 workload_.ranks));
  }

  void fills() {
    const auto section = cursor_.find("fill");
    if (!section) return;
    std::vector<std::string> inputs;
    for (const Tensor& tensor : parsing_.problem.tensors)
      if (tensor.role != Role::output) inputs.push_back(tensor.name);
    for (const Cursor& field : section->fields("a map from inputs to fills, as in { x: ones }")) {
      if (std::find(inputs.begin(), inputs.end(), field.name()) == inputs.end())
        field.mistake("not an input: " + found_one_of(yaml::excerpt(field.name()), inputs));
      else if (const auto fill = parse_fill(parsing_, field, *parsing_.problem.tensor(field.name())))
        workload_.fills[field.name()] = *fill;
    }
  }

  // Names go into file names, tables and Google Benchmark's filters, where "/" and spaces have meanings.
  void name() {
    if (const auto field = cursor_.find("name")) {
      const auto word = field->word("a name");
      const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("_-.=,+").find(c) != std::string_view::npos;
      };
      if (word && (word->size() > longest_name || !std::all_of(word->begin(), word->end(), plain)))
        field->expected(fmt::format("at most {} letters, digits and _ - . = , +", longest_name));
      workload_.name = word.value_or("");
      return;
    }
    const auto append = [&](const std::string& name, const auto& value) {
      workload_.name += fmt::format("{}{}={}", workload_.name.empty() ? "" : ",", name, value);
    };
    for (const auto& axis : parsing_.problem.axes)
      if (workload_.axes.contains(axis.name) && cursor_.find(axis.name))
        append(axis.name, workload_.axes[axis.name]);
    for (const auto& parameter : parsing_.problem.parameters)
      if (workload_.parameters.contains(parameter.name) && cursor_.find(parameter.name)) {
        const double value = workload_.parameters[parameter.name];
        // the shortest text that reads back, so that an f32 shows as it was written
        parameter.type == Dtype::f32 ? append(parameter.name, static_cast<float>(value))
                                     : append(parameter.name, value);
      }
    if (workload_.name.empty()) workload_.name = "all";
  }

  Parsing& parsing_;
  const Cursor& cursor_;
  const std::optional<Cursor>& defaults_;
  Workload workload_;
};

bool clash(const Problem& problem, const Workload& one, const Workload& other) {
  return one.stage == other.stage && one.name == other.name &&
         std::any_of(problem.choices.begin(), problem.choices.end(),
                     [&](const Choice& choice) { return on_board(one, choice) && on_board(other, choice); });
}

// Two workloads of one stage and board must differ in name; a sentence for all of a stage that do not.
void refuse_equal_names(Parsing& parsing, Stage stage) {
  const auto& workloads = parsing.problem.workloads;
  std::map<std::string, std::vector<int>> lines;  // of those that clash, by name
  const Workload* second = nullptr;
  for (std::size_t i = 0; i < workloads.size(); ++i)
    for (std::size_t k = 0; k < workloads.size(); ++k) {
      if (i == k || workloads[i].stage != stage || !clash(parsing.problem, workloads[i], workloads[k]))
        continue;
      lines[workloads[i].name].push_back(workloads[i].at.line);
      if (!second && k < i) second = &workloads[i];
      break;
    }
  if (!second) return;
  std::string equal;
  for (const auto& [name, at] : lines)
    equal += fmt::format("{}\"{}\" {} times (lines {})", equal.empty() ? "" : ", ", name, at.size(),
                         fmt::join(at, ", "));
  parsing.mistakes.add(
      second->at, fmt::format("workloads.{}", name_of(stage)),
      fmt::format("found the name {}, expected names that differ; give all but one of each a "
                  "`name` of its own",
                  equal));
}

// Numbers of axes and parameters, for workloads that do not state their own.
std::optional<Cursor> parse_defaults(const Parsing& parsing, const Cursor& section) {
  auto defaults = section.find("defaults");
  if (!defaults) return std::nullopt;
  if (!defaults->is_map()) {
    defaults->expected("a map, as in { cols: 4096 }");
    return std::nullopt;
  }
  std::vector<std::string> known;
  for (const auto& axis : parsing.problem.axes)
    if (!axis.formula && !axis.ranks) known.push_back(axis.name);
  for (const auto& parameter : parsing.problem.parameters) known.push_back(parameter.name);
  if (!parsing.names.any_doubtful()) defaults->keys(known);
  return defaults;
}

}  // namespace

void parse_workloads(Parsing& parsing, const Cursor& root) {
  const auto section = root.need("workloads", "a map with test, quick and bench");
  if (!section) return;
  if (!section->is_map()) return section->expected("a map with test, quick and bench");
  const std::size_t before = parsing.mistakes.count();
  section->keys(form("workloads"));
  const std::optional<Cursor> defaults = parse_defaults(parsing, *section);
  for (const Stage stage : stages) {
    const auto list = section->find(name_of(stage));
    if (!list) continue;
    for (const Cursor& item : list->items("a list of workloads")) {
      if (auto workload = WorkloadParser(parsing, item, stage, defaults).parse())
        parsing.problem.workloads.push_back(*workload);
      if (parsing.problem.workloads.size() > most_workloads)
        return section->mistake(
            fmt::format("found more than {} workloads, expected at most that", most_workloads));
    }
  }
  if (parsing.mistakes.count() != before) return;
  for (const Stage stage : stages) refuse_equal_names(parsing, stage);
  for (const Choice& choice : parsing.problem.choices) {
    if (parsing.mistakes.count() != before) return;
    const auto tests = [&](const Workload& workload) {
      return workload.stage == Stage::test && on_board(workload, choice);
    };
    if (std::none_of(parsing.problem.workloads.begin(), parsing.problem.workloads.end(), tests))
      section->mistake(
          fmt::format("found no test workload on the board {}, expected at least one: every contestant is "
                      "verified on all of them",
                      choice.name));
  }
}

}  // namespace podium::problem
