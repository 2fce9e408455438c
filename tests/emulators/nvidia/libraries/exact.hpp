// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers that nothing on the way to a product rounds again: CUTLASS's conversion to tf32 leaves bits
// behind the mantissa, by which TMA rounds.
#pragma once
#include <cutlass/tfloat32.h>

#include <type_traits>
#include <vector>

#include "checked.hpp"

namespace checked {

template <class T>
std::vector<T> exact_numbers(std::size_t count, Random& random) {
  auto all = random_numbers<T>(count, random);
  if constexpr (std::is_same_v<T, cutlass::tfloat32_t>)
    for (auto& x : all) x = T::bitcast(x.raw() & 0xffffe000);
  return all;
}

}  // namespace checked
