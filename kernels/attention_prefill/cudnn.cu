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
struct Contestant {
  cudnn_sdpa::Forward<problem::real> attention;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : attention(cudnn_sdpa::batch_of(w), workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream) {
    attention.run(args.q.data, args.k.data, args.v.data, args.out.data, args.lse.data, args.sink.data);
  }
};
}  // namespace
