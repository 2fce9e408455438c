// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Runs the compilations that are due, several at a time, each confined and watched.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "suite/compile/job.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/sandbox/scratch.hpp"

namespace podium::compile {

// Whom to tell: called as products are finished. (done, total, what)
using Progress = std::function<void(int done, int total, const std::string& what)>;

struct Compiled {
  bool built = false;             // the product is in the cache
  std::string log;                // what the compiler said, its beginning
  std::string excess;             // which limit ended it, "more than 2 GiB of disk"; empty: none
  sandbox::ScratchFolder folder;  // where it was compiled, with the generated files that the log names
};

// One result a job. A compiler sees copies of the job's inputs and nothing else of podium's; a product that
// is whole is copied to the job's `file`. Throws podium::Error if the build as a whole is stopped.
std::vector<Compiled> compile(const Toolchain& toolchain, const std::vector<const Job*>& jobs,
                              const Limits& limits, const Progress& progress);

// Where a copy of `path` lies below a scratch folder.
std::filesystem::path staged(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace podium::compile
