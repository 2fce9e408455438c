// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "The matrix product of mfma.hip on gfx90a and gfx942, its instruction emulated" }
#define PODIUM_WARP 64
#include "emulated.hpp"

namespace {
using Contestant = matrix_cores::Contestant<documented::Core<matrix_cores::Mfma<8>, documented::Mfma8>>;
}  // namespace
