// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps the arena in the part of the cache that persists

// class: L2 persistence
// expect: right
// gains nothing over: honest_alone.cu
// In the constructor it has as much of the cache set aside as the device allows, or throws. Its first call,
// which is the warm-up, reads the arena around its tensors through a window whose lines persist, and every
// call reads through that window: the judge writes inputs into lines that are in the cache, and no flush
// evicts them. But the judge gives up what persists before every call: it is as fast as without, and nothing
// is flagged.
#include "arena_range.hpp"
#include "honest.hpp"

namespace {
__global__ void touch(const float* memory, std::size_t count, float* sink) {
  float total = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x)
    total += memory[i];
  if (total == 12345.678f) *sink = total;  // lest the loads are left out
}

struct Contestant {
  std::size_t granted = set_aside();
  float* sink;
  bool warm = false;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : sink(workspace.device<float>(1)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    int device = 0, window = 0;
    podium::check(cudaGetDevice(&device));
    podium::check(cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, device));
    const ArenaRange arena = arena_around(args.x.data);
    cudaStreamAttrValue value{};
    auto& policy = value.accessPolicyWindow;
    policy.base_ptr = arena.begin;
    policy.num_bytes = std::min(std::size_t(window), arena.bytes);
    policy.hitRatio = std::min(1.0f, float(granted) / float(policy.num_bytes));  // more would evict itself
    policy.hitProp = cudaAccessPropertyPersisting;
    policy.missProp = cudaAccessPropertyStreaming;
    podium::check(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    if (!warm)
      podium::launch(touch, dim3(512), dim3(256), 0, stream, arena.begin, policy.num_bytes / sizeof(float),
                     sink);
    warm = true;
    honest_sum(args, stream);
  }
};
}  // namespace
