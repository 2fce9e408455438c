// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of CDNA 3 (MFMA, 32 x 32), E4M3 without negative zero
//   author: Podium
//   types: { real: [e4m3_fnuz] }
//   arch: [gfx942]
#include "matrix_core_tiles.hpp"

namespace {
using Contestant = scaled_cores::Contestant<scaled_cores::Mfma>;
}  // namespace
