// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Brings a call's input into the cache on a stream that no gate holds, and waits for that: `run` knows where
// the input will lie before the judge writes and flushes, and what it does until then is in nobody's time.
// A helper: no contestant.
#pragma once
#include "side_stream.hpp"

#include <algorithm>

namespace {
struct PlainLoad {
  __device__ float4 operator()(const float4* at) const { return *at; }
};

template <class Load>
__global__ void fetch_kernel(const float* x, std::size_t packets, float* sink) {
  const Load load;
  float total = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < packets;
       i += std::size_t(gridDim.x) * blockDim.x)
    total += load(reinterpret_cast<const float4*>(x) + i).x;
  if (total == 12345.678f) *sink = total;  // lest the loads are left out
}

template <class Load>
class Fetch {
 public:
  explicit Fetch(podium::Workspace& workspace) : sink_(workspace.device<float>(1)) {}

  cudaStream_t stream() const { return side_.get(); }

  // The first `most` bytes of it. Not while `given` is captured: its kernels run when nobody asks.
  void operator()(const problem::Arguments& args, podium::Stream given, std::size_t most = ~std::size_t(0)) {
    cudaStreamCaptureStatus status{};
    podium::check(cudaStreamIsCapturing(given, &status));
    if (status != cudaStreamCaptureStatusNone) return;
    const std::size_t bytes = std::min(most, args.n * sizeof(float));
    podium::launch(fetch_kernel<Load>, dim3(512), dim3(256), 0, side_.get(), args.x.data,
                   bytes / sizeof(float4), sink_);
    podium::check(cudaStreamSynchronize(side_.get()));
  }

 private:
  SideStream side_;
  float* sink_;
};
}  // namespace
