// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's kernels timed alone on the workloads of attention_prefill and attention_paged_decode whose
// names are printed: what FlashInfer's rows are held against. Its FA3 kernels define the names of its FA2
// kernels again, so that each is a program of its own.
//   F=$(scripts/compiler flashinfer)
//   nvcc -std=c++20 -O3 --expt-relaxed-constexpr -arch=sm_90a -I$F/cccl/libcudacxx/include -I$F/cccl/cub
//     -I$F/cccl/thrust -I$F/include -I$F/cutlass/include
//     -I$F/cutlass/tools/util/include -I$F/spdlog/include [-DFA3] tests/gpu/flashinfer_baselines.cu -lcuda -o
//     flashinfer_baselines && ./flashinfer_baselines
#ifdef FA3
#define CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED
#include <cutlass/numeric_types.h>
#include <flashinfer/attention/hopper/default_params.cuh>
#include <flashinfer/attention/hopper/prefill_sm90.cuh>
#include <flashinfer/attention/hopper/variants.cuh>
#else
#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>
#include <flashinfer/attention/default_prefill_params.cuh>
#include <flashinfer/attention/prefill.cuh>
#include <flashinfer/attention/variants.cuh>
#endif
#include <flashinfer/attention/scheduler.cuh>

#include <cmath>
#include <random>

#include "alone.hpp"

using namespace flashinfer;
constexpr int heads = 32, kv_heads = 8, d = 128;
const float scale = 1 / std::sqrt(float(d));

// Memory of plans, on the device and staged.
struct Workspace {
  std::size_t bytes = 512 << 20;
  void *parts, *tables, *staged;
  Workspace() {
    CHECK(cudaMalloc(&parts, bytes));
    CHECK(cudaMalloc(&tables, bytes));
    CHECK(cudaMallocHost(&staged, bytes));
  }
  template <class T>
  T* part(long offset) const {
    return reinterpret_cast<T*>(static_cast<char*>(parts) + offset);
  }
  int* table(long offset) const { return reinterpret_cast<int*>(static_cast<char*>(tables) + offset); }
};

int* on_device(const std::vector<int>& values) {
  int* copy;
  CHECK(cudaMalloc(&copy, values.size() * sizeof(int)));
  CHECK(cudaMemcpy(copy, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  return copy;
}

// 0, step, ..., n * step.
std::vector<int> steps(int n, int step) {
  std::vector<int> values(std::size_t(n) + 1);
  for (int i = 0; i <= n; ++i) values[std::size_t(i)] = i * step;
  return values;
}

#ifdef FA3
template <MaskMode mask>
void prefill(const Workspace& w, int batch, int length, const char* name) {
  using T = cutlass::bfloat16_t;
  const std::size_t rows = std::size_t(batch) * length;
  T *q = random_values<T>(rows * heads * d, 1), *k = random_values<T>(rows * kv_heads * d, 2),
    *v = random_values<T>(rows * kv_heads * d, 3), *o = random_values<T>(rows * heads * d, 4);
  std::vector<int> first = steps(batch, length), lengths(first.size() - 1, length);
  PrefillPlanSM90Info plan;
  CHECK(PrefillSM90Plan<int>(w.parts, w.bytes, w.tables, w.staged, w.bytes, plan, first.data(), first.data(),
                             lengths.data(), unsigned(rows), batch, heads, kv_heads, d, d, /*page_size=*/1,
                             mask == MaskMode::kCausal, /*enable_cuda_graph=*/false, /*sizeof_dtype_o=*/2,
                             cudaStream_t()));
  BatchPrefillRaggedParams<T, T, T, int> p{};
  p.q_ptr = q, p.k_ptr = k, p.v_ptr = v, p.o_ptr = o;
  p.additional_params.sm_scale = scale;
  p.q_stride_n = p.o_stride_n = heads * d, p.k_stride_n = p.v_stride_n = kv_heads * d;
  p.q_stride_h = p.k_stride_h = p.v_stride_h = p.o_stride_h = d;
  p.nnz_qo = p.nnz_kv = int(rows), p.num_qo_heads = heads, p.num_kv_heads = kv_heads;
  p.group_size = heads / kv_heads, p.window_left = -1, p.causal = mask == MaskMode::kCausal;
  p.qo_tile_indices = w.table(plan.qo_tile_indices_offset), p.qo_indptr = w.table(plan.qo_indptr_offset);
  p.kv_indptr = w.table(plan.kv_indptr_offset), p.qo_lens = w.table(plan.qo_len_offset);
  p.kv_lens = w.table(plan.kv_len_offset), p.head_indices = w.table(plan.head_indices_offset);
  p.work_indptr = w.table(plan.work_indptr_offset), p.batch_indices = w.table(plan.batch_indices_offset);
  time(name, length, [&](cudaStream_t s) {
    CHECK((BatchPrefillWithRaggedKVCacheDispatched<d, d, mask, /*LEFT_SLIDING_WINDOW=*/false,
                                                   /*SAME_SCHEDULE_FOR_ALL_HEADS=*/false, StandardAttention>(
        p, /*enable_pdl=*/false, s)));
  });
  for (T* x : {q, k, v, o}) give_back(x);
}
#else
using T = __nv_bfloat16;
using Plain = DefaultAttention<false, false, false, false>;
constexpr auto no_rope = PosEncodingMode::kNone;

PrefillPlanInfo planned(const Workspace& w, std::vector<int>& first, std::vector<int>& first_page, int batch,
                        int page_size) {
  PrefillPlanInfo plan;
  CHECK(PrefillPlan<int>(w.parts, w.bytes, w.tables, w.staged, w.bytes, plan, first.data(), first_page.data(),
                         unsigned(first.back()), unsigned(batch), heads, kv_heads, d, d, unsigned(page_size),
                         /*enable_cuda_graph=*/false, /*sizeof_dtype_o=*/2, /*window_left=*/-1,
                         /*fixed_split_size=*/-1, /*disable_split_kv=*/false, /*num_colocated_ctas=*/0,
                         /*uniform_q_len=*/0, cudaStream_t(), /*kv_dtype_bytes=*/2));
  return plan;
}

// Sets what of a plan is in p; results of parts go to parts and lse.
template <class Params>
void take(const Workspace& w, const PrefillPlanInfo& plan, Params& p, T*& parts, float*& lse) {
  p.request_indices = w.table(plan.request_indices_offset);
  p.qo_tile_indices = w.table(plan.qo_tile_indices_offset);
  p.kv_tile_indices = w.table(plan.kv_tile_indices_offset);
  p.o_indptr = w.table(plan.o_indptr_offset);
  p.kv_chunk_size_ptr = w.table(plan.kv_chunk_size_ptr_offset);
  p.padded_batch_size = unsigned(plan.padded_batch_size);
  p.max_total_num_rows = unsigned(plan.total_num_rows);
  if (!plan.split_kv) return;
  p.merge_indptr = w.table(plan.merge_indptr_offset);
  parts = w.part<T>(plan.v_offset), lse = w.part<float>(plan.s_offset);
}

template <MaskMode mask>
void prefill(const Workspace& w, int batch, int length, const char* name) {
  const std::size_t rows = std::size_t(batch) * length;
  T *q = random_values<T>(rows * heads * d, 1), *k = random_values<T>(rows * kv_heads * d, 2),
    *v = random_values<T>(rows * kv_heads * d, 3), *o = random_values<T>(rows * heads * d, 4);
  std::vector<int> first = steps(batch, length);
  int* const index = on_device(first);
  BatchPrefillRaggedParams<T, T, T, int> p(q, k, v, nullptr, index, index, nullptr, nullptr, nullptr, o,
                                           nullptr, nullptr, heads, kv_heads, heads * d, d, kv_heads * d, d,
                                           -1, 0, scale, 1, 1e4f);
  const PrefillPlanInfo plan = planned(w, first, first, batch, /*page_size=*/1);
  T* parts = nullptr;
  float* lse = nullptr;
  take(w, plan, p, parts, lse);
  if (plan.cta_tile_q != 128) std::printf("a tile of %ld queries\n", long(plan.cta_tile_q)), std::exit(1);
  time(name, length, [&](cudaStream_t s) {
    CHECK((BatchPrefillWithRaggedKVCacheDispatched<128, d, d, no_rope, false, mask, Plain>(p, parts, lse,
                                                                                           false, s)));
  });
  for (T* x : {q, k, v, o}) give_back(x);
}

void decode(const Workspace& w, int batch, int length, int page_size, const char* name) {
  const int pages_each = (length + page_size - 1) / page_size, pages = batch * pages_each;
  const std::size_t numbers = std::size_t(pages) * page_size * kv_heads * d;
  T *q = random_values<T>(std::size_t(batch) * heads * d, 1), *k = random_values<T>(numbers, 2),
    *v = random_values<T>(numbers, 3), *o = random_values<T>(std::size_t(batch) * heads * d, 4);
  std::vector<int> first_page = steps(batch, pages_each), order = steps(pages - 1, 1),
                   first = steps(batch, 1);
  std::shuffle(order.begin(), order.end(), std::mt19937());
  const std::vector<int> last(first_page.size() - 1, (length - 1) % page_size + 1);
  const paged_kv_t<T, int> kv(kv_heads, unsigned(page_size), d, unsigned(batch), QKVLayout::kNHD, k, v,
                              on_device(order), on_device(first_page), on_device(last));
  {
    BatchPrefillPagedParams<T, T, T, int> p(q, kv, nullptr, on_device(first), nullptr, nullptr, o, nullptr,
                                            nullptr, heads, heads * d, d, -1, 0, scale, 1, 1e4f);
    const PrefillPlanInfo plan = planned(w, first, first_page, batch, page_size);
    T* parts = nullptr;
    float* lse = nullptr;
    take(w, plan, p, parts, lse);
    if (plan.cta_tile_q != 16) std::printf("a tile of %ld queries\n", long(plan.cta_tile_q)), std::exit(1);
    time((std::string(name) + " FA2").c_str(), length, [&](cudaStream_t s) {
      CHECK((BatchPrefillWithPagedKVCacheDispatched<true, 16, d, d, no_rope, false, MaskMode::kNone, Plain>(
          p, parts, lse, false, s)));
    });
  }
  using Params = BatchDecodeParams<T, T, T, int>;
  Params p(q, nullptr, kv, o, nullptr, nullptr, heads, heads * d, d, -1, 0, scale, 1, 1e4f);
  DecodePlanInfo plan;
  CHECK((DecodePlan<d, no_rope, Plain, Params>(
      w.parts, w.bytes, w.tables, w.staged, w.bytes, plan, first_page.data(), unsigned(batch), heads,
      unsigned(page_size), /*enable_cuda_graph=*/false, cudaStream_t(),
      BatchDecodeWithPagedKVCacheWorkEstimationDispatched<heads / kv_heads, d, no_rope, Plain, Params>)));
  p.request_indices = w.table(plan.request_indices_offset);
  p.kv_tile_indices = w.table(plan.kv_tile_indices_offset);
  p.o_indptr = w.table(plan.o_indptr_offset);
  p.kv_chunk_size_ptr = w.table(plan.kv_chunk_size_ptr_offset);
  p.padded_batch_size = unsigned(plan.padded_batch_size);
  T* const parts = plan.split_kv ? w.part<T>(plan.v_offset) : nullptr;
  float* const lse = plan.split_kv ? w.part<float>(plan.s_offset) : nullptr;
  time((std::string(name) + " decode").c_str(), length, [&](cudaStream_t s) {
    CHECK((BatchDecodeWithPagedKVCacheDispatched<d, no_rope, Plain>(p, parts, lse, false, s)));
  });
  for (T* x : {q, k, v, o}) give_back(x);
}
#endif

int main(int argc, char** argv) {
  set_flush(argc, argv);
  const Workspace w;
  prefill<MaskMode::kNone>(w, 4, 4096, "b4_s4096");
  prefill<MaskMode::kCausal>(w, 4, 4096, "b4_s4096_causal");
#ifndef FA3
  decode(w, 1, 131072, 16, "one_long");
  decode(w, 16, 4093, 16, "b16");
  decode(w, 128, 8189, 16, "b128");
  decode(w, 256, 1024, 64, "b256");
#endif
}
