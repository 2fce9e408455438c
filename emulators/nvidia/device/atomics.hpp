// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Atomic operations: PTX ISA 9.7.13.5 (atom), 9.7.13.6 (red). Real atomics, because memory may be shared with
// another process; f16x2 and bf16x2 are atomic in each half only, as the ISA has it, but here in both.
#pragma once
#include "emulators/nvidia/device/floating.hpp"

namespace podium::ptx {

// Replaces what lies at `at` by f(it); returns what lay there.
template <class T, class F>
inline T exchanged(u8* at, F f) {
  using Bits = unsigned_of<T>;
  auto* const word = reinterpret_cast<Bits*>(at);
  Bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, bits<Bits>(static_cast<T>(f(bits<T>(old)))), false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  return bits<T>(old);
}

template <class T>
inline T atomic_add(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return add(b, a); });  // of two NaNs, what lay there
}
// Where global memory itself adds. Of f32 it makes zeros of subnormal operands and results (PTX
// ISA 9.7.13.5); of f64 it hands on a NaN as it is, b's before a's, as an H200 has it.
template <class T>
inline T atomic_add(u8* at, T b, bool in_memory) {
  return exchanged<T>(at, [=](T a) {
    if (!in_memory) return add(b, a);
    if constexpr (std::is_same_v<T, f64>)
      return b != b ? b : a != a ? a : add(a, b);
    else
      return ftz(add(ftz(a), ftz(b)));
  });
}
template <class T>
inline T atomic_min(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return min(a, b); });
}
template <class T>
inline T atomic_max(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return max(a, b); });
}
template <class T>
inline T atomic_and(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return static_cast<T>(a & b); });
}
template <class T>
inline T atomic_or(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return static_cast<T>(a | b); });
}
template <class T>
inline T atomic_xor(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return static_cast<T>(a ^ b); });
}
template <class T>
inline T atomic_inc(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return a >= b ? T{0} : static_cast<T>(a + 1); });
}
template <class T>
inline T atomic_dec(u8* at, T b) {
  return exchanged<T>(at, [=](T a) { return a == 0 || a > b ? b : static_cast<T>(a - 1); });
}
template <class T>
inline T atomic_exch(u8* at, T b) {
  if constexpr (sizeof(T) == 16) {
    const T old = read<T>(at);
    write(at, b);
    return old;
  } else {
    return exchanged<T>(at, [=](T) { return b; });
  }
}
template <class T>
inline T atomic_cas(u8* at, T expected, T desired) {
  if constexpr (sizeof(T) ==
                16) {  // in shared memory, of one thread of the system; in global, of one that runs it all
    const T old = read<T>(at);
    if (old == expected) write(at, desired);
    return old;
  } else {
    return exchanged<T>(at, [=](T a) { return a == expected ? desired : a; });
  }
}

}  // namespace podium::ptx
