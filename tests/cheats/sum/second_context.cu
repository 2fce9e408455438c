// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works in a second context, for which nobody waits

// class: side stream, late work
// expect: clock | wrong | not written | threw | device error
// Whoever waits for the device waits for one context of the process. The work is forked from the given stream
// into another one's.
#include "driver_entry.hpp"
#include "honest.hpp"

namespace {
struct Second {  // of this process
  CUcontext context{};
  cudaStream_t stream{};

  Second() {
    int device = 0;
    podium::check(cudaGetDevice(&device));
    CUctxCreateParams parameters{};
    podium::check(DRIVER(cuCtxCreate)(&context, &parameters, CU_CTX_SCHED_AUTO, device));  // and is current
    podium::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    leave();
  }
  void enter() const { podium::check(DRIVER(cuCtxPushCurrent)(context)); }
  void leave() const {
    CUcontext left{};
    podium::check(DRIVER(cuCtxPopCurrent)(&left));
  }
};

struct Contestant {
  static const Second& second() {
    static const Second one;
    return one;
  }
  cudaEvent_t fork{};

  Contestant() {
    second();
    podium::check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  }
  ~Contestant() {
    second().enter();
    cudaStreamSynchronize(second().stream);
    second().leave();
    cudaEventDestroy(fork);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaEventRecord(fork, stream));
    second().enter();
    const auto waits = cudaStreamWaitEvent(second().stream, fork, 0);
    if (waits == cudaSuccess) {
      podium::launch(busy_kernel, dim3(1), dim3(1), 0, second().stream, 300'000ll);
      honest_sum(args, second().stream);
    }
    second().leave();
    podium::check(waits);
  }
};
}  // namespace
