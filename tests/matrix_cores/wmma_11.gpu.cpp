// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "The matrix product of wmma.hip on gfx11, its instruction emulated" }
#define PODIUM_WARP 32
#include "emulated.hpp"

namespace {
using Contestant = matrix_cores::Contestant<documented::Core<matrix_cores::Wmma11, documented::Wmma11>>;
}  // namespace
