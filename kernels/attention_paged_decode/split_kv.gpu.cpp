// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Split KV, a key read once for all heads of its group
//   author: Podium
//   source: after Dao et al., Flash-Decoding for long-context inference, 2023

// All query heads of a group look at the same keys and values, so one block serves up to eight of them. It
// takes a stretch of a request's tokens, so that a few long requests keep a whole device busy; a second
// launch joins the stretches. Within a block a team of 16 lanes reads a whole key in one access each, four
// keys and their values at a time, and has its own largest score and sums; teams are joined at the end.
#include <podium/attention_paged_decode.hpp>

namespace {
using problem::real, problem::head_dim, problem::page_size;
constexpr int lanes = 8;                // elements of a Packet
constexpr int team = head_dim / lanes;  // threads that share a key
constexpr int teams = 8, block = teams * team;
constexpr int batch = 4;      // tokens that a team has on their way
constexpr int stretch = 256;  // tokens of a block
constexpr float log2_e = 1.44269504f;

struct alignas(16) Packet {
  real at[lanes];
};

struct State {  // of one head: sum of 2^(score - peak) times v, and of the powers alone
  float peak = -INFINITY, total = 0, sum[lanes] = {};

  __device__ void scale_to(float higher) {
    const float scale = peak == higher ? 1.0f : exp2f(peak - higher);
    peak = higher;
    total *= scale;
#pragma unroll
    for (int k = 0; k < lanes; ++k) sum[k] *= scale;
  }
};

// For each request, head and stretch: sums (head_dim), then peaks and totals.
struct Parts {
  float *sums, *peaks, *totals;
  std::int64_t stretches;  // most of a request

  __device__ std::int64_t place(std::int64_t request, std::int64_t heads, std::int64_t head,
                                std::int64_t s) const {
    return (request * heads + head) * stretches + s;
  }
};

__device__ int tokens_of(const problem::Arguments& a, std::int64_t request) {
  const int pages = a.kv_indptr.device(request + 1) - a.kv_indptr.device(request);
  return (pages - 1) * page_size + a.last_page_len.device(request);
}

template <int group>
__global__ void __launch_bounds__(block) decode(problem::Arguments a, Parts parts) {
  __shared__ float shared_sums[teams][head_dim], shared_peaks[teams], shared_totals[teams];
  const std::int64_t groups = a.heads / group, s = blockIdx.x % parts.stretches,
                     request = blockIdx.x / parts.stretches / groups,
                     head = blockIdx.x / parts.stretches % groups * group,
                     kv_head = head / (a.heads / a.kv_heads);
  const int begin = int(s) * stretch, tokens = tokens_of(a, request);
  const int end = tokens < begin + stretch ? tokens : begin + stretch;
  if (begin >= end) return;
  const int mine = int(threadIdx.x) / team, lane = int(threadIdx.x) % team;
  const int first = a.kv_indptr.device(request);

  float q[group][lanes];
#pragma unroll
  for (int g = 0; g < group; ++g)
#pragma unroll
    for (int k = 0; k < lanes; ++k)
      q[g][k] =
          podium::cast<float>(a.q(request, head + g, lane * lanes + k)) * float(problem::sm_scale) * log2_e;

  State state[group];
  for (int at = begin; at < end; at += teams * batch) {  // the same for all teams: lanes shuffle together
    Packet keys[batch], values[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      const int t = at + n * teams + mine;
      if (t >= end) continue;
      const std::int64_t page = a.kv_indices.device(first + t / page_size);
      keys[n] = *reinterpret_cast<const Packet*>(&a.k_cache(page, t % page_size, kv_head, lane * lanes));
      values[n] = *reinterpret_cast<const Packet*>(&a.v_cache(page, t % page_size, kv_head, lane * lanes));
    }
#pragma unroll
    for (int g = 0; g < group; ++g) {
      float score[batch], higher = state[g].peak;
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        score[n] = 0;
        const bool inside = at + n * teams + mine < end;
        if (inside)
#pragma unroll
          for (int k = 0; k < lanes; ++k) score[n] += q[g][k] * podium::cast<float>(keys[n].at[k]);
#pragma unroll
        for (int d = team / 2; d > 0; d /= 2) score[n] += __shfl_xor_sync(podium::all_lanes, score[n], d);
        if (!inside) score[n] = -INFINITY;
        higher = fmaxf(higher, score[n]);
      }
      if (higher == -INFINITY) continue;  // this team has had no token so far
      state[g].scale_to(higher);
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        if (at + n * teams + mine >= end) continue;
        const float weight = exp2f(score[n] - higher);
        state[g].total += weight;
#pragma unroll
        for (int k = 0; k < lanes; ++k) state[g].sum[k] += weight * podium::cast<float>(values[n].at[k]);
      }
    }
  }

#pragma unroll
  for (int g = 0; g < group; ++g) {
    if (lane == 0) shared_peaks[mine] = state[g].peak;
    __syncthreads();
    float peak = -INFINITY;
    for (int w = 0; w < teams; ++w) peak = fmaxf(peak, shared_peaks[w]);
    state[g].scale_to(peak);
    if (lane == 0) shared_totals[mine] = state[g].total;
#pragma unroll
    for (int k = 0; k < lanes; ++k) shared_sums[mine][lane * lanes + k] = state[g].sum[k];
    __syncthreads();
    const std::int64_t place = parts.place(request, a.heads, head + g, s);
    for (int d = int(threadIdx.x); d < head_dim; d += block) {
      float sum = 0;
      for (int w = 0; w < teams; ++w) sum += shared_sums[w][d];
      parts.sums[place * head_dim + d] = sum;
    }
    if (threadIdx.x == 0) {
      float total = 0;
      for (int w = 0; w < teams; ++w) total += shared_totals[w];
      parts.peaks[place] = peak;
      parts.totals[place] = total;
    }
    __syncthreads();
  }
}

__global__ void __launch_bounds__(head_dim) join(problem::Arguments a, Parts parts) {
  const std::int64_t request = blockIdx.x / a.heads, head = blockIdx.x % a.heads;
  const int count = (tokens_of(a, request) + stretch - 1) / stretch;
  const std::int64_t place = parts.place(request, a.heads, head, 0);
  float peak = -INFINITY, total = 0, sum = 0;
  for (int s = 0; s < count; ++s) peak = fmaxf(peak, parts.peaks[place + s]);
  for (int s = 0; s < count; ++s) {
    const float scale = exp2f(parts.peaks[place + s] - peak);
    total += scale * parts.totals[place + s];
    sum += scale * parts.sums[(place + s) * head_dim + threadIdx.x];
  }
  a.out(request, head, threadIdx.x) = podium::cast<real>(sum / total);
}

struct Contestant {
  Parts parts{};

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    int pages = 0;
    for (std::int64_t b = 0; b < w.batch; ++b)
      pages = std::max(pages, w.kv_indptr.host(b + 1) - w.kv_indptr.host(b));
    parts.stretches = podium::ceil_div(std::int64_t(pages) * page_size, stretch);
    const auto places = std::size_t(w.batch * w.heads * parts.stretches);
    parts.sums = workspace.device<float>(places * head_dim);
    parts.peaks = workspace.device<float>(places);
    parts.totals = workspace.device<float>(places);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch * args.heads == 0) return;
    const auto launch = [&](auto kernel, int group) {
      podium::launch(kernel, dim3(unsigned(args.batch * (args.heads / group) * parts.stretches)), dim3(block),
                     0, stream, args, parts);
    };
    const std::int64_t group = args.heads / args.kv_heads;
    if (group % 8 == 0)
      launch(decode<8>, 8);
    else if (group % 4 == 0)
      launch(decode<4>, 4);
    else if (group % 2 == 0)
      launch(decode<2>, 2);
    else
      launch(decode<1>, 1);
    podium::launch(join, dim3(unsigned(args.batch * args.heads)), dim3(head_dim), 0, stream, args, parts);
  }
};
}  // namespace
