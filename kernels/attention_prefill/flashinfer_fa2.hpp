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
  unsigned key_bytes = 2;  // of a number of a key
  std::int64_t window_left = -1;
};

// What changes scores, and a variant of attention looks at; Plain does not.
struct Scores {
  float soft_cap = 0;             // 0: none
  const float* slopes = nullptr;  // of ALiBi, for each head; null: none
  const float* sinks = nullptr;   // likewise
};

// FlashInfer's parameters, and what they have no room for.
template <class Params>
struct WithSinks : Params {
  const float* sinks;
};

// As FlashInfer's kernels take them.
template <class T>
const T* numbers(const T* data) {
  return data;
}
inline const __nv_fp8_e4m3* numbers(const podium::e4m3* data) {
  return reinterpret_cast<const __nv_fp8_e4m3*>(data);
}

template <class Variant, unsigned tile, int head_dim, MaskMode mask, class Params>
cudaError_t launch(const Params& params, typename Params::DTypeO* parts, float* lse, podium::Stream stream) {
  constexpr bool fp16_sums = false, dependent_launch = false;
  if constexpr (requires { params.paged_kv; })
    return flashinfer::BatchPrefillWithPagedKVCacheDispatched</*SAME_KV_STRIDES=*/true, tile, head_dim,
                                                              head_dim, no_rope, fp16_sums, mask, Variant>(
        params, parts, lse, dependent_launch, stream);
  else
    return flashinfer::BatchPrefillWithRaggedKVCacheDispatched<tile, head_dim, head_dim, no_rope, fp16_sums,
                                                               mask, Variant>(params, parts, lse,
                                                                              dependent_launch, stream);
}

enum class Masks { none, causal_too };

// masks, tiles of queries: what a contestant was compiled for; with other variants than Plain, heads of 256
// as well.
template <class Variant, Masks masks, unsigned... tiles>
class PlanOf {
 public:
  PlanOf(const Batch& b, podium::Workspace& workspace, podium::Stream stream) : batch_(b) {
    if (b.requests * b.heads == 0 || b.first_q[b.requests] == 0) return;
    const auto planned = [&](auto planner, auto&... memory) {
      podium::check(planner(
          memory..., variable(b.first_q), variable(b.first_page), unsigned(b.first_q[b.requests]),
          unsigned(b.requests), unsigned(b.heads), unsigned(b.kv_heads), unsigned(b.head_dim),
          unsigned(b.head_dim), unsigned(b.page_size), /*enable_cuda_graph=*/false,
          /*sizeof_dtype_o=*/2, int(b.window_left), /*fixed_split_size=*/-1,
          /*disable_split_kv=*/false, /*num_colocated_ctas=*/0, /*uniform_q_len=*/0, stream, b.key_bytes));
    };
    planned(flashinfer::PrefillPlanWorkspaceSize<int>, scratch_.part_bytes, scratch_.table_bytes);
    scratch_.allocate(workspace);
    planned(flashinfer::PrefillPlan<int>, scratch_.parts, scratch_.part_bytes, scratch_.tables,
            scratch_.staged, scratch_.table_bytes, info_);
  }

  // q, o and lse are rows of heads; lse may be null.
  template <class T, class Key>
  void ragged(const T* q, const int* first_q, const Key* k, const Key* v, const int* first_key, T* o,
              float* lse, bool causal, podium::Stream stream, const Scores& scores = {}) const {
    const unsigned d = unsigned(batch_.head_dim), heads = unsigned(batch_.heads),
                   kv_heads = unsigned(batch_.kv_heads);
    run(flashinfer::BatchPrefillRaggedParams<T, Key, T, int>(
            variable(q), variable(k), variable(v), /*maybe_custom_mask=*/nullptr, variable(first_q),
            variable(first_key), nullptr, nullptr, nullptr, o, lse, variable(scores.slopes), heads, kv_heads,
            heads * d, d, kv_heads * d, d, int(batch_.window_left), scores.soft_cap, scale(),
            /*rope_scale=*/1, /*rope_theta=*/1e4f),
        scores, causal, stream);
  }
  template <class T, class Key>
  void paged(const T* q, const int* first_q, const flashinfer::paged_kv_t<Key, int>& kv, T* o, float* lse,
             bool causal, podium::Stream stream, const Scores& scores = {}) const {
    const int d = int(batch_.head_dim), heads = int(batch_.heads);
    run(flashinfer::BatchPrefillPagedParams<T, Key, T, int>(
            variable(q), kv, /*maybe_custom_mask=*/nullptr, variable(first_q), nullptr, nullptr, o, lse,
            variable(scores.slopes), unsigned(heads), heads * d, d, int(batch_.window_left), scores.soft_cap,
            scale(), /*rope_scale=*/1, /*rope_theta=*/1e4f),
        scores, causal, stream);
  }
  // Of [page, token, head, number].
  template <class Key>
  flashinfer::paged_kv_t<Key, int> pages(const Key* k, const Key* v, const int* page_indices,
                                         const int* first_page, const int* last_page_len) const {
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

  static constexpr bool plain = std::is_same_v<Variant, Plain>;

  template <class Params>
  void run(Params params, const Scores& scores, bool causal, podium::Stream stream) const {
    if (info_.padded_batch_size == 0) return;
    params.request_indices = scratch_.table<int>(info_.request_indices_offset);
    params.qo_tile_indices = scratch_.table<int>(info_.qo_tile_indices_offset);
    params.kv_tile_indices = scratch_.table<int>(info_.kv_tile_indices_offset);
    params.o_indptr = scratch_.table<int>(info_.o_indptr_offset);
    params.kv_chunk_size_ptr = scratch_.table<int>(info_.kv_chunk_size_ptr_offset);
    params.padded_batch_size = unsigned(info_.padded_batch_size);
    params.max_total_num_rows = unsigned(info_.total_num_rows);
    if (info_.split_kv) params.merge_indptr = scratch_.table<int>(info_.merge_indptr_offset);
    const auto launched = [&](const auto& all) {
      return ((info_.cta_tile_q == tiles && (launch_tile<tiles>(all, causal, stream), true)) || ...);
    };
    bool known;
    if constexpr (plain)
      known = launched(params);
    else
      known = launched(WithSinks<Params>{params, scores.sinks});
    podium::require(known, "FlashInfer plans a tile of queries that this contestant was not compiled for");
  }
  template <unsigned tile, class Params>
  void launch_tile(const Params& params, bool causal, podium::Stream stream) const {
    const auto of = [&](auto d) {
      if constexpr (masks == Masks::causal_too)
        if (causal) return launch_masked<tile, d.value, MaskMode::kCausal>(params, stream);
      launch_masked<tile, d.value, MaskMode::kNone>(params, stream);
    };
    if (batch_.head_dim == 64) return of(std::integral_constant<int, 64>());
    if constexpr (!plain && tile < 128)  // wider heads leave no registers for more queries
      if (batch_.head_dim == 256) return of(std::integral_constant<int, 256>());
    of(std::integral_constant<int, 128>());
  }
  template <unsigned tile, int head_dim, MaskMode mask, class Params>
  void launch_masked(const Params& params, podium::Stream stream) const {
    using T = typename Params::DTypeO;
    T* const parts = info_.split_kv ? scratch_.part<T>(info_.v_offset) : nullptr;
    float* const lse = info_.split_kv ? scratch_.part<float>(info_.s_offset) : nullptr;
    podium::check(launch<Variant, tile, head_dim, mask>(params, parts, lse, stream));
  }

  Batch batch_{};
  flashinfer::PrefillPlanInfo info_;
  Scratch scratch_;
};

template <Masks masks, unsigned... tiles>
using Plan = PlanOf<Plain, masks, tiles...>;

}  // namespace flashinfer_fa2
