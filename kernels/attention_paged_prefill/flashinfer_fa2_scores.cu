// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA2 prefill, scores changed by a function
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithPagedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   when: rope == 0 && k_scale == 1 && v_scale == 1
#include <podium/attention_paged_prefill.hpp>

#include "../attention_prefill/flashinfer_fa2_variants.hpp"

namespace {
using Contestant = flashinfer_fa2::Attention<flashinfer_fa2::Scored, problem::Workload, problem::Arguments>;
}  // namespace
