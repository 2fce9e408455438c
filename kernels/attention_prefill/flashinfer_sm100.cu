// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, Blackwell prefill
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, run_fmha_fwd of attention/blackwell
//   arch: [sm_100a, sm_103a]
//   needs: [flashinfer]
//   types: { real: [bf16] }
//   when: kv_len > 0 && q_len <= kv_len && head_dim == 128 && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#include <podium/attention_prefill.hpp>

#include "flashinfer_sm100.hpp"

namespace {
using Contestant = flashinfer_sm100::Attention<problem::Workload, problem::Arguments>;
}  // namespace
