// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, decode kernel (CUDA cores)
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchDecodeWithPagedKVCacheDispatched
//   arch: sm_80+
//   needs: [flashinfer]
//   when: heads == kv_heads || heads == 2 * kv_heads || heads == 3 * kv_heads || heads == 4 * kv_heads || heads == 6 * kv_heads || heads == 8 * kv_heads || heads == 16 * kv_heads
#include <podium/attention_paged_decode.hpp>

#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>

#include "flashinfer_fa2.hpp"

namespace {
using problem::real, problem::head_dim, problem::page_size;
using flashinfer_fa2::indices, flashinfer_fa2::Plain;
using Params = flashinfer::BatchDecodeParams<real, real, real, int>;
constexpr auto no_rope = flashinfer::PosEncodingMode::kNone;

struct Contestant {
  flashinfer::DecodePlanInfo info;
  flashinfer_fa2::Scratch scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    if (w.batch * w.heads == 0) return;
    const auto planned = [&](auto planner, auto&... memory) {
      DISPATCH_GQA_GROUP_SIZE(w.heads / w.kv_heads, group, {
        podium::check(planner(memory..., indices(w.kv_indptr.host.data), unsigned(w.batch), unsigned(w.heads), page_size,
                              /*enable_cuda_graph=*/false, stream,
                              flashinfer::BatchDecodeWithPagedKVCacheWorkEstimationDispatched<group, head_dim, no_rope,
                                                                                              Plain, Params>));
      })
    };
    planned([](auto&&... all) { return flashinfer::DecodePlanWorkspaceSize<head_dim, no_rope, Plain, Params>(all...); },
            scratch.part_bytes, scratch.table_bytes);
    scratch.allocate(workspace);
    planned([](auto&&... all) { return flashinfer::DecodePlan<head_dim, no_rope, Plain, Params>(all...); }, scratch.parts,
            scratch.part_bytes, scratch.tables, scratch.staged, scratch.table_bytes, info);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch * args.heads == 0) return;
    const flashinfer::paged_kv_t<real, int> kv(
        unsigned(args.kv_heads), page_size, head_dim, unsigned(args.batch), flashinfer::QKVLayout::kNHD,
        const_cast<real*>(args.k_cache.data), const_cast<real*>(args.v_cache.data), indices(args.kv_indices.device.data),
        indices(args.kv_indptr.device.data), indices(args.last_page_len.device.data));
    Params params(const_cast<real*>(args.q.data), /*q_rope_offset=*/nullptr, kv, args.out.data, /*lse=*/nullptr,
                  /*maybe_alibi_slopes=*/nullptr, unsigned(args.heads), int(args.heads * head_dim), head_dim,
                  /*window_left=*/-1, /*logits_soft_cap=*/0, float(problem::sm_scale), /*rope_scale=*/1,
                  /*rope_theta=*/1e4f);
    params.request_indices = scratch.table<int>(info.request_indices_offset);
    params.kv_tile_indices = scratch.table<int>(info.kv_tile_indices_offset);
    params.o_indptr = scratch.table<int>(info.o_indptr_offset);
    params.kv_chunk_size_ptr = scratch.table<int>(info.kv_chunk_size_ptr_offset);
    params.padded_batch_size = unsigned(info.padded_batch_size);
    real* const parts = info.split_kv ? scratch.part<real>(info.v_offset) : nullptr;
    float* const lse = info.split_kv ? scratch.part<float>(info.s_offset) : nullptr;
    podium::check(flashinfer::BatchDecodeWithPagedKVCacheDispatched<head_dim, no_rope, Plain>(
        params, parts, lse, /*enable_pdl=*/false, stream));
  }
};
}  // namespace
