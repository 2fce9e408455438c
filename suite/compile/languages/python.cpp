// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Python that runs: the worker is the user's interpreter. AMD's GPUs are left out: nobody has tried.
#include "suite/compile/languages/language.hpp"

namespace podium::compile {

std::vector<Language> python() {
  constexpr auto gpus_alone = [](const char* name) {
    return Framework{.name = name, .on_processors = false, .on_gpus = true};
  };
  return {{.name = "python",
           .suffix = ".py",
           .comment = "#",
           .runs_on = [](const Backend& backend) { return backend.processor || backend.name == "cuda"; },
           .first = FirstText::function,
           .needs = {"python"},
           .frameworks = {{.name = "numpy"},
                          {.name = "numba"},
                          {.name = "torch", .on_gpus = true},
                          {.name = "jax", .on_gpus = true},
                          gpus_alone("cupy"),
                          gpus_alone("numba.cuda"),
                          gpus_alone("cuda")}}};
}

}  // namespace podium::compile
