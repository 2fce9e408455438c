// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The launches of a flash attention with a Plan: its parts go to the device once, and its kernels run over
// them, followed by join() where a row has several parts.
#pragma once
#include <vector>

#include "flash_join.hpp"

namespace attention::flash {

using Kernel = void (*)(problem::Arguments, Plan);

// One launch of a kernel whose blocks have `threads` threads.
struct Pass {
  Kernel kernel = nullptr;
  int threads = 0, shared_bytes = 0;
  Tiling tiling{};
  std::vector<Item> items{};
  const Item* on_device = nullptr;
};

// Keys and values of kv_heads heads, head_dim elements each.
struct Grouped {
  static int packed(const auto& w) { return packed_heads(w.heads / w.kv_heads, matrix::side); }
  static std::int64_t width(const auto& w) { return w.head_dim; }
};

// Kernels::pass(workload, rows) is the launch for tiles of `rows` rows in the mean; packed(workload) heads
// share one, whose values have width(workload) elements.
template <class Kernels>
struct Launches {
  Plan plan{};
  std::vector<Pass> passes;

  Launches(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    const std::int64_t count = rows<true>(w);
    if (count == 0) return;
    plan.packed = Kernels::packed(w);
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
    plan.sums = workspace.device<float>(places * std::size_t(Kernels::width(w)));
    plan.states = workspace.device<State>(places);
  }

  static Kernel join_of(std::int64_t width) {
    return width == 64 ? join<64> : width == 128 ? join<128> : width == 256 ? join<256> : join<512>;
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
    podium::launch(join_of(Kernels::width(args)), blocks, dim3(join_block), 0, stream, args, plan);
  }
};

}  // namespace attention::flash
