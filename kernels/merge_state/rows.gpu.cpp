// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: 16 bytes an access, whole rows a block
//   author: Podium

// There is next to nothing to compute: the time goes into reading two rows and writing one. A thread merges
// packets of 16 bytes, and reads all of them before it writes the first.
#include <podium/merge_state.hpp>

namespace {
using problem::real;
constexpr int block = 256;
constexpr int lanes = 16 / sizeof(real);  // elements of a packet
constexpr int packets = 2;                // of each input, for each thread

struct alignas(16) Packet {
  real at[lanes];
};

// Shares of both sums in the whole, and its lse. Not both lse are -infinity.
struct Shares {
  float a, b, lse;
};
__device__ Shares shares(float s_a, float s_b) {
  const float peak = fmaxf(s_a, s_b), a = exp2f(s_a - peak), b = exp2f(s_b - peak), total = a + b;
  return {a / total, b / total, peak + log2f(total)};
}

__device__ Packet merged(const Shares& by, const Packet& x, const Packet& y) {
  Packet z;
#pragma unroll
  for (int l = 0; l < lanes; ++l)
    z.at[l] = podium::cast<real>(by.a * podium::cast<float>(x.at[l]) + by.b * podium::cast<float>(y.at[l]));
  return z;
}

__global__ void __launch_bounds__(block) merge(problem::Arguments args) {
  const auto* const v_a = reinterpret_cast<const Packet*>(args.v_a.data);
  const auto* const v_b = reinterpret_cast<const Packet*>(args.v_b.data);
  auto* const v = reinterpret_cast<Packet*>(args.v.data);
  const std::int64_t of_row = args.head_dim / lanes, all = args.rows * args.heads * of_row;
  const std::int64_t first = std::int64_t(blockIdx.x) * (block * packets) + threadIdx.x;
  Packet x[packets], y[packets];
#pragma unroll
  for (int p = 0; p < packets; ++p)
    if (const std::int64_t at = first + p * block; at < all) x[p] = v_a[at], y[p] = v_b[at];
#pragma unroll
  for (int p = 0; p < packets; ++p)
    if (const std::int64_t at = first + p * block; at < all) {
      const std::int64_t row = at / of_row;
      const Shares by = shares(args.s_a.data[row], args.s_b.data[row]);
      v[at] = merged(by, x[p], y[p]);
      if (at % of_row == 0) args.s.data[row] = by.lse;
    }
}

struct Contestant {
  explicit Contestant(const problem::Workload& w) {
    podium::require(w.head_dim % lanes == 0, "heads of whole packets of 16 bytes");
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t all = args.v.size() / lanes;
    if (all == 0) return;
    podium::launch(merge, dim3(unsigned(podium::ceil_div(all, block * packets))), dim3(block), 0, stream,
                   args);
  }
};
}  // namespace
