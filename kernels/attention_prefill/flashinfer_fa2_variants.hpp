// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's FlashAttention-2 kernels with variants of attention, which it lets a caller define: what
// happens to scores, and to the sum of weights. Heads of 64, 128 and 256; for all problems of attention
// forward.
#pragma once
#include "flashinfer_fa2.hpp"

namespace flashinfer_fa2 {

using WindowAlone = flashinfer::DefaultAttention<false, /*use_sliding_window=*/true, false, false>;

// Windows and sinks. A sink is one more key of no value: the block that has a row's first keys counts it.
struct Windowed : WindowAlone {
  using WindowAlone::WindowAlone;

  template <class Params, class Peak>
  __device__ void update_m_d(const Params& params, unsigned part, unsigned head, Peak& peak, float& total,
                             float& scale) {
    scale = 1;
    if (params.sinks == nullptr || part != 0) return;
    const float sink = params.sinks[head] * flashinfer::math::log2e, highest = max(float(peak), sink);
    scale = exp2f(float(peak) - highest);
    total = total * scale + exp2f(sink - highest);
    peak = Peak(highest);
  }
  template <class Params, class T, class Peak>
  __device__ T OutputTransform(const Params&, T output, unsigned, unsigned, unsigned, Peak& peak,
                               float& total, float scale) {
    return peak != Peak(-flashinfer::math::inf) ? T(output * scale / total) : T(0);
  }
};

// A soft cap and ALiBi as well. FlashInfer's own soft cap takes the fast tanh, whose error is 2^-11 of the
// cap.
struct Scored : Windowed {
  template <class Params>
  __device__ __host__ Scored(const Params& params, unsigned request, std::uint8_t* shared)
      : Windowed(params, request, shared) {
    sm_scale_log2 = flashinfer::math::log2e;
  }
  template <class Params, class T>
  __device__ T LogitsTransform(const Params& params, T product, unsigned, unsigned query, unsigned key,
                               unsigned head, unsigned) {
    float score = float(product) * params.sm_scale;
    if (params.logits_soft_cap > 0) score = params.logits_soft_cap * tanhf(score / params.logits_soft_cap);
    if (params.maybe_alibi_slopes != nullptr)
      score += params.maybe_alibi_slopes[head] * float(int(key) - int(query));
    return T(score);
  }
};

// A contestant of any of these problems.
template <class Variant, class Workload, class Arguments>
class Attention {
 public:
  Attention(const Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : rows_(w, workspace, stream), plan_(batch_of(w), workspace, stream) {}

  void run(const Arguments& args, podium::Stream stream) {
    const Scores scores{.soft_cap = args.soft_cap,
                        .slopes = args.alibi ? args.slope.data : nullptr,
                        .sinks = args.sinks ? args.sink.data : nullptr};
    float* const lse = args.with_lse ? args.lse.data : nullptr;
    bool causal = false;  // as a single query need not be
    if constexpr (requires { args.causal; }) causal = args.causal == 1;
    if constexpr (requires { args.page_size; })
      plan_.paged(
          args.q.data, rows_.queries.device,
          plan_.pages(numbers(args.k_cache.data), numbers(args.v_cache.data), args.kv_indices.device.data,
                      args.kv_indptr.device.data, args.last_page_len.device.data),
          args.out.data, lse, causal, stream, scores);
    else
      plan_.ragged(args.q.data, rows_.queries.device, args.k.data, args.v.data, rows_.keys.device,
                   args.out.data, lse, causal, stream, scores);
  }

 private:
  struct Offsets {
    const int *host = nullptr, *device = nullptr;
  };
  struct RowsOf {  // the first row of each request: structure's, or made of a length that all have
    Offsets queries, keys;

    RowsOf(const Workload& w, podium::Workspace& workspace, podium::Stream stream) {
      const auto evenly = [&](std::int64_t step) {
        const Steps steps(w.batch, step, workspace, stream);
        return Offsets{steps.host, steps.device};
      };
      const auto of = [](const auto& structure) {
        return Offsets{structure.host.data, structure.device.data};
      };
      if constexpr (requires { w.qo_indptr; })
        queries = of(w.qo_indptr);
      else if constexpr (requires { w.q_len; })
        queries = evenly(w.q_len);
      else
        queries = evenly(1);
      if constexpr (requires { w.kv_indptr; })
        keys = of(w.kv_indptr);
      else
        keys = evenly(w.kv_len);
    }
  };

  Batch batch_of(const Workload& w) const {
    Batch b{rows_.queries.host, rows_.keys.host, w.batch, w.heads, w.kv_heads, w.head_dim, 1};
    b.window_left = w.window_left;
    if constexpr (requires { w.page_size; }) {
      b.page_size = w.page_size;
      b.key_bytes = sizeof(typename std::remove_cvref_t<decltype(std::declval<Arguments>().k_cache.data[0])>);
    }
    return b;
  }

  // A single query has at most as many rows as its group has heads.
  static constexpr bool many_queries = requires(Workload w) { w.causal; };
  using Planned = std::conditional_t<many_queries, PlanOf<Variant, Masks::causal_too, 16, 64, 128>,
                                     PlanOf<Variant, Masks::none, 16, 64>>;

  RowsOf rows_;
  Planned plan_;
};

}  // namespace flashinfer_fa2
