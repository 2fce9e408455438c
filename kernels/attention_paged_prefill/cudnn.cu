// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuDNN, attention with keys in pages
//   author: Podium
//   source: https://docs.nvidia.com/deeplearning/cudnn/frontend/latest/operations/Attention.html
//   arch: sm_80+
//   needs: [cudnn, cudnn_frontend]
//   types: { kv: [bf16, f16] }
//   when: soft_cap == 0 && alibi == 0 && rope == 0 && k_scale == 1 && v_scale == 1
#include <podium/attention_paged_prefill.hpp>

#include "../attention_prefill/cudnn_forward.hpp"

namespace {
using Contestant = cudnn_sdpa::Attention<problem::real, problem::Workload, problem::Arguments>;
}  // namespace
