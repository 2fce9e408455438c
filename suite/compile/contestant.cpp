// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants found among the files of a problem: language and name from the suffix, the longest that fits.
#include "suite/compile/contestant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <system_error>
#include <tuple>

#include "suite/base/error.hpp"
#include "suite/compile/content.hpp"
#include "suite/compile/metadata.hpp"

namespace podium::compile {
namespace {

constexpr std::string_view sealed_mark = ".sealed";

// Each once, of languages that are sealed or not, in the order of the table.
std::string suffixes(bool sealed) {
  std::vector<std::string> all;
  for (const auto& language : languages()) {
    const auto suffix = sealed ? language.suffix.substr(std::min(sealed_mark.size(), language.suffix.size()))
                               : language.suffix;
    if (language.sealed.has_value() == sealed && std::ranges::find(all, suffix) == all.end())
      all.push_back(suffix);
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

// A name stands in `problem/types/workload/contestant` and in file names; a dot is a misspelt suffix.
void check_name(const Contestant& c) {
  static const std::regex form("[A-Za-z0-9][A-Za-z0-9_-]*");
  if (std::regex_match(c.name, form)) return;
  throw Error(
      fmt::format("{}: found the contestant's name '{}', expected letters, digits, _ and - before one of {}, "
                  "or {} and one of {}",
                  c.file.string(), c.name, suffixes(false), sealed_mark, suffixes(true)));
}

// What the two serve alike of the problem's types, or none.
const problem::Choice* common(const problem::Problem& problem, const Contestant& a, const Contestant& b) {
  for (const auto& choice : problem.choices)
    if (serves(a, choice) && serves(b, choice)) return &choice;
  return nullptr;
}

// Whether it belongs to the problem: its reference, its adapter or a module of theirs.
bool is_problems(const problem::Problem& problem, const std::filesystem::path& file) {
  const auto folder = problem.file.parent_path();
  const auto is = [&](const std::string& name) {
    std::error_code absent;
    return std::filesystem::equivalent(folder / name, file, absent);
  };
  for (const auto* own : {&problem.python, &problem.adapter})
    if (*own && (is((*own)->file) || std::ranges::any_of((*own)->modules, is))) return true;
  return false;
}

std::optional<Contestant> read(const problem::Problem& problem, const std::filesystem::path& file) {
  const auto filename = file.filename().string();
  const auto* language = language_of(filename);
  if (!language || is_problems(problem, file)) return std::nullopt;
  const bool adapted = problem.adapter && !language->frameworks.empty();
  Contestant c;
  c.problem = problem.name;
  c.name = filename.substr(0, filename.size() - language->suffix.size());
  c.file = file;
  c.language = language;
  c.backends = backends_of(*language);
  if (!language->frameworks.empty())
    c.framework = adapted ? problem.adapter->framework : language->frameworks.front().module;
  const Contestant as_named = c;
  try {
    const auto text = read_text(file);
    auto block = language->comment.empty() ? Block{text, 1} : find_block(text, language->comment, file);
    if (!block && adapted) block = Block{fmt::format("podium: {{ title: \"{}\" }}", filename), 1};
    if (!block) return std::nullopt;
    check_name(c);
    read_metadata(*block, problem, c);
  } catch (const Error& e) {
    c = as_named;
    c.fault = e.what();
  }
  return c;
}

// Two of one name for the same types: whose file is at fault gets a sentence, and a name of its own.
void rename_clashing(const problem::Problem& problem, std::vector<Contestant>& found,
                     const std::string& backend) {
  std::vector<Contestant*> renamed;
  const auto blame = [&](Contestant& one, const Contestant& other, const std::string& types) {
    renamed.push_back(&one);
    if (one.fault.empty())
      one.fault = fmt::format(
          "{}: '{}' is also the name of {}, and both run on {} with types {}: rename one, or "
          "give them different `types` or `backends`",
          one.file.string(), one.name, other.file.string(), backend, types);
  };
  for (auto a = found.begin(); a != found.end(); ++a)
    for (auto b = a + 1; b != found.end() && b->name == a->name; ++b)
      if (const auto* choice = common(problem, *a, *b)) {
        const bool a_keeps = a->fault.empty() && at_home(problem, a->file),
                   b_keeps = b->fault.empty() && at_home(problem, b->file);
        if (!a_keeps || b_keeps) blame(*a, *b, choice->name);
        if (!b_keeps || a_keeps) blame(*b, *a, choice->name);
      }
  for (Contestant* one : renamed) one->name = one->file.filename().string();
}

}  // namespace

std::vector<Contestant> discover(const problem::Problem& problem,
                                 const std::vector<std::filesystem::path>& files,
                                 const std::string& backend) {
  std::vector<Contestant> found;
  for (const auto& file : files) {
    auto c = read(problem, file);
    if (c && std::ranges::find(c->backends, backend) != c->backends.end()) found.push_back(std::move(*c));
  }
  const auto sort = [&] {
    std::ranges::sort(found, {}, [](const Contestant& c) { return std::tie(c.name, c.file); });
  };
  sort();
  rename_clashing(problem, found, backend);
  sort();
  return found;
}

bool at_home(const problem::Problem& problem, const std::filesystem::path& file) {
  std::error_code nowhere;  // where a symbolic link leads
  const auto at = std::filesystem::weakly_canonical(file, nowhere);
  return (nowhere ? file : at).parent_path() == std::filesystem::weakly_canonical(problem.file).parent_path();
}

std::vector<std::filesystem::path> problem_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  std::filesystem::directory_iterator entries(folder, failure);
  for (; !failure && entries != std::filesystem::directory_iterator(); entries.increment(failure)) {
    std::error_code vanished;  // an editor's temporary file may be gone by now
    const bool hidden = entries->path().filename().string().starts_with('.');
    const bool file = entries->is_regular_file(vanished) ||
                      (entries->is_symlink(vanished) && !std::filesystem::exists(entries->path(), vanished));
    if (!hidden && file) files.push_back(entries->path());
  }
  if (failure)
    throw Error(
        fmt::format("{}: {}; expected a readable folder of a problem", folder.string(), failure.message()));
  std::ranges::sort(files);
  return files;
}

bool is_contestant(const std::filesystem::path& file) try {
  if (file.extension() == ".yaml") return true;
  const auto* language = language_of(file.filename().string());
  return language && find_block(read_text(file), language->comment, file).has_value();
} catch (const Error&) {
  return true;  // its metadata is wrong
}

bool serves(const Contestant& contestant, const problem::Choice& choice) {
  return std::ranges::all_of(contestant.types, [&](const auto& entry) {
    const auto chosen = choice.types.find(entry.first);
    if (chosen == choice.types.end()) return false;
    const std::string name(problem::info(chosen->second).name);
    return std::ranges::find(entry.second, name) != entry.second.end();
  });
}

bool emulated(const Contestant& contestant, const std::string& backend) {
  return contestant.language->for_gpus && !backend_named(backend).gpu;
}

}  // namespace podium::compile
