// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: 16 bytes an access, whole tokens a block
//   author: Podium

// Each thread turns the pairs of two packets of 16 bytes, one from either half of a head. A block has the
// heads of one token, or of a few tokens where heads are few: they share rows of the table, which come from
// memory once and then from the cache. Heads whose halves are no whole packets go element by element.
#include <podium/rope.hpp>

namespace {
using problem::real;
constexpr int block = 256;
constexpr int widest = 16 / sizeof(real);

template <class T, int lanes>
struct alignas(lanes * sizeof(T) < 16 ? lanes * sizeof(T) : 16) Packet {
  T at[lanes];
};

struct Shape {
  std::int64_t tokens;
  int heads, half;  // half: of a head, in packets
  int tokens_each;  // of a block
};

template <int lanes>
__global__ void __launch_bounds__(block)
    turn(const Packet<real, lanes>* x, const int* position, const Packet<float, lanes>* table,
         Packet<real, lanes>* y, Shape shape) {
  const std::int64_t first = std::int64_t(blockIdx.x) * shape.tokens_each, left = shape.tokens - first;
  const int tokens = left < shape.tokens_each ? int(left) : shape.tokens_each;
  const int half = shape.half, of_token = shape.heads * half;
#pragma unroll 2
  for (int i = int(threadIdx.x); i < tokens * of_token; i += block) {
    const int token = i / of_token, head = i % of_token / half, d = i % half;
    const std::int64_t at = ((first + token) * shape.heads + head) * (2 * half) + d;
    const Packet<real, lanes> a = x[at], b = x[at + half];
    const std::int64_t row = std::int64_t(position[first + token]) * (2 * half) + d;
    const Packet<float, lanes> cosine = table[row], sine = table[row + half];
    Packet<real, lanes> u, v;
#pragma unroll
    for (int l = 0; l < lanes; ++l) {
      const float p = podium::cast<float>(a.at[l]), q = podium::cast<float>(b.at[l]);
      u.at[l] = podium::cast<real>(p * cosine.at[l] - q * sine.at[l]);
      v.at[l] = podium::cast<real>(q * cosine.at[l] + p * sine.at[l]);
    }
    y[at] = u;
    y[at + half] = v;
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.x.size() == 0) return;
    if (args.head_dim / 2 % widest == 0)
      launch<widest>(args, stream);
    else
      launch<1>(args, stream);
  }

  template <int lanes>
  static void launch(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t half = args.head_dim / 2 / lanes, of_token = args.heads * half;
    const std::int64_t each = of_token < block ? block / of_token : 1;
    const Shape shape{args.tokens, int(args.heads), int(half), int(each)};
    podium::launch(turn<lanes>, dim3(unsigned(podium::ceil_div(args.tokens, each))), dim3(block), 0, stream,
                   reinterpret_cast<const Packet<real, lanes>*>(args.x.data), args.position.data,
                   reinterpret_cast<const Packet<float, lanes>*>(args.table.data),
                   reinterpret_cast<Packet<real, lanes>*>(args.y.data), shape);
  }
};
}  // namespace
