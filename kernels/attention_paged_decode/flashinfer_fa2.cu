// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, FA2 prefill kernel (tensor cores) on one query a request
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchPrefillWithPagedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   when: heads <= 64 * kv_heads
#include <podium/attention_paged_decode.hpp>

#include <vector>

#include "flashinfer_fa2.hpp"

namespace {
using problem::real, problem::head_dim, problem::page_size;
using Params = flashinfer::BatchPrefillPagedParams<real, real, real, int>;

struct Contestant {
  flashinfer_fa2::Plan<real, head_dim> plan;
  int* first_q = nullptr;  // each request has one row of q

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    if (w.batch * w.heads == 0) return;
    const std::size_t count = std::size_t(w.batch) + 1;
    int* const rows = workspace.pinned<int>(count);
    for (std::size_t b = 0; b < count; ++b) rows[b] = int(b);
    first_q = workspace.device<int>(count);
    podium::check(cudaMemcpyAsync(first_q, rows, count * sizeof(int), cudaMemcpyHostToDevice, stream));
    plan = {{rows, w.kv_indptr.host.data, w.batch, w.heads, w.kv_heads, page_size}, workspace, stream};
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    using flashinfer_fa2::indices;
    const flashinfer::paged_kv_t<real, int> kv(
        unsigned(args.kv_heads), page_size, head_dim, unsigned(args.batch), flashinfer::QKVLayout::kNHD,
        const_cast<real*>(args.k_cache.data), const_cast<real*>(args.v_cache.data), indices(args.kv_indices.device.data),
        indices(args.kv_indptr.device.data), indices(args.last_page_len.device.data));
    Params params(const_cast<real*>(args.q.data), kv, /*maybe_custom_mask=*/nullptr, first_q, nullptr, nullptr, args.out.data,
                  /*lse=*/nullptr, /*maybe_alibi_slopes=*/nullptr, unsigned(args.heads), int(args.heads * head_dim),
                  head_dim, /*window_left=*/-1, /*logits_soft_cap=*/0, float(problem::sm_scale), /*rope_scale=*/1,
                  /*rope_theta=*/1e4f);
    plan.run<16, 64>(params, [&](auto tile, real* parts, float* lse) {
      return flashinfer::BatchPrefillWithPagedKVCacheDispatched<
          /*SAME_KV_STRIDES=*/true, tile.value, head_dim, head_dim, flashinfer::PosEncodingMode::kNone,
          /*USE_FP16_QK_REDUCTION=*/false, flashinfer::MaskMode::kNone, flashinfer_fa2::Plain>(params, parts, lse,
                                                                                              /*enable_pdl=*/false, stream);
    });
  }
};
}  // namespace
