// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/allocations.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace podium::fuzz {
namespace {

std::atomic<std::int64_t> now = 0, most = 0;

void* counted(void* at) {
  if (!at) throw std::bad_alloc();
  const std::int64_t bytes = now += static_cast<std::int64_t>(malloc_usable_size(at));
  for (std::int64_t seen = most; seen < bytes && !most.compare_exchange_weak(seen, bytes);) {
  }
  return at;
}

void gone(void* at) {
  if (!at) return;
  now -= static_cast<std::int64_t>(malloc_usable_size(at));
  std::free(at);
}

}  // namespace

std::int64_t allocated() { return now; }
std::int64_t most_allocated() { return most; }
void forget_most() { most = now.load(); }

}  // namespace podium::fuzz

// What the others of the standard's come down to. Pages that nobody has touched count, too.
void* operator new(std::size_t bytes) { return podium::fuzz::counted(std::malloc(bytes ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto to = static_cast<std::size_t>(alignment);
  return podium::fuzz::counted(std::aligned_alloc(to, (bytes + to - 1) / to * to));
}
void operator delete(void* at) noexcept { podium::fuzz::gone(at); }
void operator delete(void* at, std::size_t) noexcept { podium::fuzz::gone(at); }
void operator delete(void* at, std::align_val_t) noexcept { podium::fuzz::gone(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { podium::fuzz::gone(at); }
