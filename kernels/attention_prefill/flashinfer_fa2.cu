// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA2 prefill
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithRaggedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   when: q_len <= kv_len && (head_dim == 64 || head_dim == 128) && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#include <podium/attention_prefill.hpp>

#include "flashinfer_fa2.hpp"

namespace {
struct Contestant {
  flashinfer_fa2::Steps rows, keys;
  flashinfer_fa2::Plan<flashinfer_fa2::Masks::causal_too, 16, 64, 128> plan;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : rows(w.batch, w.q_len, workspace, stream),
        keys(w.batch, w.kv_len, workspace, stream),
        plan({rows.host, keys.host, w.batch, w.heads, w.kv_heads, w.head_dim, /*page_size=*/1}, workspace,
             stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.ragged(args.q.data, rows.device, args.k.data, args.v.data, keys.device, args.out.data,
                args.with_lse ? args.lse.data : nullptr, args.causal == 1, stream);
  }
};
}  // namespace
