// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "suite/compile/languages/language.hpp"

namespace podium::compile {
namespace {

// It sees an address.
nlohmann::json array_of_dtype(const TypedArgument& argument, const std::string&) {
  return nlohmann::json::object({{"array", problem::info(argument.dtype).name}});
}

}  // namespace

std::vector<Language> triton() {
  return {
      {.name = "triton",
       .title = "Triton",
       .suffix = ".sealed.py",
       .comment = "#",
       .runs_on = [](const Backend& backend) { return backend.gpu; },
       .among_needs = true,
       .sealed = SealedForm::python,
       .python = {.options = {"maxnreg", "matrix_instr_nonkdim", "num_stages", "num_warps", "waves_per_eu"},
                  .array = array_of_dtype}}};
}

}  // namespace podium::compile
