// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Flash attention on matrix cores, one kernel for prompts and for single tokens. A block has a tile of rows:
// the queries of a request with all heads of a group. It walks along a stretch of its keys in tiles: scores =
// q k^T, weights = 2^(score - largest so far), sums += weights v, all in registers. Keys and values arrive in
// shared memory meanwhile. Warps share the rows, or, where these are few, the keys of each tile. Where tiles
// are too few to keep a device busy, the keys of each are cut into stretches, and a second launch joins their
// sums.
#pragma once
#include <vector>

#include "flash_softmax.hpp"

namespace attention::flash {

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks) attend(problem::Arguments a, Plan plan) {
  PODIUM_DYNAMIC_SHARED(real, queries);
  __shared__ int slots[2][S::keys];
  __shared__ float turns[S::head_dim / 2];
  real* const keys = queries + S::rows * S::head_dim;
  real* const values = keys + S::keys * S::head_dim;
  const int groups = int(a.heads) / plan.packed;
  const Block<S> block(a, plan, plan.items[int(blockIdx.x) / groups], int(blockIdx.x) % groups * plan.packed);
  const Item& item = block.item;
  const int lane = int(threadIdx.x) % matrix::lanes, warp = int(threadIdx.x) / matrix::lanes;
  const int first_row = warp / S::key_warps * S::warp_rows, first_key = warp % S::key_warps * S::own_keys;
  const bool changed_scores = changes(a), rope = has_rope(a);
  const bool seeks = int(threadIdx.x) < S::keys;
  const float* const frequencies = rope ? turns : nullptr;

  if (rope)
    for (int d = int(threadIdx.x); d < S::head_dim / 2; d += S::threads)
      turns[d] = rope_frequency(d, S::head_dim);
  if (seeks) slots[0][threadIdx.x] = block.find(item.begin);
  __syncthreads();
  const auto load_keys = [&](int first, int buffer) {
    if (rope)
      block.load_turned(keys, key(a, 0, 0), slots[buffer], frequencies, first);
    else
      block.load(keys, key(a, 0, 0), slots[buffer], first, int(threadIdx.x) + unknown_zero());
  };
  block.load_queries(queries, frequencies);
  if (item.begin < item.end) load_keys(item.begin, 0);

  Softmax<S> softmax(changed_scores ? log2_e : score_scale(a) * log2_e);
  int buffer = 0;
  for (int at = item.begin; at < item.end; at += S::keys, buffer ^= 1) {
    arrive();  // keys; the values before these have been used
    const int zero = unknown_zero();
    block.load(values, value(a, 0, 0), slots[buffer], at, int(threadIdx.x) + zero);
    const int next = seeks ? block.find(at + S::keys) : 0;

    matrix::Sums score[S::row_tiles][Softmax<S>::key_tiles] = {};
#pragma unroll
    for (int d = 0; d < S::head_dim; d += matrix::side) {
      matrix::Left<real> q[S::row_tiles];
#pragma unroll
      for (int m = 0; m < S::row_tiles; ++m)
        q[m] = matrix::load_left<real>([&](int r, int c) {
          return chunk<S::head_dim>(queries, zero + first_row + m * matrix::side + r, d + c);
        });
#pragma unroll
      for (int t = 0; t < Softmax<S>::key_tiles; ++t) {
        const auto k = matrix::load_columns<real>([&](int r, int c) {
          return chunk<S::head_dim>(keys, zero + first_key + t * matrix::side + r, d + c);
        });
#pragma unroll
        for (int m = 0; m < S::row_tiles; ++m) matrix::multiply_add(q[m], k, score[m][t]);
      }
    }

    const bool masked = block.needs_mask(at);
    if (changed_scores || masked)
#pragma unroll
      for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
        for (int s = 0; s < matrix::rows_held; ++s) {
          const int row = first_row + m * matrix::side + matrix::row_of_slot(lane, s);
          const int first = block.first(row), end = block.end(row);
          const int head = block.exists(row) ? block.head_of(row) : 0, i = block.query_of(row);
#pragma unroll
          for (int t = 0; t < Softmax<S>::key_tiles; ++t)
#pragma unroll
            for (int n = 0; n < matrix::held; ++n) {
              if (matrix::row_slot(n) != s) continue;
              const int j = at + first_key + t * matrix::side + matrix::column(lane, n);
              float& x = score[m][t].at[n];
              if (changed_scores) x = changed(a, head, i, j, x * score_scale(a));
              if (j < first || j >= end) x = -INFINITY;
            }
        }

    if (seeks) slots[buffer ^ 1][threadIdx.x] = next;
    arrive();  // values; the keys have been used
    if (at + S::keys < item.end) load_keys(at + S::keys, buffer ^ 1);

    softmax.weigh(score);
#pragma unroll
    for (int t = 0; t < Softmax<S>::key_tiles; ++t) {
      matrix::Left<real> weights[S::row_tiles];
#pragma unroll
      for (int m = 0; m < S::row_tiles; ++m) weights[m] = matrix::rounded<real>(score[m][t]);
#pragma unroll
      for (int c = 0; c < Softmax<S>::columns; ++c) {
        const auto v = matrix::load_rows<real>([&](int r, int d) {
          return chunk<S::head_dim>(values, zero + first_key + t * matrix::side + r, c * matrix::side + d);
        });
#pragma unroll
        for (int m = 0; m < S::row_tiles; ++m) matrix::multiply_add(weights[m], v, softmax.out[m][c]);
      }
    }
  }
  arrive();  // all have used the tiles, and where there was no key the queries are there
  if constexpr (S::key_warps > 1)
    put_joined(block, softmax, reinterpret_cast<float*>(queries), first_row);
  else
    put_rows(block, softmax, queries, first_row);
}

static __global__ void copy_plan(const int* from, int* to, int count) {
  for (int n = int(blockIdx.x * blockDim.x + threadIdx.x); n < count; n += int(gridDim.x * blockDim.x))
    to[n] = from[n];
}

using Kernel = void (*)(problem::Arguments, Plan);

// One launch of a shape.
struct Pass {
  Kernel kernel = nullptr;
  int warps = 0, shared_bytes = 0;
  Tiling tiling{};
  std::vector<Item> items;
  const Item* on_device = nullptr;

  template <class S>
  static Pass of(int blocks, int least) {
    podium::allow_shared(attend<S>, S::shared_bytes);
    return {attend<S>, S::warps, S::shared_bytes, {S::rows, blocks, least}, {}, nullptr};
  }
};

#if defined(PODIUM_ON_HIP)  // blocks have 64 KiB of shared memory there, not 227
template <int head_dim>
using Few = Shape<head_dim, 1, 1, 2, 32, 1>;
template <int head_dim>
using Several = Shape<head_dim, 1, 2, head_dim == 256 ? 1 : 2, head_dim == 256 ? 16 : 64, 1>;
template <int head_dim>
using Some = Shape<head_dim, 1, 4, 1, head_dim == 256 ? 16 : 64, 1>;
template <int head_dim>
using Many = Some<head_dim>;
#else
template <int head_dim>
using Few = Shape<head_dim, 1, 1, 4, 64, head_dim == 256 ? 2 : 4>;
template <int head_dim>
using Several = Shape<head_dim, 1, 2, 2, 64, head_dim == 256 ? 2 : 3>;
template <int head_dim>
using Some = Shape<head_dim, 1, 4, 1, 64, head_dim == 256 ? 2 : 3>;
template <int head_dim>
using Many = Shape<head_dim, head_dim == 256 ? 1 : 2, 4, 1, 64, 2>;
#endif

// For tiles of `rows` rows in the mean.
template <int head_dim>
Pass pass_for(std::int64_t rows) {
  if (rows <= matrix::side) return Pass::of<Few<head_dim>>(2048, 128);
  if (rows <= Several<head_dim>::rows) return Pass::of<Several<head_dim>>(2048, 128);
  if (rows <= Some<head_dim>::rows) return Pass::of<Some<head_dim>>(1024, 256);
  return Pass::of<Many<head_dim>>(512, 512);
}
inline Pass pass_for(const problem::Workload& w, std::int64_t rows) {
  if (w.head_dim == 64) return pass_for<64>(rows);
  if (w.head_dim == 128) return pass_for<128>(rows);
  return pass_for<256>(rows);
}

struct Contestant {
  Plan plan{};
  std::vector<Pass> passes;
  int lanes = matrix::device_lanes();

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    const std::int64_t count = rows<true>(w);
    if (count == 0) return;
    plan.packed = packed_heads(w.heads / w.kv_heads);
    Planner planner(w, plan.packed);
    if constexpr (Prefixed<problem::Workload>) {
      passes.push_back(pass_for(w, w.batch * plan.packed));
      passes.back().items = planner.prefix(passes.back().tiling);
    }
    passes.push_back(pass_for(w, podium::ceil_div(count, w.batch) * plan.packed));
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
      podium::launch(pass.kernel, dim3(unsigned(blocks)), dim3(unsigned(pass.warps * lanes)),
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
