// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants share that call FlashInfer's FlashAttention-2 kernels on a batch: its plan, made once from the
// lengths on the host, which says which block takes which queries and which stretch of keys.
#pragma once
#include <podium/podium.hpp>

#include <flashinfer/attention/default_prefill_params.cuh>
#include <flashinfer/attention/prefill.cuh>
#include <flashinfer/attention/scheduler.cuh>
#include <flashinfer/attention/variants.cuh>

namespace flashinfer_fa2 {

// Custom mask, sliding window, soft cap, ALiBi.
using Plain = flashinfer::DefaultAttention<false, false, false, false>;

// Planners read host memory only, but take pointers to variables.
inline int* indices(const int* of_structure) { return const_cast<int*>(of_structure); }

// What a planner writes: tables of indices, and room for the results of parts of a request's keys.
struct Scratch {
  std::byte *tables = nullptr, *staged = nullptr, *parts = nullptr;
  std::size_t table_bytes = 0, part_bytes = 0;

  void allocate(podium::Workspace& workspace) {
    tables = workspace.device(table_bytes);
    staged = workspace.pinned(table_bytes);  // copied from until the plan is on the device
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

// Rows of q, and pages of keys (of one token each where keys are contiguous), by their first of each request: host memory.
struct Batch {
  const int *first_q, *first_page;
  std::int64_t requests, heads, kv_heads, page_size;
};

template <class T, int head_dim>
class Plan {
 public:
  Plan() = default;  // of no request
  Plan(const Batch& b, podium::Workspace& workspace, podium::Stream stream) {
    const auto planned = [&](auto planner, auto&... memory) {
      podium::check(planner(memory..., indices(b.first_q), indices(b.first_page), b.first_q[b.requests], b.requests,
                            b.heads, b.kv_heads, head_dim, head_dim, b.page_size, /*enable_cuda_graph=*/false, sizeof(T),
                            /*window_left=*/-1, /*fixed_split_size=*/-1, /*disable_split_kv=*/false,
                            /*num_colocated_ctas=*/0, /*uniform_q_len=*/0, stream, sizeof(T)));
    };
    planned(flashinfer::PrefillPlanWorkspaceSize<int>, scratch_.part_bytes, scratch_.table_bytes);
    scratch_.allocate(workspace);
    planned(flashinfer::PrefillPlan<int>, scratch_.parts, scratch_.part_bytes, scratch_.tables, scratch_.staged,
            scratch_.table_bytes, info_);
  }

  // Calls launch(tile, parts of o, their LSE) with params completed; tile is a std::integral_constant, one of tiles.
  template <unsigned... tiles, class Params, class Launch>
  void run(Params& params, Launch launch) const {
    if (info_.padded_batch_size == 0) return;
    params.request_indices = scratch_.table<int>(info_.request_indices_offset);
    params.qo_tile_indices = scratch_.table<int>(info_.qo_tile_indices_offset);
    params.kv_tile_indices = scratch_.table<int>(info_.kv_tile_indices_offset);
    params.o_indptr = scratch_.table<int>(info_.o_indptr_offset);
    params.kv_chunk_size_ptr = scratch_.table<int>(info_.kv_chunk_size_ptr_offset);
    params.padded_batch_size = unsigned(info_.padded_batch_size);
    params.max_total_num_rows = unsigned(info_.total_num_rows);
    T* parts = nullptr;
    float* lse = nullptr;
    if (info_.split_kv) {
      params.merge_indptr = scratch_.table<int>(info_.merge_indptr_offset);
      parts = scratch_.part<T>(info_.v_offset);
      lse = scratch_.part<float>(info_.s_offset);
    }
    const bool known = ((info_.cta_tile_q == tiles &&
                         (podium::check(launch(std::integral_constant<unsigned, tiles>(), parts, lse)), true)) ||
                        ...);
    podium::require(known, "FlashInfer plans tiles of queries that this contestant was not compiled for");
  }

 private:
  flashinfer::PrefillPlanInfo info_;
  Scratch scratch_;
};

}  // namespace flashinfer_fa2
