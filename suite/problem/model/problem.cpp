// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/model/problem.hpp"

#include "suite/problem/yaml/format.hpp"

namespace podium::problem {

std::string_view name_of(Role role) { return words("role").at(static_cast<std::size_t>(role)); }

std::string_view name_of(Stage stage) {
  return stage == Stage::test ? "test" : stage == Stage::quick ? "quick" : "bench";
}

const Tensor* Problem::tensor(std::string_view name) const {
  for (const Tensor& tensor : tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

Dtype dtype_of(const Tensor& tensor, const Choice& choice) {
  const auto type = choice.types.find(tensor.type);
  return type != choice.types.end() ? type->second : dtype_named(tensor.type).value();
}

double accumulate_eps(const Tolerance& tolerance, const Choice& choice) {
  const auto named = choice.types.find(tolerance.accumulate_type);
  return named != choice.types.end() ? info(named->second).eps : tolerance.accumulate_eps;
}

}  // namespace podium::problem
