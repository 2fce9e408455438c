// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA2 on the prefix for all, on own keys, and a merge
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithPagedKVCacheDispatched and MergeState
//   arch: sm_80+
//   needs: [flashinfer]
//   when: head_dim == 64 || head_dim == 128
#include <podium/cascade.hpp>

#include <flashinfer/attention/cascade.cuh>

#include "../attention_prefill/flashinfer_fa2.hpp"

namespace {
using flashinfer_fa2::Masks, flashinfer_fa2::Plan, flashinfer_fa2::Steps;
using problem::real;

struct State {  // of attention to some of the keys
  real* v;
  float* s;

  State(const problem::Workload& w, podium::Workspace& workspace)
      : v(workspace.device<real>(std::size_t(w.batch * w.heads * w.head_dim))),
        s(workspace.device<float>(std::size_t(w.batch * w.heads))) {}
};

struct Contestant {
  Steps rows;  // one query a request
  // All queries as one request, whose last page is whole.
  Steps all_rows, prefix_pages, prefix_last;
  Plan<Masks::none, 16, 64, 128> prefix;
  Plan<Masks::none, 16, 64> own;
  State of_prefix, of_own;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : rows(w.batch, 1, workspace, stream),
        all_rows(1, w.batch, workspace, stream),
        prefix_pages(1, w.prefix_pages, workspace, stream),
        prefix_last(1, w.page_size, workspace, stream),
        prefix({all_rows.host, prefix_pages.host, 1, w.heads, w.kv_heads, w.head_dim, w.page_size}, workspace,
               stream),
        own({rows.host, w.kv_indptr.host.data, w.batch, w.heads, w.kv_heads, w.head_dim, w.page_size},
            workspace, stream),
        of_prefix(w, workspace),
        of_own(w, workspace) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch * args.heads == 0) return;
    prefix.paged(args.q.data, all_rows.device,
                 prefix.pages(args.k_cache.data, args.v_cache.data, args.prefix_indices.device.data,
                              prefix_pages.device, prefix_last.device + 1),
                 of_prefix.v, of_prefix.s, /*causal=*/false, stream);
    own.paged(args.q.data, rows.device,
              own.pages(args.k_cache.data, args.v_cache.data, args.kv_indices.device.data,
                        args.kv_indptr.device.data, args.last_page_len.device.data),
              of_own.v, of_own.s, /*causal=*/false, stream);
    podium::check(flashinfer::MergeState(of_prefix.v, of_prefix.s, of_own.v, of_own.s, args.out.data, nullptr,
                                         unsigned(args.batch), unsigned(args.heads), unsigned(args.head_dim),
                                         stream));
  }
};
}  // namespace
