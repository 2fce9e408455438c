// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/languages/language.hpp"

namespace podium::compile {

std::vector<Language> python() {
  return {{.name = "python",
           .suffix = ".py",
           .comment = "#",
           .runs_on = [](const Backend&) { return false; },
           .not_yet = "Python contestants cannot be run yet"}};
}

}  // namespace podium::compile
