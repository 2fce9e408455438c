// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What <podium/NAME.hpp> says to a compiler, as data.
#include <nlohmann/json.hpp>

#include "suite/problem/generate/generate.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::problem {

using nlohmann::json;

namespace {

json value_of(const Problem::Constant& constant) {
  return constant.whole ? json(static_cast<std::int64_t>(constant.value)) : json(constant.value);
}

}  // namespace

json types_of(const Choice& choice) {
  json all = json::object();
  for (const auto& [key, dtype] : choice.types) all[key] = info(dtype).name;
  return all;
}

json numbers_of(const Problem& problem, const Instance& instance) {
  json all = json::object();
  for (std::size_t k = 0; k < instance.axes.size(); ++k) all[problem.axes[k].name] = instance.axes[k];
  for (std::size_t k = 0; k < instance.parameters.size(); ++k)
    all[problem.parameters[k].name] = instance.parameters[k];
  for (const auto& constant : problem.constants) all[constant.name] = value_of(constant);
  return all;
}

json interface_of(const Problem& problem, const Choice& choice) {
  json all{{"hash", interface_hash(problem, choice)},
           {"types", types_of(choice)},
           {"axes", json::array()},
           {"constants", json::object()},
           {"parameters", json::array()},
           {"structure", json::array()},
           {"tensors", json::array()}};
  for (const auto& axis : problem.axes) all["axes"].push_back(axis.name);
  for (const auto& constant : problem.constants) all["constants"][constant.name] = value_of(constant);
  for (const auto& parameter : problem.parameters)
    all["parameters"].push_back(json::array({parameter.name, !info(parameter.type).floating}));
  for (const auto& structure : problem.structure)
    if (structure.visible)
      all["structure"].push_back(
          json::array({structure.name, info(structure.dtype).name, structure.shape.size()}));
  for (const auto& tensor : problem.tensors)
    if (tensor.visible)
      all["tensors"].push_back(json::array(
          {tensor.name, name_of(tensor.role), info(dtype_of(tensor, choice)).name, rank_of(tensor)}));
  return all;
}

}  // namespace podium::problem
