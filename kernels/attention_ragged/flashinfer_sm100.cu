// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, Blackwell prefill
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, run_fmha_fwd of attention/blackwell
//   arch: [sm_100a, sm_103a]
//   needs: [flashinfer]
//   types: { real: [bf16] }
//   when: head_dim == 128 && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#include <podium/attention_ragged.hpp>

#include "../attention_prefill/flashinfer_sm100.hpp"

namespace {
struct Contestant {
  flashinfer_sm100::Plan plan;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan({.first_q = {w.qo_indptr.host.data, w.qo_indptr.host.data + w.batch + 1},
              .first_key = {w.kv_indptr.host.data, w.kv_indptr.host.data + w.batch + 1},
              .heads = w.heads,
              .kv_heads = w.kv_heads,
              .causal = w.causal == 1},
             workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.run(args.q.data, args.k.data, args.v.data, args.out.data, args.with_lse ? args.lse.data : nullptr,
             stream);
  }
};
}  // namespace
