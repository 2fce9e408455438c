// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The calls of our library baselines timed alone, behind a gate, in one process: what the tables are held
// against.
//   nvcc -std=c++20 -O3 -arch=sm_90 tests/gpu/library_baselines.cu -lcublas -lcuda -o library_baselines &&
//   ./library_baselines [MiB that flush the caches; default: twice the L2, as the judge's flush]
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "alone.hpp"

template <class T>
struct Sum {
  __device__ T operator()(T x, T y) const { return T(float(x) + float(y)); }
};
template <class T>
void vector_add(const char* name, long n) {
  T *a = random_values<T>(n * n, 1), *b = random_values<T>(n * n, 2), *c = random_values<T>(n * n, 3);
  time(name, n, [&](cudaStream_t s) {
    CHECK(cub::DeviceTransform::Transform(cuda::std::make_tuple(a, b), c, n * n, Sum<T>{}, s));
  });
  give_back(a), give_back(b), give_back(c);
}

int main(int argc, char** argv) {
  set_flush(argc, argv);
  for (const long n : {1024, 4096, 16384}) vector_add<float>("add f32", n), vector_add<__half>("add f16", n);
  for (const long n : {1638400, 6553600, 26214400, 52428800}) {
    float *x = random_values<float>(n, 1), *y = random_values<float>(1, 2);
    std::size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, x, y, n));
    void* scratch = random_values<char>(bytes, 3);
    time("sum f32", n, [&](cudaStream_t s) { CHECK(cub::DeviceReduce::Sum(scratch, bytes, x, y, n, s)); });
    give_back(x), give_back(y), give_back(scratch);
  }
  for (const long n : {100000, 1000000, 10000000, 100000000}) {
    float *x = random_values<float>(n, 1), *y = random_values<float>(n, 2);
    std::size_t bytes = 0;
    CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, x, y, n));
    void* scratch = random_values<char>(bytes, 3);
    time("sort f32", n,
         [&](cudaStream_t s) { CHECK(cub::DeviceRadixSort::SortKeys(scratch, bytes, x, y, n, 0, 32, s)); });
    give_back(x), give_back(y), give_back(scratch);
  }
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  void* scratch = random_values<char>(32 << 20, 1);
  constexpr int shapes[][3] = {{1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 5120, 4096}};
  for (const auto& [m, n, k] : shapes) {
    __half *a = random_values<__half>(std::size_t(m) * k, 1),
           *b = random_values<__half>(std::size_t(k) * n, 2),
           *c = random_values<__half>(std::size_t(m) * n, 3);
    time("matmul f16", m, [&, m = m, n = n, k = k](cudaStream_t s) {
      const float one = 1, zero = 0;
      CHECK(cublasSetStream(handle, s));
      CHECK(cublasSetWorkspace(handle, scratch, 32 << 20));
      CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, CUDA_R_16F, n, a, CUDA_R_16F, k,
                         &zero, c, CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    });
    give_back(a), give_back(b), give_back(c);
  }
}
