// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Decoupled look-back, x read once and y written once
//   author: Podium
//   source: Merrill and Garland, Single-pass parallel prefix scan with decoupled look-back, 2016

// Every block scans a tile and needs what all tiles before it add up to. It tells its own sum at once, then
// looks back: it adds up the sums of tiles before it, until it comes to one that has already told its whole
// prefix. So nobody waits for the neighbour to finish, only for it to have read its tile. Tiles are numbered
// in the order in which blocks begin, so whoever is waited for is running or done.
#include <podium/prefix_sum.hpp>

namespace {
using problem::number;
constexpr int block = 256;
constexpr int lanes = 4;                    // elements of a packet of 16 bytes
constexpr int rows = 4;                     // packets of a thread; a row is a packet for every lane of a warp
constexpr int tile = block * rows * lanes;  // elements of a block
constexpr int most_warps = block / 32;

struct alignas(16) Packet {
  number at[lanes];
};

// What a tile tells: a number, and beside it what kind of number in which call. Both in one word, so that
// they are always seen together. A word of an earlier call counts as not told.
using Word = unsigned long long;
static_assert(sizeof(number) == 4);
enum Kind : unsigned { sum_of_tile = 1, sum_up_to_tile = 2 };

struct Control {
  unsigned begun, finished;  // blocks
  unsigned call;             // how many calls there were before
};

__device__ void tell(Word* state, unsigned call, Kind kind, number value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  *const_cast<volatile Word*>(state) = Word(2 * call + kind) << 32 | bits;
}

__device__ number value_of(Word word) {
  const unsigned bits = unsigned(word);
  number value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The sum of all tiles before `mine`, by one warp: each lane looks at one tile, the nearest first.
__device__ number look_back(const Word* states, std::int64_t mine, unsigned call) {
  const int lane = int(threadIdx.x) % warpSize;
  number sum = 0;
  for (std::int64_t nearest = mine - 1;; nearest -= warpSize) {
    const std::int64_t at = nearest - lane;
    Word word = Word(2 * call + sum_up_to_tile) << 32;  // before the first tile: the prefix is 0
    for (;;) {
      if (at >= 0) word = *const_cast<const volatile Word*>(states + at);
      if (__all_sync(podium::all_lanes, unsigned(word >> 32) > 2 * call)) break;
      __threadfence();  // also lets others run where blocks take turns
    }
    const bool whole = unsigned(word >> 32) == 2 * call + sum_up_to_tile;
    const podium::lane_mask wholes = __ballot_sync(podium::all_lanes, whole);
    const Word last =
        (Word(wholes) & (~Word(wholes) + 1)) * 2 - 1;  // lanes up to the first whole one; or all
    number v = last >> lane & 1 ? value_of(word) : number(0);
    for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(podium::all_lanes, v, d);
    sum += v;
    if (wholes != 0) return sum;
  }
}

__device__ Packet read(const number* x, std::int64_t at, std::int64_t n) {
  if (at + lanes <= n) return *reinterpret_cast<const Packet*>(x + at);
  Packet packet;
#pragma unroll
  for (int l = 0; l < lanes; ++l) packet.at[l] = at + l < n ? x[at + l] : number(0);
  return packet;
}

__global__ void __launch_bounds__(block)
    scan(const number* x, number* y, std::int64_t n, Word* states, Control* control) {
  __shared__ unsigned my_tile, call;
  __shared__ number of_warp[most_warps], before_tile;
  if (threadIdx.x == 0) {
    my_tile = atomicAdd(&control->begun, 1u);
    call = control->call;
  }
  __syncthreads();
  const int lane = int(threadIdx.x) % warpSize, warp = int(threadIdx.x) / warpSize;
  const std::int64_t first = std::int64_t(my_tile) * tile + (warp * rows * warpSize + lane) * lanes;

  // Sums within packets, then over the lanes of each row, then over rows: of everything before in this warp.
  Packet packet[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) packet[r] = read(x, first + std::int64_t(r) * warpSize * lanes, n);
  number before[rows], in_warp = 0;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int l = 1; l < lanes; ++l) packet[r].at[l] += packet[r].at[l - 1];
    number upto = packet[r].at[lanes - 1];
    for (int d = 1; d < warpSize; d *= 2) {
      const number lower = __shfl_up_sync(podium::all_lanes, upto, d);
      if (lane >= d) upto += lower;
    }
    const number left = __shfl_up_sync(podium::all_lanes, upto, 1);
    before[r] = in_warp + (lane == 0 ? number(0) : left);
    in_warp += __shfl_sync(podium::all_lanes, upto, warpSize - 1);
  }
  if (lane == 0) of_warp[warp] = in_warp;
  __syncthreads();

  if (warp == 0) {
    number all = 0;
    for (int w = 0; w < block / warpSize; ++w) all += of_warp[w];
    if (lane == 0) tell(states + my_tile, call, my_tile == 0 ? sum_up_to_tile : sum_of_tile, all);
    const number prefix = my_tile == 0 ? number(0) : look_back(states, my_tile, call);
    if (lane == 0) {
      if (my_tile > 0) tell(states + my_tile, call, sum_up_to_tile, prefix + all);
      before_tile = prefix;
    }
  }
  __syncthreads();
  number offset = before_tile;
  for (int w = 0; w < warp; ++w) offset += of_warp[w];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const std::int64_t at = first + std::int64_t(r) * warpSize * lanes;
#pragma unroll
    for (int l = 0; l < lanes; ++l) packet[r].at[l] += offset + before[r];
    if (at + lanes <= n) {
      *reinterpret_cast<Packet*>(y + at) = packet[r];
    } else {
#pragma unroll
      for (int l = 0; l < lanes; ++l)
        if (at + l < n) y[at + l] = packet[r].at[l];
    }
  }

  // Who finishes last leaves everything ready for the next call.
  if (threadIdx.x == 0 && atomicAdd(&control->finished, 1u) == gridDim.x - 1) *control = {0, 0, call + 1};
}

struct Contestant {
  unsigned blocks;
  Word* states;
  Control* control;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : blocks(unsigned(podium::ceil_div(w.n, tile))),
        states(workspace.device<Word>(blocks)),
        control(workspace.device<Control>(1)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    podium::launch(scan, dim3(blocks), dim3(block), 0, stream, args.x.data, args.y.data, args.n, states,
                   control);
  }
};
}  // namespace
