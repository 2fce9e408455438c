// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A kernel watches the gate and begins when it opens

// class: inputs before their turn
// expect: right | clock | too fast | wrong | not written
// gains nothing over: honest_parted.cu
// The page with the gate is memory that the device can read, so a kernel on a stream that no gate holds sees
// it open before the given stream's first event is recorded, by as much as the queue takes to go on. The
// given stream waits for that kernel. It gives up after 500 ms.
#include "mappings.hpp"
#include "parted_sum.hpp"
#include "side_stream.hpp"

#include <stdexcept>

namespace {
inline const std::uint32_t* gate_on_device() {
  for (const auto& mapping : mappings()) {
    if (mapping.file.rfind("/memfd:podium-page", 0) != 0 || mapping.access != "rw-s") continue;
    void* at = nullptr;
    podium::check(cudaHostGetDevicePointer(&at, reinterpret_cast<void*>(mapping.begin), 0));
    return static_cast<const std::uint32_t*>(at);
  }
  throw std::runtime_error("found no shared page that could hold a gate");
}

__global__ void watch(const volatile std::uint32_t* gate, std::uint32_t closed, const float* x,
                      std::int64_t n, double* parts, unsigned* finished) {
  const unsigned long long began = nanoseconds();
  if (threadIdx.x == 0)
    while (*gate == closed && nanoseconds() - began < 500'000'000) {
    }
  __syncthreads();
  add_part(x, n, parts);
  if (threadIdx.x > 0) return;
  __threadfence();
  atomicAdd(finished, 1u);
}
__global__ void hand_over(const volatile double* parts, float* y, const volatile unsigned* finished,
                          unsigned all) {
  while (*finished < all) {
  }
  __threadfence();
  add_parts(parts, y);
}

struct Contestant {
  SideStream side;
  const std::uint32_t* gate = gate_on_device();
  double* parts;
  unsigned* finished;
  unsigned all = 0;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(parted_blocks)), finished(workspace.device<unsigned>(1)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaStreamCaptureStatus status{};
    podium::check(cudaStreamIsCapturing(stream, &status));
    podium::require(status == cudaStreamCaptureStatusNone, "it watches one gate a call");
    const volatile std::uint32_t* const at = gate;
    podium::launch(watch, dim3(parted_blocks), dim3(parted_threads), 0, side.get(), at,
                   *static_cast<const volatile std::uint32_t*>(gate), args.x.data, args.n, parts, finished);
    all += parted_blocks;
    podium::launch(hand_over, dim3(1), dim3(1), 0, stream, static_cast<const volatile double*>(parts),
                   args.y.data, static_cast<const volatile unsigned*>(finished), all);
  }
};
}  // namespace
