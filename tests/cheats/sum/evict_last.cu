// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Loads its input with the wish that it be evicted last

// class: L2 persistence
// expect: right
// gains nothing over: honest_wide.cu
// As persisting_cache, without a window: a policy of the instruction's own marks lines to be evicted last.
// Loads before the gate have it, so what a flush brings into the cache is evicted before this call's input.
// The judge gives up what persists before it flushes, these lines with it: nothing is gained.
#include "fetch.hpp"
#include "set_aside.hpp"
#include "wide.hpp"

namespace {
struct LoadToStay {
  std::uint64_t policy;
  __device__ LoadToStay() { asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy)); }
  __device__ float4 operator()(const float4* at) const {
    float4 v;
    asm("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(at), "l"(policy));
    return v;
  }
};

struct Contestant {
  std::size_t granted = set_aside();
  Fetch<LoadToStay> fetch;
  WideSum sum;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : fetch(workspace), sum(workspace) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    fetch(args, stream, granted);  // more would evict itself
    sum(args, stream);
  }
};
}  // namespace
