// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cub::DeviceReduce::Sum
//   author: Podium
//   source: https://github.com/NVIDIA/cccl, as it comes with the CUDA toolkit
#include <podium/sum.hpp>

#include <cub/device/device_reduce.cuh>

namespace {
using podium::check;

struct Contestant {
  std::size_t bytes = 0;
  void* scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    const float* x = nullptr;
    float* y = nullptr;
    check(cub::DeviceReduce::Sum(nullptr, bytes, x, y,
                                 w.n));  // asks for the size of the scratch memory, no more
    scratch = workspace.device(bytes);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    check(cub::DeviceReduce::Sum(scratch, bytes, args.x.data, args.y.data, args.n, stream));
  }
};
}  // namespace
