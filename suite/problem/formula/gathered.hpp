// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Inputs of which a call reads what other values point to: how much that is, shapes do not say.
#pragma once
#include <optional>
#include <string>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

struct Gathered {
  std::string tensor, reference;  // an input, and who reads it so
};
// The first input that the outputs' references read at no other places than those that values of tensors,
// structure or references point to. None of those whose part in use is stated: `used`. A place that a local
// variable of a C++ body names counts as one of its own: where it comes from is not followed.
std::optional<Gathered> gathered_input(const Problem& problem);

}  // namespace podium::problem
