// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A table for every lane of a warp, in shared memory
//   author: Podium
//   source: after Gomez-Luna et al., An optimized approach to histogram computation on GPU, 2013

// Every block counts in shared memory, where an atomic addition is cheap unless two lanes of a warp meet: at
// a bin, or at a bank. With a table for each lane, interleaved so that each lane has a bank to itself, they
// never meet, whatever the keys. Tables that are too large for that are shared by more lanes; where not even
// one has room, blocks of a row of the grid take a part of the bins each and read the same keys. Beyond a few
// parts everybody counts in memory. Keys that follow their equal are added together: it costs a comparison.
#include <podium/histogram.hpp>

namespace {
using problem::key;
constexpr int block = 512;
constexpr int lanes = 16 / sizeof(key);     // keys of a packet
constexpr int most_copies = 32;             // one a bank
constexpr int room = 12288;                 // counters: 48 KiB, which every device grants
constexpr std::int64_t most_parts = 8;      // reading the keys so often costs no more than counting in memory
constexpr std::int64_t packets_each = 16;   // for a thread, where there are enough
constexpr std::int64_t most_blocks = 1024;  // of a part: more would only have more tables to add up

struct alignas(16) Packet {
  key at[lanes];
};

__global__ void __launch_bounds__(block) clear(int* y, std::int64_t bins) {
  const std::int64_t b = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (b < bins) y[b] = 0;
}

// Calls add(key, times) for the keys of this thread, as runs of equal ones.
template <class Add>
__device__ void each_run(const key* x, std::int64_t n, Add add) {
  const auto packet = reinterpret_cast<const Packet*>(x);
  const std::int64_t whole = n / lanes, step = std::int64_t(gridDim.x) * block,
                     first = std::int64_t(blockIdx.x) * block + threadIdx.x;
  key last = 0;
  int times = 0;
  const auto next = [&](key k) {
    if (k != last && times > 0) {
      add(last, times);
      times = 0;
    }
    last = k;
    ++times;
  };
#pragma unroll 4
  for (std::int64_t i = first; i < whole; i += step) {
    const Packet p = packet[i];
#pragma unroll
    for (int l = 0; l < lanes; ++l) next(p.at[l]);
  }
  for (std::int64_t i = whole * lanes + first; i < n; i += step) next(x[i]);
  if (times > 0) add(last, times);
}

// blockIdx.y: the part of the bins, `width` of them. table[bin][copy].
__global__ void __launch_bounds__(block)
    count_in_copies(const key* x, std::int64_t n, int* y, int bins, int width, int copies) {
  PODIUM_DYNAMIC_SHARED(int, table);
  const int begin = int(blockIdx.y) * width, size = bins - begin < width ? bins - begin : width;
  for (int i = int(threadIdx.x); i < size * copies; i += block) table[i] = 0;
  __syncthreads();
  const int copy = int(threadIdx.x) & (copies - 1);
  each_run(x, n, [&](key k, int times) {
    const int bin = int(k) - begin;
    if (unsigned(bin) < unsigned(size)) atomicAdd(&table[bin * copies + copy], times);
  });
  __syncthreads();
  for (int bin = int(threadIdx.x); bin < size; bin += block) {
    int sum = 0;
    for (int c = 0; c < copies; ++c) sum += table[bin * copies + ((c + bin) & (copies - 1))];
    if (sum > 0) atomicAdd(&y[begin + bin], sum);
  }
}

__global__ void __launch_bounds__(block) count_in_memory(const key* x, std::int64_t n, int* y) {
  each_run(x, n, [&](key k, int times) { atomicAdd(&y[k], times); });
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(clear, dim3(unsigned(podium::ceil_div(args.bins, block))), dim3(block), 0, stream,
                   args.y.data, args.bins);
    if (args.n == 0) return;
    const auto wanted = podium::ceil_div(args.n, block * lanes * packets_each);
    const auto blocks = unsigned(wanted < most_blocks ? wanted : most_blocks);
    const auto parts = podium::ceil_div(args.bins, room);
    if (parts > most_parts)
      return podium::launch(count_in_memory, dim3(blocks), dim3(block), 0, stream, args.x.data, args.n,
                            args.y.data);
    const auto width = podium::ceil_div(args.bins, parts);
    int copies = most_copies;
    while (copies > 1 && width * copies > room) copies /= 2;
    podium::launch(count_in_copies, dim3(blocks, unsigned(parts)), dim3(block),
                   std::size_t(width * copies) * sizeof(int), stream, args.x.data, args.n, args.y.data,
                   args.bins, width, copies);
  }
};
}  // namespace
