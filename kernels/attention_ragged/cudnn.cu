// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuDNN, attention of ragged requests
//   author: Podium
//   source: https://docs.nvidia.com/deeplearning/cudnn/frontend/latest/operations/Attention.html
//   arch: sm_80+
//   needs: [cudnn, cudnn_frontend]
//   when: soft_cap == 0 && alibi == 0
#include <podium/attention_ragged.hpp>

#include "../attention_prefill/cudnn_forward.hpp"

namespace {
using Contestant = cudnn_sdpa::Attention<problem::real, problem::Workload, problem::Arguments>;
}  // namespace
