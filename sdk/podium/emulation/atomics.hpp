// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Atomic operations: real ones, since blocks run on several OS threads. Each lets other threads of the block
// run afterwards, so that locks, look-back and other loops that wait make progress.
#pragma once
#include <podium/emulation/block.hpp>

#include <type_traits>

namespace podium::host {

template <class T>
T yielding(T old) {
  yield();
  return old;
}

// Replaces *at by next(*at); returns what was there.
template <class T, class Next>
T update(T* at, Next next) {
  T old, replacement;
  __atomic_load(at, &old, __ATOMIC_RELAXED);
  do replacement = next(old);
  while (!__atomic_compare_exchange(at, &old, &replacement, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return yielding(old);
}

template <class T>
using Same = std::type_identity_t<T>;  // deduced from the address alone

}  // namespace podium::host

template <class T>
T atomicAdd(T* at, podium::host::Same<T> value) {
  return podium::host::update(at, [=](T old) { return static_cast<T>(old + value); });
}
template <class T>
T atomicSub(T* at, podium::host::Same<T> value) {
  return podium::host::update(at, [=](T old) { return static_cast<T>(old - value); });
}
template <class T>
T atomicMin(T* at, podium::host::Same<T> value) {
  return podium::host::update(at, [=](T old) { return value < old ? value : old; });
}
template <class T>
T atomicMax(T* at, podium::host::Same<T> value) {
  return podium::host::update(at, [=](T old) { return old < value ? value : old; });
}
template <class T>
T atomicAnd(T* at, podium::host::Same<T> value) {
  return podium::host::update(at, [=](T old) { return old & value; });
}
template <class T>
T atomicOr(T* at, podium::host::Same<T> value) {
  return podium::host::update(at, [=](T old) { return old | value; });
}
template <class T>
T atomicXor(T* at, podium::host::Same<T> value) {
  return podium::host::update(at, [=](T old) { return old ^ value; });
}
inline unsigned atomicInc(unsigned* at, unsigned limit) {  // 0 again after `limit`
  return podium::host::update(at, [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}
inline unsigned atomicDec(unsigned* at, unsigned limit) {
  return podium::host::update(at, [=](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}
template <class T>
T atomicExch(T* at, podium::host::Same<T> value) {
  T old;
  __atomic_exchange(at, &value, &old, __ATOMIC_SEQ_CST);
  return podium::host::yielding(old);
}
template <class T>
T atomicCAS(T* at, podium::host::Same<T> expected, podium::host::Same<T> desired) {
  __atomic_compare_exchange(at, &expected, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return podium::host::yielding(expected);
}
