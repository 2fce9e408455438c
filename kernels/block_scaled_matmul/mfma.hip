// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of CDNA 4 (MFMA, 32 x 32), OCP's E4M3
//   author: Podium
//   types: { real: [e4m3] }
//   arch: [gfx950]
#include "matrix_core_tiles.hpp"

namespace {
using Contestant = scaled_cores::Contestant<scaled_cores::Mfma>;
}  // namespace
