// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA3 prefill
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithRaggedKVCacheDispatched of attention/hopper
//   arch: sm_90a
//   needs: [flashinfer]
//   types: { real: [bf16] }
//   when: q_len <= kv_len && head_dim == 128 && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#include <podium/attention_prefill.hpp>

#include "flashinfer_fa3.hpp"

namespace {
struct Contestant {
  flashinfer_fa3::Plan plan;

  static flashinfer_fa3::Batch batch_of(const problem::Workload& w) {
    flashinfer_fa3::Batch b{.first_q{0},
                            .first_key{0},
                            .keys = std::vector<int>(std::size_t(w.batch), int(w.kv_len)),
                            .heads = w.heads,
                            .kv_heads = w.kv_heads,
                            .causal = w.causal == 1};
    for (std::int64_t r = 1; r <= w.batch; ++r) {
      b.first_q.push_back(int(r * w.q_len));
      b.first_key.push_back(int(r * w.kv_len));
    }
    return b;
  }

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan(batch_of(w), workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.ragged(args.q.data, args.k.data, args.v.data, args.out.data, args.with_lse ? args.lse.data : nullptr,
                stream);
  }
};
}  // namespace
