// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA2 prefill, windows and sinks
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithRaggedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   when: q_len <= kv_len && soft_cap == 0 && alibi == 0
#include <podium/attention_prefill.hpp>

#include "flashinfer_fa2_variants.hpp"

namespace {
using Contestant = flashinfer_fa2::Attention<flashinfer_fa2::Windowed, problem::Workload, problem::Arguments>;
}  // namespace
