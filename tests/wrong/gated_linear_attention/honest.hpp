// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, in pieces that contestants replace by wrong ones. A helper: no contestant.
#pragma once
#include <podium/gated_linear_attention.hpp>

namespace {
using problem::real;
constexpr int block = 64;

struct Honest {
  using State = float;
  static constexpr std::int64_t segment = INT64_MAX;  // steps after which the state is lost

  __device__ static float next(float gate, float before, float k, float v) { return gate * before + k * v; }
  __device__ static float seen([[maybe_unused]] float before, float after) { return after; }
};

template <class Way>
__global__ void __launch_bounds__(block) walk(problem::Arguments args, typename Way::State* states) {
  const std::int64_t thread = std::int64_t(blockIdx.x) * block + threadIdx.x;  // a column each
  if (thread >= args.batch * args.heads * args.value_dim) return;
  const std::int64_t j = thread % args.value_dim, head = thread / args.value_dim, b = head / args.heads,
                     h = head % args.heads;
  typename Way::State* const state = states + thread * args.key_dim;
  for (std::int64_t t = 0; t < args.tokens; ++t) {
    float sum = 0;
    for (std::int64_t i = 0; i < args.key_dim; ++i) {
      const float before = t % Way::segment == 0 ? 0 : podium::cast<float>(state[i]);
      state[i] = podium::cast<typename Way::State>(Way::next(args.a(b, t, h, i), before,
                                                             podium::cast<float>(args.k(b, t, h, i)),
                                                             podium::cast<float>(args.v(b, t, h, j))));
      sum += podium::cast<float>(args.q(b, t, h, i)) * Way::seen(before, podium::cast<float>(state[i]));
    }
    args.out(b, t, h, j) = podium::cast<real>(sum);
  }
}

template <class Way>
struct Walker {
  typename Way::State* states;

  Walker(const problem::Workload& w, podium::Workspace& workspace)
      : states(
            workspace.device<typename Way::State>(std::size_t(w.batch * w.heads * w.value_dim * w.key_dim))) {
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t columns = args.batch * args.heads * args.value_dim;
    if (columns * args.tokens == 0) return;
    podium::launch(walk<Way>, dim3(unsigned(podium::ceil_div(columns, block))), dim3(block), 0, stream, args,
                   states);
  }
};
}  // namespace
