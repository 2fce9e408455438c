// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA3 prefill
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithRaggedKVCacheDispatched of attention/hopper
//   arch: sm_90a
//   needs: [flashinfer]
//   types: { real: [bf16] }
//   when: head_dim == 128 && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#include <podium/attention_ragged.hpp>

#include "../attention_prefill/flashinfer_fa3.hpp"

namespace {
struct Contestant {
  flashinfer_fa3::Plan plan;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan(flashinfer_fa3::batch_of(w), workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.ragged(args.q.data, args.k.data, args.v.data, args.out.data, args.with_lse ? args.lse.data : nullptr,
                stream);
  }
};
}  // namespace
