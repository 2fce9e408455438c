// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium show problem`: what a file turns into: shapes, bytes, flops and memory of every workload, and the
// C++ that is generated.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "suite/base/nearest.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/measure.hpp"
#include "suite/cli/places.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/report/format.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::string problem;           // a name, or a file
  std::filesystem::path folder;  // of problems; empty: the default
  std::string format = "table";  // table or json
  std::string generated, board;  // "header" or "program": that text alone, of one board (the first)
};

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::vector<std::string> texts_of(const std::vector<problem::Text>& list) {
  std::vector<std::string> texts;
  for (const auto& one : list) texts.push_back(one.text);
  return texts;
}

json ranges(const std::vector<problem::Index>& list) {
  json all = json::object();
  for (const auto& index : list) all[index.name] = {index.low.text, index.high.text};
  return all;
}

json reference(const problem::Reference& one) {
  const bool reduces = one.form->reduces;
  json shown{{"name", one.name},           {"output", one.output},   {"line", one.at.line},
             {"index", ranges(one.index)}, {"form", one.form->name}, {"does", does(one)}};
  if (reduces) shown["op"] = name_of(one.op);
  if (reduces) shown["over"] = ranges(one.over);
  shown[reduces ? "term" : "value"] = one.term.text;
  return shown;
}

json python(const std::optional<problem::PythonFile>& file) {
  if (!file) return nullptr;
  return {{"file", file->file}, {"framework", file->framework}, {"modules", file->modules}};
}

json workload(const problem::Problem& problem, const problem::Choice& choice, const problem::Workload& one) {
  const auto instance = some_round(problem, choice, one);
  json axes = json::object(), tensors = json::array();
  for (std::size_t k = 0; k < problem.axes.size(); ++k) axes[problem.axes[k].name] = instance.axes[k];
  for (std::size_t k = 0; k < problem.parameters.size(); ++k)
    axes[problem.parameters[k].name] = instance.parameters[k];
  for (std::size_t t = 0; t < instance.tensors.size(); ++t)
    if (const auto& tensor = instance.tensors[t]; problem.tensors[t].answers.empty())
      tensors.push_back({{"name", tensor.name}, {"shape", tensor.extents}, {"bytes", tensor.bytes}});
  json structure = json::array();
  for (const auto& part : instance.structure)
    structure.push_back({{"name", part.name}, {"shape", part.extents}, {"used", part.used}});
  const auto memory = [&](bool full) -> json {
    try {
      return judge::Evaluator::memory(problem, instance, full);
    } catch (const Error&) {  // more elements than can be counted
      return nullptr;
    }
  };
  return {{"stage", name_of(one.stage)},
          {"name", one.name},
          {"axes", axes},
          {"structure", structure},
          {"tensors", tensors},
          {"bytes", instance.bytes},
          {"flops", instance.flops},
          {"memory",
           {{"arena", judge::arena_bytes(instance)},
            {"judge", memory(one.stage == problem::Stage::test)},
            {"judge in full", memory(true)}}}};
}

json board(const problem::Problem& problem, const problem::Choice& choice) {
  json workloads = json::array(), types = json::object();
  for (const auto& [key, dtype] : choice.types) types[key] = info(dtype).name;
  for (const auto& one : problem.workloads)
    if (on_board(one, choice)) workloads.push_back(workload(problem, choice, one));
  return {{"name", choice.name},
          {"types", types},
          {"workloads", workloads},
          {"header", contestant_header(problem, choice)},
          {"program", judge_program(problem, choice)}};
}

json everything(const problem::Problem& problem) {
  json structure = json::array(), tensors = json::array(), references = json::array(), boards = json::array();
  for (const auto& part : problem.structure)
    structure.push_back({{"name", part.name},
                         {"dtype", info(part.dtype).name},
                         {"shape", texts_of(part.shape)},
                         {"private", !part.visible},
                         {"compute", part.compute.text}});
  for (const auto& tensor : problem.tensors)
    if (tensor.answers.empty())  // else it is none of the file's
      tensors.push_back({{"name", tensor.name},
                         {"role", name_of(tensor.role)},
                         {"dtype", tensor.type},
                         {"shape", texts_of(tensor.shape)},
                         {"private", !tensor.visible}});
  for (const auto& one : problem.references)
    if (!problem.python) references.push_back(reference(one));
  for (const auto& choice : problem.choices) boards.push_back(board(problem, choice));
  return {{"problem", problem.name},
          {"title", problem.title},
          {"description", problem.description},
          {"file", problem.file.string()},
          {"structure", structure},
          {"tensors", tensors},
          {"references", references},
          {"python", python(problem.python)},
          {"adapter", python(problem.adapter)},
          {"requires",
           {{"backends", problem.backends.words},
            {"features", problem.features.words},
            {"architectures", problem.architectures.words}}},
          {"cost",
           {{"bytes", problem.bytes           ? problem.bytes->text
                      : problem.traffic_known ? "auto"
                                              : "unknown"},
            {"flops", problem.flops ? json(problem.flops->text) : json(nullptr)}}},
          {"boards", boards}};
}

std::string memory_text(const json& bytes) {
  return bytes.is_null() ? "more than can be counted" : report::size_text(bytes.get<double>());
}

std::string names_of(const json& ranges) {
  std::vector<std::string> names;
  for (const auto& [name, range] : ranges.items()) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_board(const json& one) {
  fmt::print("\nboard {}\n", one["name"].get<std::string>());
  for (const auto& w : one["workloads"]) {
    std::vector<std::string> shapes;
    for (const auto& t : w["tensors"])
      shapes.push_back(fmt::format("{} {}", t["name"].get<std::string>(), t["shape"].dump()));
    fmt::print("  {:5} {}: {}\n", w["stage"].get<std::string>(), w["name"].get<std::string>(),
               fmt::join(shapes, ", "));
    const auto& memory = w["memory"];
    fmt::print("        {} and {:.4g} flops a call; memory: arena {}, judge {}, to verify in full {}\n",
               report::size_text(w["bytes"].get<double>()), w["flops"].get<double>(),
               memory_text(memory["arena"]), memory_text(memory["judge"]),
               memory_text(memory["judge in full"]));
  }
}

void print(const json& all) {
  fmt::print("{} - {}\n", all["problem"].get<std::string>(), all["title"].get<std::string>());
  if (const auto text = all["description"].get<std::string>(); !text.empty()) fmt::print("{}\n", text);
  fmt::print("{}\n\n", all["file"].get<std::string>());
  if (!all["structure"].empty()) fmt::print("structure\n");
  for (const auto& s : all["structure"])
    fmt::print("  {:6} {} [{}]{}\n", s["dtype"].get<std::string>(), s["name"].get<std::string>(),
               fmt::join(s["shape"].get<std::vector<std::string>>(), ", "),
               s["private"].get<bool>() ? ", private" : "");
  for (const auto& [key, words] : all["requires"].items())
    if (!words.empty())
      fmt::print("requires {}: {}\n", key, fmt::join(words.get<std::vector<std::string>>(), ", "));
  fmt::print("tensors\n");
  for (const auto& t : all["tensors"])
    fmt::print("  {:6} {:6} {} [{}]{}\n", t["role"].get<std::string>(), t["dtype"].get<std::string>(),
               t["name"].get<std::string>(), fmt::join(t["shape"].get<std::vector<std::string>>(), ", "),
               t["private"].get<bool>() ? ", private" : "");
  fmt::print("reference\n");
  if (const auto& file = all["python"]; !file.is_null())
    fmt::print("  Python, {}, {}\n", file["file"].get<std::string>(), file["framework"].get<std::string>());
  for (const auto& r : all["references"]) {
    const std::string name = r["name"], indices = names_of(r["index"]);
    std::string does = r["does"], term = r.contains("term") ? r["term"] : r["value"];
    term.erase(term.find_last_not_of(" \n") + 1);
    const bool body = term.find('\n') != term.npos;  // statements: below, as they stand in the file
    for (std::size_t at = 0; body && (at = term.find('\n', at)) != term.npos; at += 5)
      term.replace(at, 1, "\n    ");
    if (body) term.insert(0, "\n    ");
    fmt::print("  {}({}) = {}{}{}\n", name, indices, does, does.empty() || body ? "" : " ", term);
  }
  fmt::print("cost\n  {} bytes, {} flops\n", all["cost"]["bytes"].get<std::string>(),
             all["cost"]["flops"].is_null() ? "no" : all["cost"]["flops"].get<std::string>());
  for (const auto& one : all["boards"]) print_board(one);
  fmt::print("\n--generated header and --generated program print the generated C++.\n");
}

Exit show_problem(const Request& request) {
  const problem::Problem problem = problem::load(problem_file(request.problem, request.folder));
  const json all = everything(problem);
  if (request.generated.empty()) {
    request.format == "json" ? fmt::print("{}\n", all.dump(2)) : print(all);
    return Exit::success;
  }
  std::vector<std::string> there;
  for (const auto& one : all["boards"]) there.push_back(one["name"]);
  const std::string wanted = request.board.empty() ? there.front() : request.board;
  for (const auto& one : all["boards"])
    if (one["name"] == wanted)
      return fmt::print("{}", one[request.generated].get<std::string>()), Exit::success;
  throw Error("no such board: " + found_one_of(wanted, there));
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.require_subcommand(1);
  auto& problem = *app.add_subcommand(
      "problem",
      "Show tensors, references, costs, shapes and memory of every workload, or the generated C++");
  problem.add_option("problem", request->problem, "A problem's name, or its file")->required();
  problem.add_option("--problems", request->folder, "Folder that holds the problem folders");
  problem.add_option("--format", request->format, "Format of the output: table or json")
      ->check(CLI::IsMember({"table", "json"}));
  problem
      .add_option("--generated", request->generated,
                  "Only print this generated C++: header (for contestants) or program (of the judge)")
      ->check(CLI::IsMember({"header", "program"}));
  problem.add_option("--board", request->board,
                     "With --generated: the board, such as f32; default: the first");
  return [request] { return show_problem(*request); };
}

const Registered registered({.name = "show",
                             .summary = "Show a problem: shapes, memory, references, generated C++",
                             .place = 70,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
