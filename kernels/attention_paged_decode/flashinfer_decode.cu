// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, decode kernel (CUDA cores)
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchDecodeWithPagedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   types: { kv: [bf16, f16] }
//   when: (heads == kv_heads || heads == 2 * kv_heads || heads == 3 * kv_heads || heads == 4 * kv_heads || heads == 6 * kv_heads || heads == 8 * kv_heads) && (head_dim == 64 || head_dim == 128) && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1
#include <podium/attention_paged_decode.hpp>

#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>

#include "../attention_prefill/flashinfer_fa2.hpp"

namespace {
using flashinfer_fa2::no_rope, flashinfer_fa2::Plain, flashinfer_fa2::variable;
using problem::real;
using Params = flashinfer::BatchDecodeParams<real, real, real, int>;

struct Contestant {
  flashinfer::DecodePlanInfo info;
  flashinfer_fa2::Scratch scratch;

  // Calls f with the width of a head as a constant.
  template <class F>
  static void with_head_dim(std::int64_t head_dim, F f) {
    head_dim == 64 ? f(std::integral_constant<unsigned, 64>()) : f(std::integral_constant<unsigned, 128>());
  }

  template <unsigned head_dim>
  void plan(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    DISPATCH_GQA_GROUP_SIZE(w.heads / w.kv_heads, group, {
      const auto estimate =
          flashinfer::BatchDecodeWithPagedKVCacheWorkEstimationDispatched<group, head_dim, no_rope, Plain,
                                                                          Params>;
      podium::check(flashinfer::DecodePlanWorkspaceSize<head_dim, no_rope, Plain, Params>(
          scratch.part_bytes, scratch.table_bytes, variable(w.kv_indptr.host.data), unsigned(w.batch),
          unsigned(w.heads), unsigned(w.page_size), /*enable_cuda_graph=*/false, stream, estimate));
      scratch.allocate(workspace);
      podium::check(flashinfer::DecodePlan<head_dim, no_rope, Plain, Params>(
          scratch.parts, scratch.part_bytes, scratch.tables, scratch.staged, scratch.table_bytes, info,
          variable(w.kv_indptr.host.data), unsigned(w.batch), unsigned(w.heads), unsigned(w.page_size),
          /*enable_cuda_graph=*/false, stream, estimate));
    });
  }

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    if (w.batch * w.heads == 0) return;
    with_head_dim(w.head_dim, [&](auto d) { plan<d.value>(w, workspace, stream); });
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch * args.heads == 0) return;
    const int head_dim = int(args.head_dim), heads = int(args.heads);
    const flashinfer::paged_kv_t<real, int> kv(
        unsigned(args.kv_heads), unsigned(args.page_size), unsigned(head_dim), unsigned(args.batch),
        flashinfer::QKVLayout::kNHD, const_cast<real*>(args.k_cache.data),
        const_cast<real*>(args.v_cache.data), variable(args.kv_indices.device.data),
        variable(args.kv_indptr.device.data), variable(args.last_page_len.device.data));
    Params params(const_cast<real*>(args.q.data), /*q_rope_offset=*/nullptr, kv, args.out.data,
                  args.with_lse ? args.lse.data : nullptr, /*maybe_alibi_slopes=*/nullptr, unsigned(heads),
                  heads * head_dim, head_dim, /*window_left=*/-1, /*logits_soft_cap=*/0,
                  float(1 / std::sqrt(double(head_dim))), /*rope_scale=*/1, /*rope_theta=*/1e4f);
    params.request_indices = scratch.table<int>(info.request_indices_offset);
    params.kv_tile_indices = scratch.table<int>(info.kv_tile_indices_offset);
    params.o_indptr = scratch.table<int>(info.o_indptr_offset);
    params.kv_chunk_size_ptr = scratch.table<int>(info.kv_chunk_size_ptr_offset);
    params.padded_batch_size = unsigned(info.padded_batch_size);
    real* const parts = info.split_kv ? scratch.part<real>(info.v_offset) : nullptr;
    float* const lse = info.split_kv ? scratch.part<float>(info.s_offset) : nullptr;
    with_head_dim(args.head_dim, [&](auto d) {
      podium::check(flashinfer::BatchDecodeWithPagedKVCacheDispatched<d.value, no_rope, Plain>(
          params, parts, lse, /*enable_pdl=*/false, stream));
    });
  }
};
}  // namespace
