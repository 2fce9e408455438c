// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fails in the way that the workload's factor says, in the constructor (rows = 1) or in run (rows = 2).
#include <podium/scale.hpp>

#include <stdexcept>
#include <string>

namespace {
void fail(float how) {
  if (how == 1) throw std::runtime_error("a sentence");
  if (how == 2) podium::require(false, "no such shape");
  if (how == 3) throw 42;
  if (how == 4) throw std::runtime_error(std::string(5000, 'x'));
  if (how == 5) podium::check(700);
}

struct Contestant {
  Contestant(const problem::Workload& w, podium::Workspace& workspace) : scratch(&workspace) {
    if (w.rows == 1) fail(w.factor);
    if (w.factor == 6) workspace.device<double>(100);
    if (w.factor == 7) workspace.pinned<double>(~std::size_t{0} / 4);
  }
  void run(const problem::Arguments& a, podium::Stream) {
    fail(a.factor);
    scratch->device<char>(1);  // still there
  }
  podium::Workspace* scratch;
};
}  // namespace
