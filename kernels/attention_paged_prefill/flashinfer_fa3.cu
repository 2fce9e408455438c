// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA3 prefill with paged keys
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithPagedKVCacheDispatched of attention/hopper
//   arch: sm_90a
//   needs: [flashinfer]
//   types: { real: [bf16], kv: [bf16] }
//   when: head_dim == 128 && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1
#include <podium/attention_paged_prefill.hpp>

#include "../attention_prefill/flashinfer_fa3.hpp"

namespace {
struct Contestant {
  flashinfer_fa3::Plan plan;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan(flashinfer_fa3::batch_of(w), workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.paged(args.q.data, args.k_cache.data, args.v_cache.data, args.kv_indices.device.data, args.page_size,
               args.out.data, args.with_lse ? args.lse.data : nullptr, stream);
  }
};
}  // namespace
