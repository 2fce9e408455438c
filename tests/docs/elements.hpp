// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Elements of tensors in the judge's memory as numbers, whatever their dtype and layout.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suite/problem/model/instance.hpp"

namespace podium::docs {

// The element of that place in memory: element k of the storage; of e2m1 the half of a byte.
double read_place(const problem::TensorInstance& tensor, const std::byte* memory, std::int64_t place);
// The same by row-major number.
double read_element(const problem::TensorInstance& tensor, const std::byte* memory, std::int64_t element);
// Rounds `value` to the dtype and stores it; returns what was stored.
double write_element(const problem::TensorInstance& tensor, std::byte* memory, std::int64_t element,
                     double value);

}  // namespace podium::docs
