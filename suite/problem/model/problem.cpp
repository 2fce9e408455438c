// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/model/problem.hpp"

#include <algorithm>
#include <stdexcept>

namespace podium::problem {
namespace {

using Op = Reference::Op;

template <class Value, std::size_t count>
std::string_view name_in(const std::array<Named<Value>, count>& all, Value value) {
  for (const auto& one : all)
    if (one.value == value) return one.name;
  throw std::logic_error("a value without a name");
}

}  // namespace

std::string_view name_of(Role role) { return name_in(roles, role); }
std::string_view name_of(Op op) { return name_in(operations, op); }

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

bool on_some_board(const Problem& problem, const Tensor& tensor, bool (*holds)(Dtype)) {
  if (const auto dtype = dtype_named(tensor.type)) return holds(*dtype);
  return std::any_of(problem.choices.begin(), problem.choices.end(), [&](const Choice& choice) {
    const auto type = choice.types.find(tensor.type);
    return type != choice.types.end() && holds(type->second);
  });
}

double accumulate_eps(const Tolerance& tolerance, const Choice& choice) {
  const auto named = choice.types.find(tolerance.accumulate_type);
  return named != choice.types.end() ? info(named->second).eps : tolerance.accumulate_eps;
}

}  // namespace podium::problem
