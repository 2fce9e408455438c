// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <nlohmann/json.hpp>

#include "suite/compile/languages/language.hpp"

namespace podium::compile {
namespace {

using Argument = protocol::SealedProgram::Argument;

nlohmann::json array_with_shape(const TypedArgument& argument, const std::string& name) {
  return nlohmann::json::object({{"array", problem::info(argument.dtype).name},
                                 {"name", name},
                                 {"extents", argument.extents},
                                 {"strides", argument.strides}});
}

std::vector<Argument> extents_and_strides(const TypedArgument& argument) {
  std::vector<Argument> all;
  for (const auto* list : {&argument.extents, &argument.strides})
    for (const auto number : *list) all.push_back({.bytes = 4, .bits = static_cast<std::uint32_t>(number)});
  return all;
}

std::string fault(const TypedArgument& argument) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (const auto extent : argument.extents)
    if (extent > most || (!argument.strides.empty() && argument.strides.front() > most))
      return "found an array beyond 32-bit indices, expected a smaller one";
  return "";
}

}  // namespace

std::vector<Language> cutile() {
  return {{.name = "cutile",
           .title = "cuTile",
           .suffix = ".sealed.py",
           .comment = "#",
           .runs_on = [](const Backend& backend) { return backend.vendor == "NVIDIA"; },
           .among_needs = true,
           .sealed = SealedForm::python,
           .python = {.no_options = "cuTile's stand in its decorator",
                      .no_ptx = "cuTile makes machine code and no PTX: it cannot run on an emulated device",
                      .hidden_advice = "for cuTile's tensor maps say allow_tma=False in load and store",
                      .array = array_with_shape,
                      .behind_address = extents_and_strides,
                      .fault = fault}}};
}

}  // namespace podium::compile
