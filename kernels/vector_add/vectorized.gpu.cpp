// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: 16 bytes an access, four accesses a matrix in flight
//   author: Podium

// Memory runs at full speed only while enough bytes are on their way. Each thread therefore moves packets of
// 16 bytes, the widest access there is, and asks for all of its packets before it uses the first.
#include <podium/vector_add.hpp>

namespace {
using problem::real;
constexpr int block = 256;
constexpr int lanes = 16 / sizeof(real);  // elements of a packet
constexpr int packets = 4;                // of each matrix, for each thread
constexpr int tile = block * packets;     // packets of a block

struct alignas(16) Packet {
  real at[lanes];
};

__device__ real sum(real x, real y) {
  return podium::cast<real>(podium::cast<float>(x) + podium::cast<float>(y));
}

__device__ Packet sum(const Packet& x, const Packet& y) {
  Packet z;
#pragma unroll
  for (int l = 0; l < lanes; ++l) z.at[l] = sum(x.at[l], y.at[l]);
  return z;
}

__global__ void __launch_bounds__(block) add(const real* a, const real* b, real* c, std::int64_t size) {
  const auto pa = reinterpret_cast<const Packet*>(a);  // tensors begin at multiples of 256 bytes
  const auto pb = reinterpret_cast<const Packet*>(b);
  const auto pc = reinterpret_cast<Packet*>(c);
  const std::int64_t whole = size / lanes, first = std::int64_t(blockIdx.x) * tile;
  if (first + tile <= whole) {
    Packet x[packets], y[packets];
#pragma unroll
    for (int k = 0; k < packets; ++k) {
      x[k] = pa[first + k * block + threadIdx.x];
      y[k] = pb[first + k * block + threadIdx.x];
    }
#pragma unroll
    for (int k = 0; k < packets; ++k) pc[first + k * block + threadIdx.x] = sum(x[k], y[k]);
    return;
  }
  // The last block takes what is left, and the elements that fill no packet.
  for (std::int64_t i = first + threadIdx.x; i < whole; i += block) pc[i] = sum(pa[i], pb[i]);
  for (std::int64_t i = whole * lanes + threadIdx.x; i < size; i += block) c[i] = sum(a[i], b[i]);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t size = args.c.size();
    if (size == 0) return;
    const auto blocks = podium::ceil_div(size, std::int64_t(tile) * lanes);
    podium::launch(add, dim3(unsigned(blocks)), dim3(block), 0, stream, args.a.data, args.b.data, args.c.data,
                   size);
  }
};
}  // namespace
