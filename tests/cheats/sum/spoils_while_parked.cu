// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Honest on its turn; a kernel of its own writes into the shared memory on the others'

// class: sabotage
// expect: right
// with: --rounds 8
// beside: honest_alone.cu
// Its process stands still when others are on turn, and its kernel does not: it changes a word in every 64
// KiB of the shared memory, over and over. Those beside it must not be blamed for what they did not do.
#include "while_parked.hpp"

namespace {
__global__ void spoil(unsigned* at, std::size_t words, const volatile int* recalled) {
  const unsigned long long began = nanoseconds();
  while (*recalled == 0 && nanoseconds() - began < longest_errand)
    for (std::size_t i = std::size_t(threadIdx.x) * 16384; i < words; i += std::size_t(blockDim.x) * 16384)
      atomicAdd(at + i, 1u);
}

struct Contestant {
  const void* seen = nullptr;

  Contestant(const problem::Workload&, podium::Workspace&, podium::Stream stream) {
    Errand::end();
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() {
    const Arena arena(seen);
    cudaStreamSynchronize(waited_for);
    Errand::begin([&](cudaStream_t stream, const volatile int* recalled) {
      podium::launch(spoil, dim3(1), dim3(256), 0, stream, reinterpret_cast<unsigned*>(arena.begin),
                     arena.bytes / sizeof(unsigned), recalled);
    });
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    seen = args.y.data;
    honest_sum(args, stream);
  }
};
}  // namespace
