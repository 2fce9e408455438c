// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: State in registers, segments of the sequence side by side
//   author: Podium
//   source: after Yang et al., Gated linear attention transformers with hardware-efficient training, 2023

// A thread keeps 32 rows of a column of the state in registers; the threads of a column are neighbours and
// add up their parts of the output. Queries, keys, gates and values of a few steps come to shared memory
// together. Where heads and columns are too few to keep a device busy, the sequence is cut: the first launch
// finds what state each segment leaves if it begins with none, the second what it begins with, since a
// segment multiplies that by its gates and adds its own; then all segments run at once.
#include <podium/gated_linear_attention.hpp>

namespace {
using problem::real;
constexpr int block = 128, quads = 8, rows = 4 * quads;  // rows of a thread, four adjacent ones at a time
constexpr int tile = 2048;                               // elements of q, k and a that are in shared memory
constexpr int most_steps = 16;
constexpr std::int64_t enough = 1024;  // blocks that keep a device busy
constexpr std::int64_t shortest = 64;  // steps of a segment

struct alignas(16) Quad {
  float at[4];
};

struct Cut {              // scratch: of each head and segment
  float *states, *gates;  // [key_dim][value_dim], [key_dim]
  std::int64_t segments, length;
  int split;  // threads of a column: a power of two, at most 32
};

// `outputs`: from the state in `cut`, else from none, and the state is left there.
template <bool outputs>
__global__ void __launch_bounds__(block) walk(problem::Arguments args, Cut cut) {
  __shared__ __align__(16) float q[tile], k[tile], a[tile];  // [step][padded]
  __shared__ float v[block * most_steps];                    // [step][column]; then the outputs
  const int split = cut.split, columns = block / split, padded = split * rows;
  const int steps = tile / padded < most_steps ? tile / padded : most_steps;
  const std::int64_t slices = (args.value_dim + columns - 1) / columns;
  const std::int64_t first = blockIdx.x % slices * columns, item = blockIdx.x / slices,
                     segment = item % cut.segments, head = item / cut.segments;
  const std::int64_t b = head / args.heads, h = head % args.heads;
  const int column = int(threadIdx.x) / split, part = int(threadIdx.x) % split;
  const std::int64_t j = first + column, begin = segment * cut.length;
  const std::int64_t end = begin + cut.length < args.tokens ? begin + cut.length : args.tokens;
  const auto row_of = [&](int n, int e) { return (n * split + part) * 4 + e; };
  float* const states = cut.states + item * args.key_dim * args.value_dim;

  float state[quads][4], gate[quads][4];
#pragma unroll
  for (int n = 0; n < quads; ++n)
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const bool kept = outputs && cut.segments > 1 && row_of(n, e) < args.key_dim && j < args.value_dim;
      state[n][e] = kept ? states[row_of(n, e) * args.value_dim + j] : 0;
      gate[n][e] = 1;
    }
  for (std::int64_t at = begin; at < end; at += steps) {
    const int count = int(end - at < steps ? end - at : steps);
    for (int x = int(threadIdx.x); x < count * padded; x += block) {
      const int i = x % padded;
      const bool inside = i < args.key_dim;
      q[x] = outputs && inside ? podium::cast<float>(args.q(b, at + x / padded, h, i)) : 0;
      k[x] = inside ? podium::cast<float>(args.k(b, at + x / padded, h, i)) : 0;
      a[x] = inside ? args.a(b, at + x / padded, h, i) : 0;
    }
    for (int x = int(threadIdx.x); x < count * columns; x += block)
      v[x] = first + x % columns < args.value_dim
                 ? podium::cast<float>(args.v(b, at + x / columns, h, first + x % columns))
                 : 0;
    __syncthreads();
    for (int step = 0; step < count; ++step) {
      const float value = v[step * columns + column];
      float sum = 0;
#pragma unroll
      for (int n = 0; n < quads; ++n) {
        const int from = step * padded + row_of(n, 0);
        const Quad keys = *reinterpret_cast<const Quad*>(k + from),
                   gates = *reinterpret_cast<const Quad*>(a + from);
        const Quad queries = *reinterpret_cast<const Quad*>(q + from);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          state[n][e] = gates.at[e] * state[n][e] + keys.at[e] * value;
          if (outputs) sum += queries.at[e] * state[n][e];
          if (!outputs) gate[n][e] *= gates.at[e];
        }
      }
      if (!outputs) continue;
      for (int d = split / 2; d > 0; d /= 2) sum += __shfl_xor_sync(podium::all_lanes, sum, d);
      if (part == 0) v[step * columns + column] = sum;  // all that share the value have read it
    }
    __syncthreads();
    if (outputs)
      for (int x = int(threadIdx.x); x < count * columns; x += block)
        if (first + x % columns < args.value_dim)
          args.out(b, at + x / columns, h, first + x % columns) = podium::cast<real>(v[x]);
    __syncthreads();
  }
  if (outputs) return;
#pragma unroll
  for (int n = 0; n < quads; ++n)
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int i = row_of(n, e);
      if (i >= args.key_dim || j >= args.value_dim) continue;
      states[i * args.value_dim + j] = state[n][e];
      if (j == 0) cut.gates[item * args.key_dim + i] = gate[n][e];
    }
}

// A thread an element of the state: what each segment leaves becomes what it begins with.
__global__ void __launch_bounds__(block) carry(problem::Arguments args, Cut cut) {
  const std::int64_t size = args.key_dim * args.value_dim,
                     thread = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (thread >= args.batch * args.heads * size) return;
  const std::int64_t head = thread / size, element = thread % size, i = element / args.value_dim;
  float before = 0;
  for (std::int64_t item = head * cut.segments; item < (head + 1) * cut.segments; ++item) {
    const float left = cut.states[item * size + element];
    cut.states[item * size + element] = before;
    before = cut.gates[item * args.key_dim + i] * before + left;
  }
}

struct Contestant {
  Cut cut{};
  std::int64_t blocks;  // a segment

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    podium::require(w.key_dim <= 32 * rows, "a column of the state is kept by one warp: at most 1024 rows");
    for (cut.split = 1; cut.split * rows < w.key_dim;) cut.split *= 2;
    blocks = w.batch * w.heads * podium::ceil_div(w.value_dim, block / cut.split);
    const std::int64_t wanted = std::min(enough / std::max<std::int64_t>(blocks, 1), w.tokens / shortest);
    cut.length = podium::ceil_div(w.tokens, std::max<std::int64_t>(wanted, 1));
    cut.segments = cut.length > 0 ? podium::ceil_div(w.tokens, cut.length) : 0;
    if (cut.segments < 2) return;
    const auto items = std::size_t(w.batch * w.heads * cut.segments);
    cut.states = workspace.device<float>(items * std::size_t(w.key_dim * w.value_dim));
    cut.gates = workspace.device<float>(items * std::size_t(w.key_dim));
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto grid = dim3(unsigned(blocks * cut.segments));
    if (blocks * cut.segments == 0) return;
    const std::int64_t elements = args.batch * args.heads * args.key_dim * args.value_dim;
    if (cut.segments > 1 && elements > 0) {
      podium::launch(walk<false>, grid, dim3(block), 0, stream, args, cut);
      podium::launch(carry, dim3(unsigned(podium::ceil_div(elements, block))), dim3(block), 0, stream, args,
                     cut);
    }
    podium::launch(walk<true>, grid, dim3(block), 0, stream, args, cut);
  }
};
}  // namespace
