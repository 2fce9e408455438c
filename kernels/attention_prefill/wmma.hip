// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of RDNA 4 (WMMA, 16 x 16), queries in registers
//   author: Podium
//   arch: [gfx1200, gfx1201]
//   when: head_dim <= 128
#include <podium/attention_prefill.hpp>

#include "matrix_core_prompt.hpp"

namespace {
using namespace attention::matrix_cores;
using Contestant = PromptContestant<Wmma>;
}  // namespace
