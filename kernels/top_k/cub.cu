// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: CUB's radix sorts of whole rows, by their length
//   author: Podium
//   source: https://github.com/NVIDIA/cccl, as it comes with the CUDA toolkit

// The CUDA 13.0 toolkit has no selection, so rows are sorted and their first k elements copied: short rows by
// cub::BlockRadixSort in the registers of a block, many long ones by cub::DeviceSegmentedRadixSort, and a few
// long ones, too few to fill the device with a block each, one after another by cub::DeviceRadixSort.
#include <podium/top_k.hpp>

#include <cub/block/block_radix_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

namespace {
using podium::check;
using problem::real;
constexpr std::int64_t short_row = 2048;
constexpr std::int64_t few_rows = 32;
constexpr int block = 256;

template <int threads, int items>
__global__ void __launch_bounds__(threads)
    sort_in_block(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> values,
                  podium::Tensor<std::int32_t, 2> indices) {
  using Sort = cub::BlockRadixSort<real, threads, items, std::int32_t>;
  __shared__ typename Sort::TempStorage storage;
  const std::int64_t row = blockIdx.x;
  const int cols = int(x.extent(1)), k = int(values.extent(1)), first = int(threadIdx.x) * items;
  real key[items];
  std::int32_t at[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    at[i] = first + i;  // the sort is stable: what fills up the tile stays behind a row's own -inf
    key[i] = at[i] < cols ? x(row, at[i]) : podium::cast<real>(-INFINITY);
  }
  Sort(storage).SortDescendingBlockedToStriped(key, at);
#pragma unroll
  for (int i = 0; i < items; ++i)
    if (const int r = i * threads + int(threadIdx.x); r < k) {
      values(row, r) = key[i];
      indices(row, r) = at[i];
    }
}

__global__ void __launch_bounds__(block)
    number(std::int32_t* at, std::int64_t size, std::int64_t* offsets, std::int64_t rows, std::int64_t cols) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < size) at[i] = std::int32_t(i % cols);
  if (i <= rows) offsets[i] = i * cols;
}

__global__ void __launch_bounds__(block)
    copy(const real* keys, const std::int32_t* at, std::int64_t cols, podium::Tensor<real, 2> values,
         podium::Tensor<std::int32_t, 2> indices) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x, k = values.extent(1);
  if (i >= values.size()) return;
  values.data[i] = keys[i / k * cols + i % k];
  indices.data[i] = at[i / k * cols + i % k];
}

dim3 blocks_for(std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); }

struct Contestant {
  std::size_t bytes = 0;
  void* scratch = nullptr;
  real* keys = nullptr;                                // sorted
  std::int32_t *unsorted_at = nullptr, *at = nullptr;  // columns
  std::int64_t* offsets = nullptr;                     // of rows
  bool one_by_one;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : one_by_one(w.rows <= few_rows) {
    if (w.rows == 0 || w.k == 0 || w.cols <= short_row) return;
    const std::int64_t size = w.rows * w.cols;
    keys = workspace.device<real>(std::size_t(size));
    at = workspace.device<std::int32_t>(std::size_t(size));
    const std::int64_t numbered = one_by_one ? w.cols : size;  // every row may share one
    unsorted_at = workspace.device<std::int32_t>(std::size_t(numbered));
    offsets = workspace.device<std::int64_t>(std::size_t(w.rows + 1));
    podium::launch(number, blocks_for(numbered), dim3(block), 0, stream, unsorted_at, numbered, offsets,
                   w.rows, w.cols);
    sort(w, nullptr, stream);  // asks for the size of the scratch memory, no more
    scratch = workspace.device(bytes);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0 || args.k == 0) return;
    const auto in_block = [&](auto kernel, int threads) {
      podium::launch(kernel, dim3(unsigned(args.rows)), dim3(unsigned(threads)), 0, stream, args.x,
                     args.values, args.indices);
    };
    if (args.cols <= 256) return in_block(sort_in_block<64, 4>, 64);
    if (args.cols <= 1024) return in_block(sort_in_block<256, 4>, 256);
    if (args.cols <= short_row) return in_block(sort_in_block<256, 8>, 256);
    sort(args, args.x.data, stream);
    podium::launch(copy, blocks_for(args.values.size()), dim3(block), 0, stream, keys, at, args.cols,
                   args.values, args.indices);
  }

  void sort(const problem::Workload& w, const real* x, podium::Stream stream) {
    constexpr int bits = 8 * sizeof(real);
    if (!one_by_one)
      return check(cub::DeviceSegmentedRadixSort::SortPairsDescending(scratch, bytes, x, keys, unsorted_at,
                                                                      at, w.rows * w.cols, w.rows, offsets,
                                                                      offsets + 1, 0, bits, stream));
    for (std::int64_t row = 0; row < (scratch ? w.rows : 1); ++row)
      check(cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, x + row * w.cols, keys + row * w.cols,
                                                      unsorted_at, at + row * w.cols, w.cols, 0, bits,
                                                      stream));
  }
};
}  // namespace
