// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/languages/language.hpp"

namespace podium::compile {

std::vector<Language> kokkos() {
  return {{.name = "kokkos",
           .title = "Kokkos",
           .suffix = ".kokkos.cpp",
           .comment = "//",
           .runs_on = [](const Backend&) { return true; },
           .needs = {"kokkos"}}};
}

}  // namespace podium::compile
