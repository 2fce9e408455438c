// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA2 prefill with paged keys
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithPagedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   types: { kv: [bf16, f16] }
//   when: (head_dim == 64 || head_dim == 128) && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1
#include <podium/attention_append.hpp>

#include "../attention_prefill/flashinfer_fa2.hpp"

namespace {
struct Contestant {
  flashinfer_fa2::Plan<flashinfer_fa2::Masks::causal_too, 16, 64, 128> plan;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan({w.qo_indptr.host.data, w.kv_indptr.host.data, w.batch, w.heads, w.kv_heads, w.head_dim,
              w.page_size},
             workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.paged(args.q.data, args.qo_indptr.device.data,
               plan.pages(args.k_cache.data, args.v_cache.data, args.kv_indices.device.data,
                          args.kv_indptr.device.data, args.last_page_len.device.data),
               args.out.data, args.with_lse ? args.lse.data : nullptr, args.causal == 1, stream);
  }
};
}  // namespace
