// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is launched, what of it fits the device, and kernels as nodes of graphs.
#pragma once
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>

#include "emulators/nvidia/runtime/modules.hpp"
#include "emulators/nvidia/runtime/queue.hpp"

namespace podium::ptx {

struct Request {
  dim3 grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};  // no cluster: 0
  std::size_t dynamic_bytes = 0;
  bool cooperative = false;
  bool overlaps = false;  // may begin before the kernel before it in its stream has ended
  // Recorded when it has ended: a device may do it earlier, and need not.
  cudaEvent_t programmatic_event = nullptr, completion_event = nullptr;
  bool device_updatable = false;  // which no emulated device allows
};

// Of the attributes those that change what a kernel sees; the others are hints, and unknown ones are told.
Request request_of(const cudaLaunchConfig_t& config);
Request request_of(const CUlaunchConfig& config);

u64 product(const dim3& a);
// Blocks of so many threads that fit a multiprocessor at a time; 0: not one.
u32 blocks_per_multiprocessor(const Kernel& kernel, u64 threads, std::size_t dynamic_bytes);
u64 largest_cluster_of(const Function& function);  // blocks; 1: it may have none

// The launch that a node stands for, checked like any other, with a copy of its arguments; or the error,
// noted.
cudaError_t kernel_work(const cudaKernelNodeParams& node, Work& work);

}  // namespace podium::ptx
