// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix product of patches gathered on the way, 8 x 8 sums in registers
//   author: Podium
//   source: after Chetlur et al., "cuDNN, Efficient Primitives for Deep Learning", 2014

// With the patch of the image under the filter laid out as a row of r s c numbers, convolution is the product
// of the matrix of all patches, one for each place of y, and that of the filters. That matrix never exists:
// where a tiled matrix product brings a strip of its rows into shared memory, this one looks up where in the
// images they are. Else it is that product: every thread keeps span x span sums, and the next step's elements
// are on their way while one is computed.
#include <podium/conv2d.hpp>

namespace {
using problem::real;
constexpr int side = 16;   // a block is side x side threads
constexpr int depth = 16;  // of r s c, for each step
constexpr int four = 4;    // adjacent floats that a thread reads from shared memory in one access

struct alignas(four * sizeof(float)) Four {
  float at[four];
};
template <int span>
struct alignas(16) Run {  // 4 or 8 adjacent channels
  real at[span];
};
// As much of a Run as one access moves: alignment follows from the number of channels.
template <int span>
struct alignas(span * sizeof(real) < 16 ? span * sizeof(real) : 16) Packet {
  real at[span];
};

// A place within the filter: row, column, channel; it goes on in the order of the filters' memory.
struct Tap {
  std::int64_t u, v, l;
  __device__ void advance(const problem::Arguments& args, std::int64_t count) {
    for (l += count; l >= args.c; l -= args.c)
      if (++v == args.s) v = 0, ++u;
  }
};

struct Patch {  // under the filter at one place of y
  const real* image;
  std::int64_t top, left;  // in the image, perhaps beyond its edge
  bool exists;

  __device__ Patch(const problem::Arguments& args, std::int64_t place)
      : exists(place < args.n * args.p * args.q) {
    const std::int64_t b = place / args.q / args.p;
    image = args.x.data + b * args.h * args.w * args.c;
    top = place / args.q % args.p * args.stride - args.pad;
    left = place % args.q * args.stride - args.pad;
  }
  // Where the tap's element is, or nullptr for a zero.
  __device__ const real* at(const problem::Arguments& args, const Tap& tap) const {
    const std::int64_t row = top + tap.u, column = left + tap.v;
    const bool inside =
        exists && tap.u < args.r && row >= 0 && row < args.h && column >= 0 && column < args.w;
    return inside ? image + (row * args.w + column) * args.c + tap.l : nullptr;
  }
};
struct Filter {
  const real* first;  // nullptr beyond the last filter
  __device__ const real* at(const problem::Arguments& args, const Tap& tap) const {
    const bool inside = first != nullptr && tap.u < args.r;
    return inside ? first + (tap.u * args.s + tap.v) * args.c + tap.l : nullptr;
  }
};

// `span` elements from `tap` on. `wide`: channels come in multiples of span, so all are at one place.
template <int span, class Source>
__device__ Run<span> read(const problem::Arguments& args, const Source& source, Tap tap, bool wide) {
  Run<span> run;
  if (wide) {
    const real* at = source.at(args, tap);
    Packet<span> packet;
#pragma unroll
    for (int s = 0; s < span; ++s) packet.at[s] = podium::cast<real>(0.0f);
    if (at != nullptr) packet = *reinterpret_cast<const Packet<span>*>(at);
#pragma unroll
    for (int s = 0; s < span; ++s) run.at[s] = packet.at[s];
  } else {
#pragma unroll
    for (int s = 0; s < span; ++s, tap.advance(args, 1)) {
      const real* at = source.at(args, tap);
      run.at[s] = at != nullptr ? *at : podium::cast<real>(0.0f);
    }
  }
  return run;
}

// Rows (and columns) of the product that a thread computes: span / four groups, spread over the tile so that
// neighbouring threads read neighbouring words of shared memory.
template <int span>
__device__ int place(int thread, int s) {
  return s / four * side * four + thread * four + s % four;
}

template <int span>
__global__ void __launch_bounds__(side* side, 2) convolve(problem::Arguments args) {
  constexpr int tile = side * span;
  __shared__ __align__(16) float strip_x[2][depth][tile];  // transposed
  __shared__ __align__(16) float strip_w[2][depth][tile];

  const std::int64_t across = (args.k + tile - 1) / tile, terms = args.r * args.s * args.c;
  const std::int64_t top = blockIdx.x / across * tile, left = blockIdx.x % across * tile;
  const int thread = int(threadIdx.x), tx = thread % side, ty = thread / side;
  // Who fetches what: a strip is tile rows of depth / span runs.
  const int row = thread / (depth / span), col = thread % (depth / span) * span;
  const Patch patch(args, top + row);
  const Filter filter{left + row < args.k ? args.weight.data + (left + row) * terms : nullptr};
  const bool wide = args.c % span == 0;
  Tap tap{0, 0, 0};
  tap.advance(args, col);

  float sum[span][span] = {};
  auto next_x = read<span>(args, patch, tap, wide);
  auto next_w = read<span>(args, filter, tap, wide);
  int turn = 0;
  for (std::int64_t at = 0; at < terms; at += depth, turn ^= 1) {
#pragma unroll
    for (int s = 0; s < span; ++s) {
      strip_x[turn][col + s][row] = podium::cast<float>(next_x.at[s]);
      strip_w[turn][col + s][row] = podium::cast<float>(next_w.at[s]);
    }
    __syncthreads();  // one a step is enough: the next step writes the other pair of strips
    if (at + depth < terms) {
      tap.advance(args, depth);
      next_x = read<span>(args, patch, tap, wide);
      next_w = read<span>(args, filter, tap, wide);
    }
#pragma unroll
    for (int l = 0; l < depth; ++l) {
      Four x[span / four], y[span / four];
#pragma unroll
      for (int g = 0; g < span / four; ++g) {
        x[g] = *reinterpret_cast<const Four*>(&strip_x[turn][l][place<span>(ty, g * four)]);
        y[g] = *reinterpret_cast<const Four*>(&strip_w[turn][l][place<span>(tx, g * four)]);
      }
#pragma unroll
      for (int i = 0; i < span; ++i)
#pragma unroll
        for (int j = 0; j < span; ++j) sum[i][j] += x[i / four].at[i % four] * y[j / four].at[j % four];
    }
  }

#pragma unroll
  for (int i = 0; i < span; ++i)
#pragma unroll
    for (int j = 0; j < span; ++j) {
      const std::int64_t where = top + place<span>(ty, i), f = left + place<span>(tx, j);
      if (where < args.n * args.p * args.q && f < args.k)
        args.y.data[where * args.k + f] = podium::cast<real>(sum[i][j]);
    }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.y.size() == 0) return;
    const auto tiles = [&](int span) {
      return podium::ceil_div(args.n * args.p * args.q, side * span) * podium::ceil_div(args.k, side * span);
    };
    // With few filters, or few blocks, smaller tiles leave less of a device idle.
    constexpr std::int64_t enough = 128;
    const auto launch = [&](auto kernel, std::int64_t blocks) {
      podium::launch(kernel, dim3(unsigned(blocks)), dim3(side * side), 0, stream, args);
    };
    if (tiles(8) >= enough && args.k > side * 4)
      launch(convolve<8>, tiles(8));
    else
      launch(convolve<4>, tiles(4));
  }
};
}  // namespace
