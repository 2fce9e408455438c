// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants share that call FlashInfer's FlashAttention-3 kernels on a batch: the plan, which gives
// each multiprocessor its tiles of queries, and the parameters. Heads of 128 numbers in bfloat16: a kernel
// takes a minute to compile.
#pragma once
#define CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED  // as FlashInfer compiles them
#include <podium/podium.hpp>

#include <cutlass/numeric_types.h>
#include <flashinfer/attention/hopper/default_params.cuh>
#include <flashinfer/attention/hopper/prefill_sm90.cuh>
#include <flashinfer/attention/hopper/variants.cuh>
#include <flashinfer/attention/scheduler.cuh>

#include <cmath>
#include <vector>

namespace flashinfer_fa3 {

using flashinfer::MaskMode;
using Number = cutlass::bfloat16_t;
using Ragged = flashinfer::BatchPrefillRaggedParams<Number, Number, Number, int>;
using Paged = flashinfer::BatchPrefillPagedParams<Number, Number, Number, int>;
constexpr int head_dim = 128, tile = 128;  // tile: queries of one, as the planner cuts them

// The first row of q and the first key or page of each request, and how many keys each has, on the host.
struct Batch {
  std::vector<int> first_q, first_key, keys;
  std::int64_t heads, kv_heads;
  bool causal;
};

class Plan {
 public:
  Plan(Batch b, podium::Workspace& workspace, podium::Stream stream) : batch_(std::move(b)) {
    const std::size_t requests = batch_.keys.size(), rows = std::size_t(batch_.first_q.back());
    if (rows * std::size_t(batch_.heads) == 0) return;
    constexpr std::size_t tables = 8, most_multiprocessors = 1024, alignment = 16;
    const std::size_t works = std::size_t(batch_.heads) * (rows / tile + requests);
    const std::size_t bytes = tables * (works * sizeof(int) + alignment) + most_multiprocessors * sizeof(int);
    tables_ = workspace.device(bytes);
    podium::check(flashinfer::PrefillSM90Plan<int>(
        nullptr, 0, tables_, workspace.pinned(bytes), bytes, info_, batch_.first_q.data(),
        batch_.first_key.data(), batch_.keys.data(), unsigned(rows), unsigned(requests),
        unsigned(batch_.heads), unsigned(batch_.kv_heads), unsigned(head_dim), unsigned(head_dim),
        /*page_size=*/1, batch_.causal, /*enable_cuda_graph=*/false,
        /*sizeof_dtype_o=*/2, stream));
    podium::require(!info_.same_schedule_for_all_heads,
                    "FlashInfer plans other kernels for more than 4096 tiles a head");
  }

  // q, o and lse are rows of heads; lse may be null.
  template <class T>
  void ragged(const T* q, const T* k, const T* v, T* o, float* lse, podium::Stream stream) const {
    Ragged p = params<Ragged>(q, k, v, o, lse);
    p.nnz_kv = batch_.first_key.back();
    launch_masked([&](auto mask) {
      return flashinfer::BatchPrefillWithRaggedKVCacheDispatched<
          head_dim, head_dim, mask.value, /*LEFT_SLIDING_WINDOW=*/false,
          /*SAME_SCHEDULE_FOR_ALL_HEADS=*/false, flashinfer::StandardAttention>(p, /*enable_pdl=*/false,
                                                                                stream);
    });
  }
  // Keys and values of [page, token, head, number].
  template <class T>
  void paged(const T* q, const T* k, const T* v, const int* page_indices, std::int64_t page_size, T* o,
             float* lse, podium::Stream stream) const {
    Paged p = params<Paged>(q, k, v, o, lse);
    p.kv_indices = const_cast<int*>(page_indices);
    p.page_size = int(page_size);
    p.k_page_stride = p.v_page_stride = page_size * batch_.kv_heads * head_dim;
    launch_masked([&](auto mask) {
      return flashinfer::BatchPrefillWithPagedKVCacheDispatched<
          head_dim, head_dim, mask.value, /*LEFT_SLIDING_WINDOW=*/false,
          /*SAME_SCHEDULE_FOR_ALL_HEADS=*/false, flashinfer::StandardAttention>(p, /*enable_pdl=*/false,
                                                                                stream);
    });
  }

 private:
  int* table(std::int64_t offset) const { return reinterpret_cast<int*>(tables_ + offset); }

  template <class Params, class T>
  Params params(const T* q, const T* k, const T* v, T* o, float* lse) const {
    static_assert(sizeof(T) == sizeof(Number));
    const auto number = [](const T* x) { return reinterpret_cast<Number*>(const_cast<T*>(x)); };
    Params p{};
    p.q_ptr = number(q), p.k_ptr = number(k), p.v_ptr = number(v), p.o_ptr = number(o), p.lse_ptr = lse;
    p.additional_params.sm_scale = float(1 / std::sqrt(double(head_dim)));
    p.q_stride_n = p.o_stride_n = batch_.heads * head_dim;
    p.k_stride_n = p.v_stride_n = batch_.kv_heads * head_dim;
    p.q_stride_h = p.k_stride_h = p.v_stride_h = p.o_stride_h = head_dim;
    p.nnz_qo = batch_.first_q.back();
    p.num_qo_heads = int(batch_.heads), p.num_kv_heads = int(batch_.kv_heads);
    p.group_size = int(batch_.heads / batch_.kv_heads);
    p.window_left = -1;
    p.causal = batch_.causal;
    p.qo_tile_indices = table(info_.qo_tile_indices_offset), p.qo_indptr = table(info_.qo_indptr_offset);
    p.kv_indptr = table(info_.kv_indptr_offset), p.qo_lens = table(info_.qo_len_offset);
    p.kv_lens = table(info_.kv_len_offset), p.head_indices = table(info_.head_indices_offset);
    p.work_indptr = table(info_.work_indptr_offset), p.batch_indices = table(info_.batch_indices_offset);
    return p;
  }

  // Calls launch(mask) with the mask as a constant, where there is a query.
  template <class Launch>
  void launch_masked(Launch launch) const {
    if (tables_ == nullptr) return;
    podium::check(batch_.causal ? launch(std::integral_constant<MaskMode, MaskMode::kCausal>())
                                : launch(std::integral_constant<MaskMode, MaskMode::kNone>()));
  }

  Batch batch_;
  flashinfer::PrefillPlanSM90Info info_;
  std::byte* tables_ = nullptr;
};

// Of a problem with qo_indptr and kv_indptr.
template <class Workload>
Batch batch_of(const Workload& w) {
  const int *const rows = w.qo_indptr.host.data, *const keys = w.kv_indptr.host.data;
  Batch b{.first_q{rows, rows + w.batch + 1},
          .first_key{keys, keys + w.batch + 1},
          .keys{},
          .heads = w.heads,
          .kv_heads = w.kv_heads,
          .causal = w.causal == 1};
  for (std::int64_t r = 0; r < w.batch; ++r) {
    const int count = keys[r + 1] - keys[r];
    if constexpr (requires { w.last_page_len; })
      b.keys.push_back(count == 0 ? 0 : (count - 1) * int(w.page_size) + w.last_page_len.host(r));
    else
      b.keys.push_back(count);
  }
  return b;
}

}  // namespace flashinfer_fa3
