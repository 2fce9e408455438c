// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuDNN, attention
//   author: Podium
//   source: https://docs.nvidia.com/deeplearning/cudnn/frontend/latest/operations/Attention.html
//   arch: sm_80+
//   needs: [cudnn, cudnn_frontend]
//   when: kv_len > 0 && q_len <= kv_len && alibi == 0 && (q_len > 1 || sinks == 0)
#include <podium/attention_prefill.hpp>

#include "cudnn_forward.hpp"

namespace {
using Contestant = cudnn_sdpa::Attention<problem::real, problem::Workload, problem::Arguments>;
}  // namespace
