// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Compiles contestants and judge's programs: a stub each, one ninja run, a cache keyed by content.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/build/contestant.hpp"
#include "suite/build/toolchain.hpp"
#include "suite/problem/problem.hpp"

namespace podium::build {

struct Product {
  enum class Status { built, failed, unavailable };  // unavailable: a library or compiler that `needs` names is missing
  Status status = Status::built;
  bool cached = false;           // nothing was compiled for it
  std::filesystem::path file;    // plugin or program, if built
  std::filesystem::path log;     // the compiler's whole output, if failed
  std::string message;           // one sentence, if not built: the line of the log that matters
};

// Whom to tell: called as products are finished. (done, total, what)
using Progress = void (*)(int done, int total, const std::string& what);

class Builder {
 public:
  // `cache`: folder of finished products, made if absent; `sdk`: the folder that holds podium/.
  Builder(Toolchain toolchain, std::filesystem::path cache);

  // Returns an index into the result of run(). `arch`: "sm_90", "gfx942", or "" for the host.
  std::size_t add(const problem::Problem&, const problem::Choice&, const Contestant&, const std::string& backend, const std::string& arch);
  std::size_t add_program(const problem::Problem&, const problem::Choice&, const std::string& backend, const std::string& arch);

  // One `ninja -k 0` for all that the cache lacks (none: no ninja at all). Never throws for a failed compile.
  std::vector<Product> run(Progress progress = nullptr);

 private:
  struct Job;
  Toolchain toolchain_;
  std::filesystem::path cache_;
  std::vector<Job> jobs_;
};

std::filesystem::path default_cache();  // $PODIUM_CACHE, else $XDG_CACHE_HOME/podium, else ~/.cache/podium

}  // namespace podium::build
