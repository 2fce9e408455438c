// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's attention for sm_100a. -DGROUP says which. Arguments: queries, keys, heads of each.
#include <iostream>  // which the library's headers use

#include <flashinfer/attention/blackwell/fmha_cutlass_sm100.cuh>
#include <flashinfer/attention/blackwell/plan.cuh>

#include "attention.hpp"

#if GROUP == 0
using Attention = checked::Attention<cutlass::bfloat16_t>;
#define NAME "FlashInfer attention, bf16, causal, heads of 128"
#elif GROUP == 1
using Attention = checked::Attention<cutlass::half_t, 192, 128, false>;
#define NAME "FlashInfer attention, f16, all keys, heads of 192 and 128"
#elif GROUP == 2
using Attention = checked::Attention<cutlass::bfloat16_t, 64>;
#define NAME "FlashInfer attention, bf16, causal, heads of 64"
#else
#error "GROUP is 0, 1 or 2"
#endif
using Real = Attention::Number;
using Mask = std::conditional_t<Attention::causal, cutlass::fmha::collective::CausalMask,
                                cutlass::fmha::collective::ResidualMask>;
using Scores = cute::Shape<cute::_256, cute::_128, cute::Int<Attention::width>>;
using Values = cute::Shape<cute::_256, cute::Int<Attention::of_values>, cute::_128>;

int main(int count, char** arguments) {
  int multiprocessors = 0;
  checked::succeed(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "attribute");
  int failed = 0;
  // The first one has two turns of the planner, between which its race is.
  for (const auto shape :
       checked::shapes(count, arguments, {{256, 256, 2, 1}, {128, 128, 1, 1}, {200, 600, 4, 2}})) {
    const Attention a(shape);
    const auto zeros = [] { return checked::on_device(std::vector<int>(1024)); };
    int *const q_offsets = checked::on_device<int>({0, shape.queries}), *const k_offsets =
                                                                            checked::on_device<int>(
                                                                                {0, shape.keys});
    int *const work = zeros(), *const tiles = zeros(), *const heads = zeros(), *const batches = zeros();
    char* const workspace = checked::on_device(std::vector<char>(1 << 20));
    checked::Verdict verdict(NAME);
    checked::succeed(flashinfer::plan_kernel_wrapper(q_offsets, k_offsets, nullptr, nullptr, work, tiles,
                                                     heads, batches, 256, 1, shape.query_heads,
                                                     multiprocessors, Attention::causal, false, 0),
                     "plan");
    constexpr int d = Attention::width, e = Attention::of_values;
    const int q_row = shape.query_heads * d, k_row = shape.key_heads * d, v_row = shape.key_heads * e;
    const cudaError_t launched = flashinfer::run_fmha_fwd<Real, Real, std::int32_t, Scores, Values, Mask>(
        workspace, a.on_device_q, a.on_device_k, a.on_device_v, q_offsets, k_offsets, work, tiles, heads,
        batches, a.out, a.logarithms, Attention::causal, 1 / std::sqrt(double(d)), 1, 1, 1, 1,
        shape.query_heads, shape.key_heads, d, e, q_row, d, k_row, d, v_row, e, 1, shape.queries, shape.keys,
        shape.queries, 0);
    checked::succeed(launched, "launch");
    verdict.wait();
    a.compare(verdict);
    failed |= verdict.said();
  }
  return failed;
}
