// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works on a share of the multiprocessors, and joins

// expect: right
// A green context's stream, forked from the given one and joined to it: a way to leave multiprocessors to
// something else.
#include <cuda.h>

#include <stdexcept>

#include "parts.hpp"

namespace {
template <class Function>
Function driver(const char* name, Function) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  podium::check(cudaGetDriverEntryPointByVersion(name, &entry, CUDART_VERSION, cudaEnableDefault, &found));
  if (entry == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
  return reinterpret_cast<Function>(entry);
}
#define DRIVER(function) driver(#function, decltype(&function){})

class GreenContext {
 public:
  GreenContext() {
    int device = 0;
    podium::check(cudaGetDevice(&device));
    CUdevResource all{}, part{}, rest{};
    podium::check(DRIVER(cuDeviceGetDevResource)(device, &all, CU_DEV_RESOURCE_TYPE_SM));
    unsigned groups = 1;
    podium::check(DRIVER(cuDevSmResourceSplitByCount)(&part, &groups, &all, &rest, 0, all.sm.smCount / 2));
    CUdevResourceDesc described{};
    podium::check(DRIVER(cuDevResourceGenerateDesc)(&described, &part, 1));
    podium::check(DRIVER(cuGreenCtxCreate)(&context_, described, device, CU_GREEN_CTX_DEFAULT_STREAM));
    CUstream made{};
    podium::check(DRIVER(cuGreenCtxStreamCreate)(&made, context_, CU_STREAM_NON_BLOCKING, 0));
    stream_ = made;
  }
  ~GreenContext() {
    cudaStreamDestroy(stream_);
    DRIVER(cuGreenCtxDestroy)(context_);
  }
  GreenContext(const GreenContext&) = delete;
  GreenContext& operator=(const GreenContext&) = delete;
  cudaStream_t stream() const { return stream_; }

 private:
  CUgreenCtx context_{};
  cudaStream_t stream_{};
};

struct Contestant {
  double* parts;
  GreenContext green;
  cudaEvent_t fork{}, join{};

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {
    podium::check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    podium::check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  }
  ~Contestant() {
    cudaEventDestroy(join);
    cudaEventDestroy(fork);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaEventRecord(fork, stream));
    podium::check(cudaStreamWaitEvent(green.stream(), fork, 0));
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, green.stream(), args.x.data, args.n, parts);
    podium::launch(whole_sum, dim3(1), dim3(1), 0, green.stream(), static_cast<const double*>(parts),
                   args.y.data);
    podium::check(cudaEventRecord(join, green.stream()));
    podium::check(cudaStreamWaitEvent(stream, join, 0));
  }
};
}  // namespace
