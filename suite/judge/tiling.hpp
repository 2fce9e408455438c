// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a reduction is laid out on groups of threads: who sums what, and into how many parts an element is
// split.
#pragma once
#include <cstdint>
#include <vector>

namespace podium::judge {

inline constexpr std::int64_t group_threads = 256;  // of a GPU; on the CPU a group is one thread

struct Reduction {
  bool gpu;
  std::int64_t elements;
  std::int64_t rows, columns;         // values of the last index but one and of the last
  bool tiled;                         // whether there is a kernel for tiles
  std::vector<std::int64_t> extents;  // of the loops, outermost first; at least one
  bool emulated = false;              // threads, or waves, run one after the other
};

struct Tiling {
  bool tiled = false;                   // a team sums a tile of elements instead of one
  std::int64_t lanes = 1;               // threads of a team, along the innermost loop; a power of two
  std::int64_t outers = 1, inners = 1;  // parts of the outermost and of the innermost loop
};

// `groups`: how many fill the device with plenty of work. Parts times elements are at most most_parts.
Tiling tile(const Reduction& work, std::int64_t groups);

// Threads that add up the parts of one element.
std::int64_t lanes_of_parts(std::int64_t parts);

}  // namespace podium::judge
