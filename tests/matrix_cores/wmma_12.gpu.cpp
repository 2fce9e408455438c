// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "The matrix product of wmma.hip on gfx12, its instruction emulated" }
#define PODIUM_WARP 32
#include "emulated.hpp"

namespace {
using Contestant = matrix_cores::Contestant<documented::Core<matrix_cores::Wmma12, documented::Wmma12>>;
}  // namespace
