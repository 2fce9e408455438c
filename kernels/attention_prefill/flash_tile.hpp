// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A block's tiles of queries, keys and values in shared memory, and how they come there.
#pragma once
#include <podium/matrix.hpp>

#include "flash_plan.hpp"

namespace attention::flash {

constexpr int chunk_width = 8;  // elements that are copied at once

// `row_warps` warps have `row_tiles` times 16 rows each; `key_warps` warps share the keys of such rows.
// `blocks_`: that a multiprocessor shall hold.
template <int head_dim_, int row_tiles_, int row_warps_, int key_warps_, int keys_, int blocks_>
struct Shape {
  static constexpr int blocks = blocks_;
  static constexpr int head_dim = head_dim_, row_tiles = row_tiles_, row_warps = row_warps_,
                       key_warps = key_warps_;
  static constexpr int keys = keys_, own_keys = keys / key_warps;
  static constexpr int warps = row_warps * key_warps, threads = warps * matrix::lanes;
  static constexpr int warp_rows = matrix::side * row_tiles, rows = warp_rows * row_warps;
  static constexpr int shared_bytes = (rows + 2 * keys) * head_dim * int(sizeof(real));
  static_assert(key_warps == 1 || warps * warp_rows * head_dim * int(sizeof(float)) <= shared_bytes);
};

// A zero that the compiler does not know: addresses computed with it are computed again in each turn of a
// loop, and take no registers from the one to the next.
__device__ inline int unknown_zero() {
  int zero = 0;
#if defined(PODIUM_ON_CUDA)
  asm volatile("" : "+r"(zero));
#endif
  return zero;
}

// 16 bytes to shared memory, zeros if not `present`; there after arrive().
__device__ inline void copy(void* to, const void* from, bool present) {
#if defined(PODIUM_ON_CUDA)
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "r"(present ? 16 : 0)
               : "memory");
#else
  const uint4 none = make_uint4(0, 0, 0, 0);
  *static_cast<uint4*>(to) = present ? *static_cast<const uint4*>(from) : none;
#endif
}
__device__ inline void arrive() {
#if defined(PODIUM_ON_CUDA)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  __syncthreads();
}

// Eight elements in a row of a tile in shared memory. Chunks are permuted so that those of eight rows lie in
// different banks.
template <int head_dim>
__device__ real* chunk(real* tile, int row, int column) {
  return tile + row * head_dim + (column / chunk_width ^ row % chunk_width) * chunk_width;
}

struct alignas(16) Chunk {
  real at[chunk_width];
};

template <class T>
__device__ void widen(const T* from, float (&to)[chunk_width]) {
  struct alignas(chunk_width * sizeof(T)) Packet {
    T at[chunk_width];
  };
  const Packet packet = *reinterpret_cast<const Packet*>(from);
#pragma unroll
  for (int n = 0; n < chunk_width; ++n) to[n] = podium::cast<float>(packet.at[n]);
}
__device__ inline void put(real* to, const float (&numbers)[chunk_width]) {
  Chunk packet;
#pragma unroll
  for (int n = 0; n < chunk_width; ++n) packet.at[n] = podium::cast<real>(numbers[n]);
  *reinterpret_cast<Chunk*>(to) = packet;
}

// Chunks d and d + head_dim / 2 of a row, turned by its position, to a row of a tile.
template <int head_dim, class T>
__device__ void turn(real* tile, int row, int d, const T* from, const float* frequencies, float position) {
  float low[chunk_width], high[chunk_width];
  widen(from + d, low);
  widen(from + d + head_dim / 2, high);
#pragma unroll
  for (int n = 0; n < chunk_width; ++n) {
    const float angle = position * frequencies[d + n], c = cosf(angle), s = sinf(angle), x = low[n],
                y = high[n];
    low[n] = x * c - y * s;
    high[n] = y * c + x * s;
  }
  put(chunk<head_dim>(tile, row, d), low);
  put(chunk<head_dim>(tile, row, d + head_dim / 2), high);
}

// What a block works on.
template <class S>
struct Block {
  const problem::Arguments& a;
  const Plan& plan;
  const Item item;
  const int head, kv_head;       // its first head
  int first_row = 0, shift = 0;  // of its request; from a query's number among these to its position
  int window = -1;
  bool causal = false;

  __device__ Block(const problem::Arguments& arguments, const Plan& p, const Item& own, int first_head)
      : a(arguments),
        plan(p),
        item(own),
        head(first_head),
        kv_head(first_head / (int(arguments.heads) / int(arguments.kv_heads))) {
    if (item.request == shared_prefix) return;
    const Request r = request(a, item.request);
    first_row = int(r.first_row);
    shift = int(r.position(0));
    causal = attention::causal(a);
    window = int(window_left(a));
  }

  __device__ bool exists(int row) const { return row < item.queries * plan.packed; }
  __device__ int row_of(int row) const { return item.row + row / plan.packed; }
  __device__ int head_of(int row) const { return head + row % plan.packed; }
  __device__ int query_of(int row) const { return row_of(row) - first_row; }
  __device__ int position(int row) const { return query_of(row) + shift; }

  // Keys of the stretch that a row sees.
  __device__ int first(int row) const { return window < 0 ? 0 : position(row) - window; }
  __device__ int end(int row) const { return causal ? min(item.end, position(row) + 1) : item.end; }
  __device__ bool needs_mask(int key) const {
    return key + S::keys > end(0) || key < first(item.queries * plan.packed - 1);
  }

  __device__ void load_queries(real* tile, const float* frequencies) const {
    constexpr int chunks = S::head_dim / chunk_width;
    if (frequencies != nullptr) {
      for (int c = int(threadIdx.x); c < S::rows * chunks / 2; c += S::threads) {
        const int row = c / (chunks / 2), d = c % (chunks / 2) * chunk_width;
        if (exists(row))
          turn<S::head_dim>(tile, row, d, query(a, row_of(row), head_of(row)), frequencies,
                            float(position(row)));
      }
    } else {
      for (int c = int(threadIdx.x); c < S::rows * chunks; c += S::threads) {
        const int row = c / chunks, d = c % chunks * chunk_width, from = exists(row) ? row : 0;
        copy(chunk<S::head_dim>(tile, row, d), query(a, row_of(from), head_of(from)) + d, exists(row));
      }
    }
  }

  // Where key `key` + threadIdx.x lies.
  __device__ int find(int key) const {
    const int j = key + int(threadIdx.x);
    return j < item.end ? int(slot(a, item.request, j)) : 0;
  }

  // Of the first kv head's elements `all`, S::keys rows from key `key` on; `thread` is this one.
  __device__ void load(real* tile, const Key* all, const int* slots, int key, int thread) const {
    constexpr int chunks = S::head_dim / chunk_width;
    const Key* const own = all + kv_head * S::head_dim;
#pragma unroll
    for (int n = 0; n < podium::ceil_div(S::keys * chunks, S::threads); ++n) {
      const int c = thread + n * S::threads, row = c / chunks, d = c % chunks * chunk_width;
      if (S::keys * chunks % S::threads != 0 && row >= S::keys) continue;
      const Key* const from = own + std::int64_t(slots[row]) * a.kv_heads * S::head_dim + d;
      real* const to = chunk<S::head_dim>(tile, row, d);
      if constexpr (std::is_same_v<Key, real>) {
        copy(to, from, key + row < item.end);
      } else {
        float numbers[chunk_width] = {};
        if (key + row < item.end) widen(from, numbers);
        put(to, numbers);
      }
    }
  }
  __device__ void load_turned(real* tile, const Key* all, const int* slots, const float* frequencies,
                              int key) const {
    constexpr int chunks = S::head_dim / chunk_width;
    for (int c = int(threadIdx.x); c < S::keys * chunks / 2; c += S::threads) {
      const int row = c / (chunks / 2), d = c % (chunks / 2) * chunk_width;
      turn<S::head_dim>(tile, row, d, all + (std::int64_t(slots[row]) * a.kv_heads + kv_head) * S::head_dim,
                        frequencies, float(key + row));
    }
  }
};

}  // namespace attention::flash
