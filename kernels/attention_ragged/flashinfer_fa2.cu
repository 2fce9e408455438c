// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA2 prefill
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithRaggedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   when: (head_dim == 64 || head_dim == 128) && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#include <podium/attention_ragged.hpp>

#include "../attention_prefill/flashinfer_fa2.hpp"

namespace {
struct Contestant {
  flashinfer_fa2::Plan<flashinfer_fa2::Masks::causal_too, 16, 64, 128> plan;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan({w.qo_indptr.host.data, w.kv_indptr.host.data, w.batch, w.heads, w.kv_heads, w.head_dim,
              /*page_size=*/1},
             workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.ragged(args.q.data, args.qo_indptr.device.data, args.k.data, args.v.data, args.kv_indptr.device.data,
                args.out.data, args.with_lse ? args.lse.data : nullptr, args.causal == 1, stream);
  }
};
}  // namespace
