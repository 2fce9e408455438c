// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What <podium/NAME.hpp> says to a compiler, as data.
#include <nlohmann/json.hpp>

#include "suite/problem/generate/generate.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::problem {

nlohmann::json interface_of(const Problem& problem, const Choice& choice) {
  using nlohmann::json;
  json all{{"hash", interface_hash(problem, choice)},
           {"types", json::object()},
           {"axes", json::array()},
           {"constants", json::object()},
           {"parameters", json::array()},
           {"structure", json::array()},
           {"tensors", json::array()}};
  for (const auto& [key, dtype] : choice.types) all["types"][key] = info(dtype).name;
  for (const auto& axis : problem.axes) all["axes"].push_back(axis.name);
  for (const auto& constant : problem.constants)
    all["constants"][constant.name] =
        constant.whole ? json(static_cast<std::int64_t>(constant.value)) : json(constant.value);
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
