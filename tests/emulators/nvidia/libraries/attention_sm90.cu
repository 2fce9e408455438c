// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's FlashAttention-3 for sm_90a: causal, f16, heads of 128. Arguments: queries, keys, heads of
// each.
#include <cutlass/numeric_types.h>
#include <flashinfer/attention/hopper/default_params.cuh>
#include <flashinfer/attention/hopper/prefill_sm90.cuh>
#include <flashinfer/attention/hopper/variants.cuh>

#include "attention.hpp"

using Real = cutlass::half_t;
using Parameters = flashinfer::SinglePrefillParams<Real, Real, Real>;

int main(int count, char** arguments) {
  int failed = 0;
  for (const auto shape :
       checked::shapes(count, arguments, {{128, 128, 1, 1}, {100, 300, 2, 1}, {256, 256, 4, 2}})) {
    const checked::Attention<Real> a(shape);
    constexpr int d = checked::Attention<Real>::width;
    Parameters p{};
    p.q_ptr = a.on_device_q, p.k_ptr = a.on_device_k, p.v_ptr = a.on_device_v, p.o_ptr = a.out;
    p.lse_ptr = a.logarithms;
    p.additional_params.sm_scale = 1 / std::sqrt(float(d));
    p.q_stride_n = p.o_stride_n = shape.query_heads * d;
    p.k_stride_n = p.v_stride_n = shape.key_heads * d;
    p.q_stride_h = p.k_stride_h = p.v_stride_h = p.o_stride_h = d;
    p.qo_len = shape.queries, p.kv_len = shape.keys;
    p.num_qo_heads = shape.query_heads, p.num_kv_heads = shape.key_heads;
    p.group_size = shape.query_heads / shape.key_heads;
    p.window_left = -1;
    p.causal = true;
    checked::Verdict verdict("FlashInfer FlashAttention-3, sm_90a");
    const cudaError_t launched =
        flashinfer::SinglePrefillWithKVCacheDispatched<d, d, flashinfer::MaskMode::kCausal, false,
                                                       flashinfer::StandardAttention>(p, 0);
    checked::succeed(launched, "launch");
    verdict.wait();
    a.compare(verdict);
    failed |= verdict.said();
  }
  return failed;
}
