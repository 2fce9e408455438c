// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants share that call FlashInfer's FlashAttention-2 kernels on a batch: its plan, made once from
// the lengths on the host, which says which block takes which queries and which stretch of keys.
#pragma once
#include <podium/podium.hpp>

#include <flashinfer/attention/default_prefill_params.cuh>
#include <flashinfer/attention/prefill.cuh>
#include <flashinfer/attention/scheduler.cuh>
#include <flashinfer/attention/variants.cuh>

#include <cmath>
#include <type_traits>

namespace flashinfer_fa2 {

using flashinfer::MaskMode;
constexpr auto no_rope = flashinfer::PosEncodingMode::kNone;
// Custom mask, sliding window, soft cap, ALiBi: none.
using Plain = flashinfer::DefaultAttention<false, false, false, false>;

// FlashInfer takes pointers to variables for what it only reads.
template <class T>
T* variable(const T* constant) {
  return const_cast<T*>(constant);
}

// What a planner writes: tables of indices, and room for the results of parts of a request's keys.
struct Scratch {
  std::byte *tables = nullptr, *staged = nullptr, *parts = nullptr;
  std::size_t table_bytes = 0, part_bytes = 0;

  void allocate(podium::Workspace& workspace) {
    tables = workspace.device(table_bytes);
    staged = workspace.pinned(table_bytes);  // read until the plan is on the device
    if (part_bytes > 0) parts = workspace.device(part_bytes);
  }
  template <class T>
  T* table(std::int64_t offset) const {
    return reinterpret_cast<T*>(tables + offset);
  }
  template <class T>
  T* part(std::int64_t offset) const {
    return reinterpret_cast<T*>(parts + offset);
  }
};

// 0, step, 2 * step, ...: the first rows of requests of one length.
struct Steps {
  int *host, *device;

  Steps(std::int64_t requests, std::int64_t step, podium::Workspace& workspace, podium::Stream stream)
      : host(workspace.pinned<int>(std::size_t(requests) + 1)),
        device(workspace.device<int>(std::size_t(requests) + 1)) {
    for (std::int64_t b = 0; b <= requests; ++b) host[b] = int(b * step);
    podium::check(cudaMemcpyAsync(device, host, (std::size_t(requests) + 1) * sizeof(int),
                                  cudaMemcpyHostToDevice, stream));
  }
};

// The first row of q and the first page of each request, on the host. Keys that lie one behind the other are
// pages of one.
struct Batch {
  const int *first_q, *first_page;
  std::int64_t requests, heads, kv_heads, head_dim, page_size;
};

template <unsigned tile, int head_dim, MaskMode mask, class T>
cudaError_t launch(const flashinfer::BatchPrefillRaggedParams<T, T, T, int>& params, T* parts, float* lse,
                   podium::Stream stream) {
  return flashinfer::BatchPrefillWithRaggedKVCacheDispatched<tile, head_dim, head_dim, no_rope,
                                                             /*USE_FP16_QK_REDUCTION=*/false, mask, Plain>(
      params, parts, lse, /*enable_pdl=*/false, stream);
}

template <unsigned tile, int head_dim, MaskMode mask, class T>
cudaError_t launch(const flashinfer::BatchPrefillPagedParams<T, T, T, int>& params, T* parts, float* lse,
                   podium::Stream stream) {
  return flashinfer::BatchPrefillWithPagedKVCacheDispatched</*SAME_KV_STRIDES=*/true, tile, head_dim,
                                                            head_dim, no_rope,
                                                            /*USE_FP16_QK_REDUCTION=*/false, mask, Plain>(
      params, parts, lse, /*enable_pdl=*/false, stream);
}

enum class Masks { none, causal_too };

// masks, tiles of queries: what a contestant was compiled for.
template <Masks masks, unsigned... tiles>
class Plan {
 public:
  Plan(const Batch& b, podium::Workspace& workspace, podium::Stream stream) : batch_(b) {
    if (b.requests * b.heads == 0 || b.first_q[b.requests] == 0) return;
    const auto planned = [&](auto planner, auto&... memory) {
      podium::check(planner(memory..., variable(b.first_q), variable(b.first_page),
                            unsigned(b.first_q[b.requests]), unsigned(b.requests), unsigned(b.heads),
                            unsigned(b.kv_heads), unsigned(b.head_dim), unsigned(b.head_dim),
                            unsigned(b.page_size), /*enable_cuda_graph=*/false,
                            /*sizeof_dtype_o=*/2, /*window_left=*/-1, /*fixed_split_size=*/-1,
                            /*disable_split_kv=*/false, /*num_colocated_ctas=*/0, /*uniform_q_len=*/0, stream,
                            /*kv_dtype_bytes=*/2));
    };
    planned(flashinfer::PrefillPlanWorkspaceSize<int>, scratch_.part_bytes, scratch_.table_bytes);
    scratch_.allocate(workspace);
    planned(flashinfer::PrefillPlan<int>, scratch_.parts, scratch_.part_bytes, scratch_.tables,
            scratch_.staged, scratch_.table_bytes, info_);
  }

  // q, o and lse are rows of heads; lse may be null.
  template <class T>
  void ragged(const T* q, const int* first_q, const T* k, const T* v, const int* first_key, T* o, float* lse,
              bool causal, podium::Stream stream) const {
    const unsigned d = unsigned(batch_.head_dim), heads = unsigned(batch_.heads),
                   kv_heads = unsigned(batch_.kv_heads);
    run(flashinfer::BatchPrefillRaggedParams<T, T, T, int>(
            variable(q), variable(k), variable(v), /*maybe_custom_mask=*/nullptr, variable(first_q),
            variable(first_key), nullptr, nullptr, nullptr, o, lse, /*maybe_alibi_slopes=*/nullptr, heads,
            kv_heads, heads * d, d, kv_heads * d, d, /*window_left=*/-1, /*logits_soft_cap=*/0, scale(),
            /*rope_scale=*/1, /*rope_theta=*/1e4f),
        causal, stream);
  }
  template <class T>
  void paged(const T* q, const int* first_q, const flashinfer::paged_kv_t<T, int>& kv, T* o, float* lse,
             bool causal, podium::Stream stream) const {
    const int d = int(batch_.head_dim), heads = int(batch_.heads);
    run(flashinfer::BatchPrefillPagedParams<T, T, T, int>(
            variable(q), kv, /*maybe_custom_mask=*/nullptr, variable(first_q), nullptr, nullptr, o, lse,
            /*maybe_alibi_slopes=*/nullptr, unsigned(heads), heads * d, d, /*window_left=*/-1,
            /*logits_soft_cap=*/0, scale(), /*rope_scale=*/1, /*rope_theta=*/1e4f),
        causal, stream);
  }
  // Of [page, token, head, number].
  template <class T>
  flashinfer::paged_kv_t<T, int> pages(const T* k, const T* v, const int* page_indices, const int* first_page,
                                       const int* last_page_len) const {
    return {unsigned(batch_.kv_heads),
            unsigned(batch_.page_size),
            unsigned(batch_.head_dim),
            unsigned(batch_.requests),
            flashinfer::QKVLayout::kNHD,
            variable(k),
            variable(v),
            variable(page_indices),
            variable(first_page),
            variable(last_page_len)};
  }

 private:
  float scale() const { return float(1 / std::sqrt(double(batch_.head_dim))); }

  template <class Params>
  void run(Params params, bool causal, podium::Stream stream) const {
    if (info_.padded_batch_size == 0) return;
    params.request_indices = scratch_.table<int>(info_.request_indices_offset);
    params.qo_tile_indices = scratch_.table<int>(info_.qo_tile_indices_offset);
    params.kv_tile_indices = scratch_.table<int>(info_.kv_tile_indices_offset);
    params.o_indptr = scratch_.table<int>(info_.o_indptr_offset);
    params.kv_chunk_size_ptr = scratch_.table<int>(info_.kv_chunk_size_ptr_offset);
    params.padded_batch_size = unsigned(info_.padded_batch_size);
    params.max_total_num_rows = unsigned(info_.total_num_rows);
    typename Params::DTypeO* parts = nullptr;
    float* lse = nullptr;
    if (info_.split_kv) {
      params.merge_indptr = scratch_.table<int>(info_.merge_indptr_offset);
      parts = scratch_.part<typename Params::DTypeO>(info_.v_offset);
      lse = scratch_.part<float>(info_.s_offset);
    }
    const bool known =
        ((info_.cta_tile_q == tiles && (launch_one<tiles>(params, parts, lse, causal, stream), true)) || ...);
    podium::require(known, "FlashInfer plans a tile of queries that this contestant was not compiled for");
  }
  template <unsigned tile, class Params, class T>
  void launch_one(const Params& params, T* parts, float* lse, bool causal, podium::Stream stream) const {
    const auto of = [&](auto d) {
      if constexpr (masks == Masks::causal_too)
        if (causal)
          return podium::check(launch<tile, d.value, MaskMode::kCausal, T>(params, parts, lse, stream));
      podium::check(launch<tile, d.value, MaskMode::kNone, T>(params, parts, lse, stream));
    };
    batch_.head_dim == 64 ? of(std::integral_constant<int, 64>()) : of(std::integral_constant<int, 128>());
  }

  Batch batch_{};
  flashinfer::PrefillPlanInfo info_;
  Scratch scratch_;
};

}  // namespace flashinfer_fa2
