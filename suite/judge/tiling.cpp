// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/tiling.hpp"

#include <algorithm>
#include <bit>

#include "suite/judge/private_layout.hpp"
#include "suite/problem/program/index.hpp"

namespace podium::judge {
namespace {

constexpr std::int64_t least_terms = 16;  // a thread's, below which splitting an element gains nothing
constexpr std::int64_t warp = 32;         // lanes that share cache lines; neighbours share the group's others
constexpr std::int64_t tile_lanes = 8;    // so few that a warp's teams read the same columns at once
constexpr std::int64_t sector = 4;        // lanes whose 8-byte elements are read at once
constexpr std::int64_t wave = 64;         // lanes that some emulated devices run at once

std::int64_t power_of_two(std::int64_t least) {
  return static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(least, 1))));
}
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Of a team that sums one element. With elements enough for all, few lanes with several terms each lose least
// in putting their sums together.
std::int64_t lanes_for(std::int64_t elements, std::int64_t inner, std::int64_t groups) {
  const std::int64_t widest = power_of_two(inner), threads = groups * group_threads;
  if (elements * warp < threads && inner >= 4 * group_threads) return group_threads;
  const std::int64_t narrow = std::clamp(widest / 8, std::min(sector, widest), warp);
  return elements * narrow >= threads ? narrow : std::min(warp, widest);
}

}  // namespace

Tiling tile(const Reduction& work, std::int64_t groups) {
  Tiling tiling;
  const std::int64_t inner = work.extents.back();
  std::int64_t length = 1;
  for (const std::int64_t extent : work.extents) length *= extent;
  tiling.tiled = work.gpu && work.tiled && work.rows >= program::few && work.columns >= program::few;
  std::int64_t teams = 1, units = work.elements;  // what a team is given
  if (tiling.tiled) {
    units = work.elements / (work.rows * work.columns) * ceil_div(work.rows, program::few) *
            ceil_div(work.columns, program::few);
    tiling.lanes = std::min(tile_lanes, power_of_two(inner));
    groups = std::max<std::int64_t>(groups / 4, 1);  // registers for the sums leave room for no more at once
  } else if (work.gpu) {
    tiling.lanes = lanes_for(work.elements, inner, groups);
  }
  // Handing sums on costs an emulated device far more than what a real one gains by lanes.
  if (work.gpu && work.emulated) tiling.lanes = std::min(tiling.lanes, power_of_two(wave / units));
  if (work.gpu) teams = group_threads / tiling.lanes;
  const std::int64_t most = std::min(length / (tiling.lanes * least_terms), most_parts / work.elements);
  // Teams of one group sum neighbouring elements of the same part, or any tiles and parts.
  const std::int64_t wanted = tiling.tiled ? groups * teams / units : groups / ceil_div(units, teams);
  const std::int64_t splits = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(most, 1));
  if (work.extents.size() > 1) tiling.outers = std::min(splits, std::max<std::int64_t>(work.extents[0], 1));
  tiling.inners = splits / tiling.outers;
  return tiling;
}

std::int64_t lanes_of_parts(std::int64_t parts) { return std::min(group_threads, power_of_two(parts)); }

}  // namespace podium::judge
