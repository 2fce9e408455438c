// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A contestant as its file states it: identity from the path, metadata from the `podium:` comment block.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "suite/compile/languages/language.hpp"
#include "suite/compile/sealed_manifest.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::compile {

struct Contestant {
  std::string problem, name;
  std::filesystem::path file;
  const Language* language = nullptr;
  std::string title, author, source;
  std::map<std::string, std::vector<std::string>> types;  // key of `types` -> dtypes served; empty: all
  std::string arch;                   // code generation and eligibility; empty: the device's own
  std::vector<std::string> backends;  // by name
  std::vector<std::string> needs;
  std::string framework;                     // Language::frameworks; empty: it has none
  problem::Text when;                        // formula over axes and parameters; empty: always
  std::shared_ptr<const Manifest> manifest;  // of a sealed one
  std::string
      fault;  // what is wrong with its file, a sentence a line: it has a row and is not built; "": nothing
};

// The contestants of `problem` among `files` that run on `backend`, sorted by name. Files of other kinds
// (problem.yaml, helpers without a `podium:` block) are passed over; beside an adapter files in Python need
// no such block. A mistake costs its file alone, which
// has a `fault` then: an unknown metadata key, bad YAML, a file that cannot be read, the name of another one
// for the same backend and types. Of two with one name that beside its problem keeps it; else neither does,
// and their rows are named after the files.
std::vector<Contestant> discover(const problem::Problem& problem,
                                 const std::vector<std::filesystem::path>& files, const std::string& backend);

// Whether its file lies beside its problem's.
bool at_home(const problem::Problem& problem, const std::filesystem::path& file);

// The files of a problem's folder, sorted, symbolic links that lead nowhere among them. Throws podium::Error
// if it cannot be read.
std::vector<std::filesystem::path> problem_files(const std::filesystem::path& folder);

// Whether a file is a contestant in whatever language, or YAML; others are helpers.
bool is_contestant(const std::filesystem::path& file);

bool serves(const Contestant& contestant, const problem::Choice& choice);
bool emulated(const Contestant& contestant,
              const std::string& backend);  // a GPU kernel on the CPU: never timed

}  // namespace podium::compile
