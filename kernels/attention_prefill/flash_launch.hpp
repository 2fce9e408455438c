// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The launches of a flash attention with a Plan: its parts go to the device once, and its kernels run over
// them, followed by join() where a row has several parts.
#pragma once
#include <vector>

#include "flash_softmax.hpp"

namespace attention::flash {

static __global__ void copy_plan(const int* from, int* to, int count) {
  for (int n = int(blockIdx.x * blockDim.x + threadIdx.x); n < count; n += int(gridDim.x * blockDim.x))
    to[n] = from[n];
}

using Kernel = void (*)(problem::Arguments, Plan);

// One launch of a kernel whose blocks have `threads` threads.
struct Pass {
  Kernel kernel = nullptr;
  int threads = 0, shared_bytes = 0;
  Tiling tiling{};
  std::vector<Item> items{};
  const Item* on_device = nullptr;
};

// Kernels::pass(workload, rows) is the launch for tiles of `rows` rows in the mean.
template <class Kernels>
struct Launches {
  Plan plan{};
  std::vector<Pass> passes;

  Launches(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    const std::int64_t count = rows<true>(w);
    if (count == 0) return;
    plan.packed = packed_heads(w.heads / w.kv_heads);
    Planner planner(w, plan.packed);
    if constexpr (Prefixed<problem::Workload>) {
      passes.push_back(Kernels::pass(w, w.batch * plan.packed));
      passes.back().items = planner.prefix(passes.back().tiling);
    }
    passes.push_back(Kernels::pass(w, podium::ceil_div(count, w.batch) * plan.packed));
    passes.back().items = planner.requests(passes.back().tiling);

    for (Pass& pass : passes) {
      planner.mark_whole(pass.items);
      pass.on_device = to_device(pass.items, workspace, stream);
    }
    plan.parts = planner.most();
    if (plan.parts == 1) return;
    plan.counts = to_device(planner.counts(), workspace, stream);
    const auto places = std::size_t(count * w.heads * plan.parts);
    plan.sums = workspace.device<float>(places * std::size_t(w.head_dim));
    plan.states = workspace.device<State>(places);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    for (const Pass& pass : passes) {
      if (pass.items.empty()) continue;
      plan.items = pass.on_device;
      const auto blocks = std::int64_t(pass.items.size()) * (args.heads / plan.packed);
      podium::launch(pass.kernel, dim3(unsigned(blocks)), dim3(unsigned(pass.threads)),
                     std::size_t(pass.shared_bytes), stream, args, plan);
    }
    if (plan.parts < 2) return;
    const auto blocks = dim3(unsigned(rows<true>(args) * args.heads));
    const auto kernel = args.head_dim == 64 ? join<64> : args.head_dim == 128 ? join<128> : join<256>;
    podium::launch(kernel, blocks, dim3(join_block), 0, stream, args, plan);
  }

  template <class T>
  static const T* to_device(const std::vector<T>& from, podium::Workspace& workspace, podium::Stream stream) {
    if (from.empty()) return nullptr;
    T* const pinned = workspace.pinned<T>(from.size());
    T* const there = workspace.device<T>(from.size());
    std::copy(from.begin(), from.end(), pinned);
    static_assert(sizeof(T) % sizeof(int) == 0);
    podium::launch(copy_plan, dim3(64), dim3(128), 0, stream, reinterpret_cast<const int*>(pinned),
                   reinterpret_cast<int*>(there), int(from.size() * sizeof(T) / sizeof(int)));
    return there;
  }
};

}  // namespace attention::flash
