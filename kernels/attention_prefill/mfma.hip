// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of CDNA (MFMA, 32 x 32), queries in registers
//   author: Podium
//   arch: [gfx942, gfx950]
//   when: head_dim <= 128
#include <podium/attention_prefill.hpp>

#include "matrix_core_prompt.hpp"

namespace {
using namespace attention::matrix_cores;
using Contestant = PromptContestant<Mfma<32>>;
}  // namespace
