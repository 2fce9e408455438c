// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cub::DeviceHistogram::HistogramEven
//   author: Podium
//   source: https://github.com/NVIDIA/cccl, as it comes with the CUDA toolkit
#include <podium/histogram.hpp>

#include <cub/device/device_histogram.cuh>

namespace {
using podium::check;
using problem::key;

struct Contestant {
  std::size_t bytes = 0;
  void* scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    const key* x = nullptr;
    int* y = nullptr;
    check(count(nullptr, x, y, w, podium::Stream{}));  // asks for the size of scratch memory, no more
    scratch = workspace.device(bytes);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0)
      check(cudaMemsetAsync(args.y.data, 0, std::size_t(args.bins) * sizeof *args.y.data, stream));
    else
      check(count(scratch, args.x.data, args.y.data, args, stream));
  }

  // Bins of width 1 from 0 to bins; their bounds are one more than they.
  cudaError_t count(void* memory, const key* x, int* y, const problem::Workload& w, podium::Stream stream) {
    const int bins = int(w.bins);
    return cub::DeviceHistogram::HistogramEven(memory, bytes, x, y, bins + 1, 0, bins, w.n, stream);
  }
};
}  // namespace
