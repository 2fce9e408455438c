// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads a problem file section by section, then tries every workload on every board.
#include "suite/problem/parse/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "suite/base/error.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/format.hpp"
#include "suite/problem/parse/forms.hpp"
#include "suite/problem/parse/parsing.hpp"

namespace podium::problem {

namespace {

constexpr int format_version = 1;

void parse_head(Parsing& parsing, const Cursor& root) {
  root.keys(form("problem"));
  for (const Cursor& stranger : root.strangers(form("problem").names())) {
    parsing.names.doubt(stranger);
    parsing.unread |= stranger.is_map();
  }
  if (const auto version = root.need("podium", "1, the version of the format"))
    version->whole("1, the version of the format", format_version, format_version);
  if (const auto title = root.need("title", "a line of text")) {
    parsing.problem.title = title->word("a line of text").value_or("");
    if (parsing.problem.title.find('\n') != std::string::npos)
      title->mistake("found several lines, expected one; put the rest into description");
  }
  if (const auto text = root.find("description"))
    parsing.problem.description = text->word("text").value_or("");
}

// Only a file without mistakes has numbers worth trying.
void try_workloads(Parsing& parsing) {
  const Problem& problem = parsing.problem;
  for (const Workload& workload : problem.workloads) {
    const std::size_t before = parsing.mistakes.count();
    for (const Choice& choice : problem.choices)
      if (on_board(workload, choice) && parsing.mistakes.count() == before)
        instantiate(problem, choice, workload, parsing.mistakes);
  }
}

}  // namespace

Problem parse(std::string name, std::string source, const std::filesystem::path& file) {
  const std::string where = file.string();
  if (const std::string fault = fault_of_problem_name(name); !fault.empty())
    throw Error(fmt::format("{}: the problem's folder: found \"{}\", {}", where, name, fault));
  const yaml::Node tree = yaml::parse(source, where);
  Parsing parsing;
  parsing.scope.trial = true;
  parsing.problem.name = std::move(name);
  parsing.problem.source = std::move(source);
  parsing.problem.file = file;
  const Cursor root(tree, where, parsing.mistakes);
  if (root.is_map()) {
    parse_head(parsing, root);
    parse_python(parsing, root);
    name_references(parsing, root);
    parse_constants(parsing, root);
    parse_axes(parsing, root);
    parse_ranks(parsing, root);
    parse_parameters(parsing, root);
    parse_types(parsing, root);
    parse_symmetric(parsing, root);
    parse_structure(parsing, root);
    parse_conditions(parsing, root);
    parse_tensors(parsing, root);
    expect_answers(parsing, root);
    parse_references(parsing, root);
    parse_checks(parsing, root);
    parse_sample(parsing, root);
    parse_cost(parsing, root);
    parse_requires(parsing, root);
    parse_baseline(parsing, root);
    parse_workloads(parsing, root);
    if (parsing.mistakes.count() == 0) parse_host_outputs(parsing);
    if (parsing.mistakes.count() == 0) try_workloads(parsing);
  } else {
    root.expected("a problem: a map that begins with podium: 1");
  }
  parsing.mistakes.raise();
  return std::move(parsing.problem);
}

Problem load(const std::filesystem::path& file) {
  std::string source = yaml::read_file(file);
  return parse(std::filesystem::absolute(file).parent_path().filename().string(), std::move(source), file);
}

std::vector<Problem> load_all(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;  // a file among the folders has no problem.yaml in it
    if (const auto file = entry->path() / "problem.yaml"; std::filesystem::exists(file, ignored))
      files.push_back(file);
  }
  if (error)
    throw Error(
        fmt::format("{}: cannot be read: {}; give a folder of problems", folder.string(), error.message()));
  if (files.empty())
    throw Error(
        fmt::format("{}: found no problem, expected sub-folders with a problem.yaml", folder.string()));
  std::sort(files.begin(), files.end());
  std::vector<Problem> problems;
  std::string mistakes;
  for (const auto& file : files) {
    try {
      problems.push_back(load(file));
    } catch (const Error& mistake) {
      mistakes += (mistakes.empty() ? "" : "\n") + std::string(mistake.what());
    }
  }
  if (!mistakes.empty()) throw Error(mistakes);
  return problems;
}

}  // namespace podium::problem
