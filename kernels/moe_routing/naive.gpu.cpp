// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread a token, one counter an expert
//   author: Podium

// Each token goes to the k experts whose logits are largest, and their outputs are added up by weights that
// sum to 1. Experts work on all their tokens at once, so the (token, choice) pairs are listed by expert:
// count the pairs of each, add the counts up to where each expert's part begins, and hand out the places of a
// part in whatever order threads ask for them.
#include <podium/moe_routing.hpp>

namespace {
constexpr int block = 256;

__device__ std::int64_t thread_index() { return std::int64_t(blockIdx.x) * block + threadIdx.x; }

__global__ void __launch_bounds__(block) clear(std::int32_t* next, std::int64_t experts) {
  if (const std::int64_t e = thread_index(); e < experts) next[e] = 0;
}

__global__ void __launch_bounds__(block) choose(problem::Arguments args, std::int32_t* count) {
  const std::int64_t t = thread_index();
  if (t >= args.tokens) return;
  float first = 0, last = INFINITY, total = 0;
  std::int64_t at = -1;  // the choice before; equal logits are taken in the order in which they stand
  for (std::int64_t s = 0; s < args.k; ++s) {
    float best = -INFINITY;
    std::int64_t best_at = -1;
    for (std::int64_t e = 0; e < args.experts; ++e) {
      const float v = podium::cast<float>(args.logits(t, e));
      if ((v < last || (v == last && e > at)) && (best_at < 0 || v > best)) {
        best = v;
        best_at = e;
      }
    }
    last = best;
    at = best_at;
    if (s == 0) first = best;
    args.expert(t, s) = std::int32_t(at);
    total += args.weights(t, s) = expf(best - first);
    atomicAdd(&count[at], 1);
  }
  for (std::int64_t s = 0; s < args.k; ++s) args.weights(t, s) /= total;
}

// Counts become places that are still to be handed out.
__global__ void add_up(podium::Tensor<std::int32_t, 1> offsets, std::int32_t* next, std::int64_t experts) {
  std::int32_t sum = 0;
  for (std::int64_t e = 0; e < experts; ++e) {
    const std::int32_t count = next[e];
    offsets(e) = next[e] = sum;
    sum += count;
  }
  offsets(experts) = sum;
}

__global__ void __launch_bounds__(block) place(problem::Arguments args, std::int32_t* next) {
  const std::int64_t p = thread_index();
  if (p < args.pairs.size()) args.pairs(atomicAdd(&next[args.expert.data[p]], 1)) = std::int32_t(p);
}

struct Contestant {
  std::int32_t* next;  // first how many, then where the next goes, of each expert

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : next(workspace.device<std::int32_t>(std::size_t(w.experts))) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto blocks = [](std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); };
    podium::launch(clear, blocks(args.experts), dim3(block), 0, stream, next, args.experts);
    if (args.tokens > 0) podium::launch(choose, blocks(args.tokens), dim3(block), 0, stream, args, next);
    podium::launch(add_up, dim3(1), dim3(1), 0, stream, args.offsets, next, args.experts);
    if (args.tokens > 0) podium::launch(place, blocks(args.pairs.size()), dim3(block), 0, stream, args, next);
  }
};
}  // namespace
