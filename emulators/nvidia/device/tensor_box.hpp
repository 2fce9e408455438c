// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What one copy moves of a tensor: rows along its first dimension.
#pragma once
#include <optional>
#include <vector>

#include "emulators/nvidia/device/tensor_map.hpp"

namespace podium::ptx {

struct TensorBox {
  s32 begin;  // coordinate in dimension 0
  // Where each row would begin whose first coordinate is zero; nothing outside of the tensor.
  std::vector<std::optional<u64>> rows;
};

TensorBox tiled_box(const TensorMap&, const s32* coordinates);
// PTX ISA 5.5.4: map.pixels of them, from `coordinates` on, width first, then height, depth and images; what
// is moved lies `offsets` further in dimensions 1, 2, 3.
TensorBox im2col_box(const TensorMap&, const s32* coordinates, const u16* offsets);

}  // namespace podium::ptx
