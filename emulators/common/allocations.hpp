// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Every range of memory that an emulated device may touch, with its exact bounds: a device's memory lies in
// the process's own address space, so an address is a pointer, and only this table says whether it is a good
// one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace podium::emulation {

// Addresses [begin, end). The default holds no address.
struct Window {
  std::uint64_t begin = 0, end = 0;
  bool holds(std::uint64_t at, std::uint64_t bytes) const {
    return at >= begin && at <= end && bytes <= end - at;
  }
};

struct Allocation {
  Window range;
  std::string what;  // for reports: "cudaMalloc of 4096 bytes", "__device__ counters"
};

// Safe to use from several threads. Allocations never overlap.
class Allocations {
 public:
  // An overlap with an earlier allocation is a mistake of the emulator: throws std::logic_error.
  void add(const void* at, std::size_t bytes, std::string what);
  // False if nothing begins there. A freed range is remembered, for explain().
  bool remove(const void* at);

  // The whole allocation in which [at, at + bytes) lies; nothing if it lies in none.
  std::optional<Window> find(std::uint64_t at, std::uint64_t bytes) const;
  // The allocation that begins at `at`.
  std::optional<Allocation> starting(const void* at) const;

  // Why [at, at + bytes) is no good, as the end of a sentence: "it ends 4 bytes behind cudaMalloc of 4096
  // bytes", "it lies 16 bytes behind ...", "it lies in freed memory (...)", "no allocation is near".
  std::string explain(std::uint64_t at, std::uint64_t bytes) const;

 private:
  std::optional<Window> find_locked(std::uint64_t at, std::uint64_t bytes) const;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Allocation> live_, freed_;  // by first address
};

}  // namespace podium::emulation
