// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Python that runs: the worker is the user's interpreter.
#include "suite/compile/languages/language.hpp"

namespace podium::compile {

std::vector<Language> python() {
  return {
      {.name = "python",
       .title = "Python",
       .suffix = ".py",
       .comment = "#",
       .runs_on = [](const Backend& backend) { return backend.interpreters; },
       .first = FirstText::function,
       .needs = {"python"},
       .frameworks = {
           {.module = "numpy", .packages = {"numpy", "ml_dtypes", "scipy"}},
           {.module = "numba", .packages = {"numba"}},
           {.module = "torch",
            .packages = {"torch", "helion", "tilelang", "nvidia-cutlass-dsl", "cuda-tile", "nvmath-python"},
            .on_gpus = true},
           {.module = "jax", .packages = {"jax"}, .on_gpus = true},
           {.module = "cupy",
            .packages = {"cupy", "cupy-cuda12x", "cupy-cuda13x"},
            .on_processors = false,
            .on_gpus = true},
           {.module = "numba.cuda", .packages = {"numba-cuda"}, .on_processors = false, .on_gpus = true},
           {.module = "cuda.core",
            .packages = {"cuda-core", "cuda-cccl"},
            .on_processors = false,
            .on_gpus = true}}}};
}

}  // namespace podium::compile
