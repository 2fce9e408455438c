// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References and adapters that are files in Python, and what holds outputs against such a reference's
// answers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr const char* a_file = "a file of the problem's folder, as in reference.py";

// A path below the problem's folder whose stem can be imported; nothing after a mistake.
std::optional<std::string> parse_path(const Cursor& cursor) {
  const auto word = cursor.word(a_file);
  if (!word) return std::nullopt;
  const std::filesystem::path path(*word);
  const std::string stem = path.stem().string();
  const bool leaves =
      path.is_absolute() || std::ranges::find(path, std::filesystem::path("..")) != path.end();
  const bool importable =
      std::ranges::all_of(stem, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (leaves || path.extension() != ".py" || stem.empty() || !importable) {
    cursor.mistake(fmt::format("found \"{}\", expected {}", yaml::excerpt(*word), a_file));
    return std::nullopt;
  }
  return path.lexically_normal().string();
}

std::optional<PythonFile> parse_file(const Cursor& section) {
  section.keys(form("python_file"));
  PythonFile file{.file = "", .framework = python_frameworks.front(), .modules = {}, .at = section.at()};
  if (const auto name = section.need("python", a_file))
    if (const auto path = parse_path(*name)) file.file = *path;
  if (const auto name = section.find("framework"))
    if (const auto word = name->word("numpy or torch")) {
      file.framework = *word;
      const auto& known = words("python_framework");
      if (std::ranges::find(known, *word) == known.end())
        name->mistake(found_one_of(yaml::excerpt(*word), known));
    }
  const auto modules = section.find("modules");
  const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem(); };
  if (modules)
    for (const Cursor& item : modules->items("a list of files, as in [origin/task.py]")) {
      const auto path = parse_path(item);
      if (!path) continue;
      for (const std::string& other : file.modules)
        if (stem(other) == stem(*path))
          item.mistake(fmt::format(
              "found {} beside {}, expected names that differ: they are imported by them", *path, other));
      file.modules.push_back(*path);
    }
  return file;
}

bool is_python(const std::optional<Cursor>& section) {
  const auto file = section && section->is_map() ? section->find("python") : std::nullopt;
  return file && !file->is_map();
}

// `y: { index: [i0, i1], value: "podium_answer_y(i0, i1)" }`
Reference comparison(const Tensor& output, const Tensor& answer, const Location& at) {
  Reference reference = plain_reference();
  reference.name = output.name;
  reference.at = at;
  reference.output = true;
  std::string indices;
  for (std::size_t k = 0; k < output.shape.size(); ++k) {
    const Text& high = k == 0 && output.used ? *output.used : output.shape[k];
    reference.index.push_back({fmt::format("podium_i{}", k), {"0", at}, high});
    indices += fmt::format("{}podium_i{}", k ? ", " : "", k);
  }
  reference.term = {fmt::format("{}({})", answer.name, indices), at};
  return reference;
}

}  // namespace

void parse_python(Parsing& parsing, const Cursor& root) {
  const auto reference = root.find("reference"), adapter = root.find("adapter");
  if (is_python(reference)) parsing.problem.python = parse_file(*reference);
  if (!adapter) return;
  if (!adapter->is_map()) return adapter->expected("a map, as in { python: adapter.py, framework: torch }");
  parsing.problem.adapter = parse_file(*adapter);
}

// An output whose tolerance is stated, or that needs none, has a private tensor for the expected values, of
// 64-bit numbers, and a reference that reads it.
void expect_answers(Parsing& parsing, const Cursor& root) {
  Problem& problem = parsing.problem;
  if (!problem.python) return;
  const Location at = problem.python->at;
  if (!parsing.ranks.empty())
    root.find("reference")->mistake("found a reference in Python beside ranks, expected formulas there");
  for (const char* key : {"sample", "probe"})
    if (const auto section = root.find(key))
      section->mistake(fmt::format(
          "found {} beside a reference in Python, expected none: its outputs are compared as a whole", key));
  std::vector<Tensor> answers;
  const auto tensors = root.find("tensors");
  for (const Tensor& output : problem.tensors) {
    if (output.role == Role::input || parsing.unclear.contains(output.name)) continue;
    const bool floating = floating_somewhere(problem, output);
    if (floating && !tensors->find(output.name)->find("tolerance")) continue;
    Tensor answer;
    answer.name = "podium_answer_" + output.name;
    answer.at = at;
    answer.type = info(floating ? Dtype::f64 : Dtype::i64).name;
    answer.shape = output.shape;
    answer.used = output.used;
    answer.visible = false;
    answer.fill.kind = Fill::Kind::python;
    answer.fill.at = answer.tolerance.at = at;
    answer.answers = output.name;
    problem.references.push_back(comparison(output, answer, at));
    answers.push_back(std::move(answer));
  }
  problem.tensors.insert(problem.tensors.end(), answers.begin(), answers.end());
  if (problem.tensors.size() > protocol::max_tensors)
    tensors->mistake(fmt::format("found {} tensors with the {} for expected values, expected at most {}",
                                 problem.tensors.size(), answers.size(), protocol::max_tensors));
}

}  // namespace podium::problem
