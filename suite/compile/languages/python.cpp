// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Python that runs: the worker is the user's interpreter.
#include "suite/compile/languages/language.hpp"

namespace podium::compile {

std::vector<Language> python() {
  return {{.name = "python",
           .suffix = ".py",
           .comment = "#",
           .runs_on = [](const Backend& backend) { return !backend.gpu; },
           .first = FirstText::function,
           .needs = {"python"},
           .frameworks = {"numpy", "numba", "torch", "jax"}}};
}

}  // namespace podium::compile
