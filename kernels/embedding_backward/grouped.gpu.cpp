// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Tokens grouped by row, then every row summed in registers
//   author: Podium

// Once it is known which tokens have the same row, a row can be summed up where additions are cheapest and be
// written once, without clearing it first. Grouping touches the tokens' numbers only, which are few beside
// the gradients:
//   count    how many tokens each row has;
//   place    each row gets a stretch of a list, as long as it has tokens: a block finds where its rows'
//            stretches begin among each other, and one atomic addition where all of them begin;
//   list     every token is written into its row's stretch;
//   sum      a thread sums four columns of a row along its stretch.
// A frequent word would keep its threads at work long after all others are done. Such rows are only cleared
// by `sum`, and `sum_long` has them in pieces, each of which is added atomically.
#include <podium/embedding_backward.hpp>

namespace {
using problem::real;
constexpr int block = 256;
constexpr int lanes = 4;   // columns of a thread
constexpr int piece = 64;  // tokens; rows that have more are long
constexpr int most_warps = block / 32;

struct Rows {  // for each row of the table
  int* count;  // of its tokens
  int* start;  // of its stretch
  int* taken;  // how much of it is filled
  int* total;  // one number: of all stretches that have been placed
};

__device__ std::int64_t thread_index() { return std::int64_t(blockIdx.x) * block + threadIdx.x; }

__global__ void __launch_bounds__(block) clear(Rows rows, std::int64_t vocabulary) {
  const std::int64_t v = thread_index();
  if (v < vocabulary) rows.count[v] = rows.taken[v] = 0;
  if (v == 0) *rows.total = 0;
}

__global__ void __launch_bounds__(block) count(const int* token, std::int64_t tokens, Rows rows) {
  if (const std::int64_t t = thread_index(); t < tokens) atomicAdd(&rows.count[token[t]], 1);
}

__global__ void __launch_bounds__(block) place(Rows rows, std::int64_t vocabulary) {
  __shared__ int of_warp[most_warps], begin;
  const std::int64_t v = thread_index();
  const int lane = int(threadIdx.x) % warpSize, warp = int(threadIdx.x) / warpSize;
  const int mine = v < vocabulary ? rows.count[v] : 0;
  int upto = mine;
  for (int d = 1; d < warpSize; d *= 2) {
    const int lower = __shfl_up_sync(podium::all_lanes, upto, d);
    if (lane >= d) upto += lower;
  }
  if (lane == warpSize - 1) of_warp[warp] = upto;
  __syncthreads();
  for (int w = 0; w < warp; ++w) upto += of_warp[w];
  if (threadIdx.x == block - 1) begin = atomicAdd(rows.total, upto);
  __syncthreads();
  if (v < vocabulary) rows.start[v] = begin + upto - mine;
}

__global__ void __launch_bounds__(block) list(const int* token, std::int64_t tokens, Rows rows, int* listed) {
  const std::int64_t t = thread_index();
  if (t >= tokens) return;
  const int v = token[t];
  listed[rows.start[v] + atomicAdd(&rows.taken[v], 1)] = int(t);
}

struct Sum {
  float at[lanes] = {};
};
template <class T>
struct alignas(lanes * sizeof(T)) Packet {
  T at[lanes];
};

// The sum of columns w, w + 1, … over `count` listed tokens. `wide`: rows are whole packets.
__device__ Sum sum_of(const int* listed, int count, const podium::Tensor<const real, 2>& gradient,
                      std::int64_t w, bool wide) {
  const std::int64_t width = gradient.extent(1);
  Sum sum;
  if (wide) {
#pragma unroll 4
    for (int k = 0; k < count; ++k) {
      const auto packet = *reinterpret_cast<const Packet<real>*>(gradient.data + listed[k] * width + w);
#pragma unroll
      for (int l = 0; l < lanes; ++l) sum.at[l] += podium::cast<float>(packet.at[l]);
    }
  } else {
    for (int k = 0; k < count; ++k) {
      const real* const at = gradient.data + listed[k] * width + w;
#pragma unroll
      for (int l = 0; l < lanes; ++l)
        if (w + l < width) sum.at[l] += podium::cast<float>(at[l]);
    }
  }
  return sum;
}

__global__ void __launch_bounds__(block)
    sum(Rows rows, const int* listed, podium::Tensor<const real, 2> gradient, podium::Tensor<float, 2> y,
        bool wide) {
  const std::int64_t width = y.extent(1), packets = (width + lanes - 1) / lanes;
  const std::int64_t v = thread_index() / packets, w = thread_index() % packets * lanes;
  if (v >= y.extent(0)) return;
  const int count = rows.count[v] <= piece ? rows.count[v] : 0;
  const Sum sum = sum_of(listed + rows.start[v], count, gradient, w, wide);
  float* const out = y.data + v * width + w;
  if (wide) {
    Packet<float> packet;
#pragma unroll
    for (int l = 0; l < lanes; ++l) packet.at[l] = sum.at[l];
    *reinterpret_cast<Packet<float>*>(out) = packet;
  } else {
#pragma unroll
    for (int l = 0; l < lanes; ++l)
      if (w + l < width) out[l] = sum.at[l];
  }
}

// The list is cut every `piece` tokens. Of the rows in a piece only the first and the last can be long.
__global__ void __launch_bounds__(block)
    sum_long(const int* token, std::int64_t tokens, Rows rows, const int* listed,
             podium::Tensor<const real, 2> gradient, podium::Tensor<float, 2> y, bool wide) {
  const std::int64_t width = y.extent(1), packets = (width + lanes - 1) / lanes;
  const std::int64_t begin = thread_index() / packets * piece, w = thread_index() % packets * lanes;
  if (begin >= tokens) return;
  const std::int64_t end = begin + piece < tokens ? begin + piece : tokens;
  const int first = token[listed[begin]], last = token[listed[end - 1]];
  for (int v = first;; v = last) {
    if (rows.count[v] > piece) {
      const std::int64_t row_begin = rows.start[v], row_end = row_begin + rows.count[v];
      const std::int64_t from = row_begin > begin ? row_begin : begin, to = row_end < end ? row_end : end;
      const Sum sum = sum_of(listed + from, int(to - from), gradient, w, wide);
#pragma unroll
      for (int l = 0; l < lanes; ++l)
        if (w + l < width) atomicAdd(&y.data[v * width + w + l], sum.at[l]);
    }
    if (v == last) return;
  }
}

struct Contestant {
  Rows rows;
  int* listed;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : rows{workspace.device<int>(std::size_t(w.vocabulary)),
             workspace.device<int>(std::size_t(w.vocabulary)),
             workspace.device<int>(std::size_t(w.vocabulary)), workspace.device<int>(1)},
        listed(workspace.device<int>(std::size_t(w.tokens))) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto launch = [&](auto kernel, std::int64_t threads, auto... arguments) {
      if (threads > 0)
        podium::launch(kernel, dim3(unsigned(podium::ceil_div(threads, block))), dim3(block), 0, stream,
                       arguments...);
    };
    const std::int64_t packets = podium::ceil_div(args.width, lanes);
    const bool wide = args.width % lanes == 0;
    launch(clear, args.vocabulary, rows, args.vocabulary);
    launch(count, args.tokens, args.token.data, args.tokens, rows);
    launch(place, args.vocabulary, rows, args.vocabulary);
    launch(list, args.tokens, args.token.data, args.tokens, rows, listed);
    launch(sum, args.vocabulary * packets, rows, listed, args.gradient, args.y, wide);
    launch(sum_long, podium::ceil_div(args.tokens, piece) * packets, args.token.data, args.tokens, rows,
           listed, args.gradient, args.y, wide);
  }
};
}  // namespace
