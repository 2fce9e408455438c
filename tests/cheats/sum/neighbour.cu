// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for the answer around the tensors

// class: stealing the answer
// expect: wrong
// A handle to shared device memory opens the whole block that it came from. This takes something in that
// block, apart from the tensors themselves, that looks like a float, and passes it off as the sum.
#include <podium/sum.hpp>

#include <cuda.h>
#include <dlfcn.h>

namespace {
__global__ void search(const float* block, std::int64_t size, const float* x, std::int64_t n, float* y) {
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += std::int64_t(gridDim.x) * blockDim.x) {
    const float* at = block + i;
    if ((at < x || at >= x + n) && at != y && fabsf(*at) > 1e-20f && fabsf(*at) < 1e9f) *y = *at;
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    using Range = CUresult (*)(CUdeviceptr*, std::size_t*, CUdeviceptr);
    const auto range =
        reinterpret_cast<Range>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuMemGetAddressRange_v2"));
    CUdeviceptr begin = 0;
    std::size_t bytes = 0;
    podium::check(range(&begin, &bytes, reinterpret_cast<CUdeviceptr>(args.y.data)));
    podium::check(cudaMemsetAsync(args.y.data, 0, sizeof(float), stream));
    podium::launch(search, dim3(1024), dim3(256), 0, stream, reinterpret_cast<const float*>(begin),
                   bytes / sizeof(float), args.x.data, args.n, args.y.data);
  }
};
}  // namespace
