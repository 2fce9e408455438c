// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of RDNA 4 (WMMA, 16 x 16), keys and values in registers
//   author: Podium
//   arch: [gfx1200, gfx1201]
//   when: head_dim == 64 || (head_dim == 128 && rope == 0)
#include <podium/attention_paged_decode.hpp>

#include "matrix_core_decode.hpp"

namespace {
using namespace attention::matrix_cores;
using Contestant = DecodeContestant<Wmma>;
}  // namespace
