// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/tensor_box.hpp"

#include <algorithm>
#include <array>

namespace podium::ptx {
namespace {

using Place = std::array<s64, most_dimensions>;  // the first one is not looked at

std::optional<u64> address_of(const TensorMap& map, const Place& at) {
  u64 address = map.address;
  for (u32 i = 1; i < map.dimensions; ++i) {
    if (at[i] < 0 || at[i] > static_cast<s64>(map.last[i])) return std::nullopt;
    address += static_cast<u64>(at[i]) * map.strides[i - 1];
  }
  return address;
}

}  // namespace

TensorBox tiled_box(const TensorMap& map, const s32* coordinates) {
  TensorBox box{coordinates[0], {}};
  const u32 rows = rows_of(map);
  for (u32 row = 0; row < rows; ++row) {
    Place at{};
    u32 rest = row;
    for (u32 i = 1; i < map.dimensions; ++i) {
      const u32 extent = moved(map, i);
      at[i] = static_cast<s64>(coordinates[i]) + static_cast<s64>(rest % extent) * map.steps[i];
      rest /= extent;
    }
    box.rows.push_back(address_of(map, at));
  }
  return box;
}

TensorBox im2col_box(const TensorMap& map, const s32* coordinates, const u16* offsets) {
  TensorBox box{coordinates[0], {}};
  const u32 images = map.dimensions - 1u;
  Place pixel{};
  std::copy(coordinates, coordinates + map.dimensions, pixel.begin());
  while (box.rows.size() < map.pixels) {
    Place at = pixel;
    for (u32 i = 1; i < images; ++i) at[i] += offsets[i - 1];
    box.rows.push_back(address_of(map, at));
    u32 i = 1;
    for (; i < images; ++i) {
      pixel[i] += map.steps[i];
      if (pixel[i] <= static_cast<s64>(map.last[i]) + map.upper[i - 1]) break;
      pixel[i] = map.lower[i - 1];
    }
    if (i == images) pixel[i] += map.steps[i];
  }
  return box;
}

}  // namespace podium::ptx
