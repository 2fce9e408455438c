// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sizes and positions of grids, blocks and warps.
#pragma once
#include <podium/emulation/vectors.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#ifndef PODIUM_WARP
#define PODIUM_WARP 32
#endif
static_assert(PODIUM_WARP == 32 || PODIUM_WARP == 64, "a warp has 32 or 64 lanes");

namespace podium::host {
// Throw std::out_of_range.
[[noreturn]] void refuse_extent(long long extent);
[[noreturn]] void refuse_extent(unsigned long long extent);
}  // namespace podium::host

// Takes wider integers than a GPU's, to refuse values that a GPU would cut off.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(std::integral auto x, std::integral auto y, std::integral auto z)
      : x(fit(x)), y(fit(y)), z(fit(z)) {}
  constexpr dim3(std::integral auto x, std::integral auto y) : dim3(x, y, 1) {}
  constexpr dim3(std::integral auto x) : dim3(x, 1, 1) {}
  constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
  constexpr dim3() : x(1), y(1), z(1) {}
  bool operator==(const dim3&) const = default;

 private:
  static constexpr unsigned fit(std::integral auto extent) {
    using Widest = std::conditional_t<std::is_signed_v<decltype(extent)>, long long, unsigned long long>;
    if (!std::in_range<unsigned>(extent)) podium::host::refuse_extent(static_cast<Widest>(extent));
    return static_cast<unsigned>(extent);
  }
};

namespace podium {

using lane_mask = std::conditional_t<PODIUM_WARP == 64, unsigned long long, unsigned>;

namespace host {

inline constexpr unsigned max_block_threads = 1024;  // of CUDA and HIP alike

constexpr std::uint64_t volume(dim3 d) { return std::uint64_t{d.x} * d.y * d.z; }
constexpr uint3 position(std::uint64_t n, dim3 in) {
  return {static_cast<unsigned>(n % in.x), static_cast<unsigned>(n / in.x % in.y),
          static_cast<unsigned>(n / (std::uint64_t{in.x} * in.y))};
}

}  // namespace host
}  // namespace podium
