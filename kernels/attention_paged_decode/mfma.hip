// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of CDNA (MFMA, 16 x 16), keys and values in registers
//   author: Podium
//   arch: [gfx942, gfx950]
#include <podium/attention_paged_decode.hpp>

#include "matrix_core_decode.hpp"

namespace {
using namespace attention::matrix_cores;
using Contestant = DecodeContestant<Mfma<16>>;
}  // namespace
