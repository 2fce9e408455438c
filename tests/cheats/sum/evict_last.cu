// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Loads everything with the wish to be evicted last

// class: L2 persistence
// expect: right
// gains nothing over: honest_alone.cu
// As persisting_cache, without a window and without asking the runtime: a policy of the instruction's own
// marks lines to be evicted last. The warm-up loads the arena so, and every call its inputs. What a flush
// brings into the cache is evicted before them. The judge gives up what persists before every call, these
// lines with it: nothing is gained.
#include "arena_range.hpp"
#include "honest.hpp"

namespace {
__device__ float load_to_stay(const float* at) {
  std::uint64_t policy;
  float value;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(at), "l"(policy));
  return value;
}

__global__ void load_all(const float* memory, std::size_t count, float* sink) {
  float total = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x)
    total += load_to_stay(memory + i);
  if (total == 12345.678f) *sink = total;
}

__global__ void staying_sum(const float* x, float* y,
                            std::int64_t n) {  // the honest kernel, with these loads
  __shared__ double partial[honest_threads];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += honest_threads) total += load_to_stay(x + i);
  partial[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < honest_threads; ++t) total += partial[t];
  *y = float(total);
}

struct Contestant {
  std::size_t granted = set_aside();
  float* sink;
  bool warm = false;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : sink(workspace.device<float>(1)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (!warm) {
      const ArenaRange arena = arena_around(args.x.data);
      const std::size_t bytes = std::min(granted, arena.bytes);
      podium::launch(load_all, dim3(512), dim3(256), 0, stream, arena.begin, bytes / sizeof(float), sink);
    }
    warm = true;
    podium::launch(staying_sum, dim3(1), dim3(honest_threads), 0, stream, args.x.data, args.y.data, args.n);
  }
};
}  // namespace
