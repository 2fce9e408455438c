// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The atomic operations that checks need, on words of device memory; each returns what was there before.
#pragma once
#include "types.hpp"

namespace podium::program {

PODIUM_DEVICE u32 compare_and_swap(u32* at, u32 expected, u32 wanted) {
#if PODIUM_GPU
  return atomicCAS(at, expected, wanted);
#else
  __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
#endif
}

PODIUM_DEVICE u32 store_smaller(u32* at, u32 value) {
#if PODIUM_GPU
  return atomicMin(at, value);
#else
  u32 there = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (value < there &&
         !__atomic_compare_exchange_n(at, &there, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return there;
#endif
}

}  // namespace podium::program
