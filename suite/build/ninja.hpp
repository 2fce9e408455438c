// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Writes the compilations that are due into a scratch folder and has ninja run them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suite/build/cache.hpp"
#include "suite/build/job.hpp"
#include "suite/build/toolchain.hpp"

namespace podium::build {

// Whom to tell: called as products are finished. (done, total, what)
using Progress = std::function<void(int done, int total, const std::string& what)>;

// Job i is compiled by <scratch>/i.sh, whose output goes to i.log; a product that is whole is moved to the
// job's `file`, if no input changed meanwhile. Throws podium::Error if ninja did not run to its end.
void compile(const Toolchain& toolchain, const Scratch& scratch, const std::vector<const Job*>& jobs,
             const Limits& limits, const Progress& progress);

}  // namespace podium::build
