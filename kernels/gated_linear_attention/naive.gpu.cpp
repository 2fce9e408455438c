// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a head and up to 32 columns of the state
//   author: Podium

// The state is a matrix that remembers: every token adds the product of its key (a column) and its value (a
// row), after each row has been multiplied by its gate, and the query reads a weighted sum of the rows.
// Columns do not know of each other, so a block keeps some of them in shared memory and walks through all
// tokens.
#include <podium/gated_linear_attention.hpp>

namespace {
using problem::real;
constexpr int block = 128;
constexpr std::int64_t most_shared = 40 << 10;  // bytes of the state; all devices have 48 KiB

__global__ void __launch_bounds__(block) walk(problem::Arguments args, int columns) {
  PODIUM_DYNAMIC_SHARED(float, state);  // [key_dim][columns]
  __shared__ float partial[block];
  const std::int64_t slices = (args.value_dim + columns - 1) / columns, head = blockIdx.x / slices;
  const std::int64_t b = head / args.heads, h = head % args.heads;
  const int column = int(threadIdx.x) % columns, first_row = int(threadIdx.x) / columns,
            rows = block / columns;
  const std::int64_t j = blockIdx.x % slices * columns + column;
  const bool inside = j < args.value_dim;
  for (std::int64_t i = first_row; i < args.key_dim; i += rows) state[i * columns + column] = 0;

  for (std::int64_t t = 0; t < args.tokens; ++t) {
    const float v = inside ? podium::cast<float>(args.v(b, t, h, j)) : 0;
    float sum = 0;
    for (std::int64_t i = first_row; i < args.key_dim; i += rows) {
      float& s = state[i * columns + column];  // no other thread's
      s = args.a(b, t, h, i) * s + podium::cast<float>(args.k(b, t, h, i)) * v;
      sum += podium::cast<float>(args.q(b, t, h, i)) * s;
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    if (first_row == 0 && inside) {
      for (int r = 1; r < rows; ++r) sum += partial[r * columns + column];
      args.out(b, t, h, j) = podium::cast<real>(sum);
    }
    __syncthreads();
  }
}

struct Contestant {
  int columns = 32;

  explicit Contestant(const problem::Workload& w) {
    while (columns > 1 && columns * w.key_dim * std::int64_t(sizeof(float)) > most_shared) columns /= 2;
    podium::require(columns * w.key_dim * std::int64_t(sizeof(float)) <= most_shared,
                    "a column of the state does not fit shared memory");
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t blocks = args.batch * args.heads * podium::ceil_div(args.value_dim, columns);
    if (blocks * args.tokens == 0) return;
    podium::launch(walk, dim3(unsigned(blocks)), dim3(block),
                   std::size_t(args.key_dim * columns) * sizeof(float), stream, args, columns);
  }
};
}  // namespace
