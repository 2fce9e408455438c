// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Atomic operations: real ones, since blocks run on several OS threads. Each lets other threads of the block
// run afterwards, so that locks, look-back and other loops that wait make progress.
#pragma once
#include <podium/emulation/block.hpp>

#include <atomic>
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
  const std::atomic_ref<T> place(*at);
  T old = place.load(std::memory_order_relaxed);
  while (!place.compare_exchange_weak(old, next(old), std::memory_order_relaxed)) {
  }
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
  return podium::host::yielding(std::atomic_ref<T>(*at).exchange(value));
}
template <class T>
T atomicCAS(T* at, podium::host::Same<T> expected, podium::host::Same<T> desired) {
  std::atomic_ref<T>(*at).compare_exchange_strong(expected, desired);
  return podium::host::yielding(expected);
}
