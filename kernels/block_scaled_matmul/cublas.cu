// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Dequantised to f16, then cublasGemmEx
//   author: Podium
//   needs: [cublas]

// The library multiplies no 8-bit floats with such scales (but see cublaslt.cu), and none of the fnuz kind.
// Eleven bits hold an element exactly and its product with a scale well enough; so that f16's range suffices
// whatever the scales are, rows are first brought to about 2^15 by powers of two, which the sums get back.
#include <podium/block_scaled_matmul.hpp>

#include <cublas_v2.h>

namespace {
using podium::check;
using problem::group, problem::real;
constexpr int block = 256;
constexpr int run = 8;                           // adjacent elements that a thread converts at once
constexpr std::size_t scratch_bytes = 32 << 20;  // what NVIDIA recommends for Hopper

struct alignas(run) Narrow {
  real at[run];
};
struct alignas(run * sizeof(podium::f16)) Wide {
  podium::f16 at[run];
};

// The power of two that brings elements, at most 448, times scales of up to `largest` below 2^15.
__device__ float lift(float largest) {
  const int exponent = largest > 0 ? ilogbf(largest) : 0;
  return ldexpf(1, min(max(5 - exponent, -126), 126));
}

// One block a row. scale(g): of the row's g-th group of elements.
template <class Scale>
__device__ void dequantise_row(const real* from, podium::f16* to, std::int64_t k, float* lifted,
                               Scale scale) {
  float largest = 0;
  for (std::int64_t g = 0; g * group < k; ++g) largest = fmaxf(largest, fabsf(scale(g)));
  const float up = lift(largest);
  if (threadIdx.x == 0) *lifted = up;
  if (k % run == 0) {
    for (std::int64_t l = threadIdx.x * run; l < k; l += block * run) {
      const Narrow in = *reinterpret_cast<const Narrow*>(from + l);
      const float factor = scale(l / group) * up;
      Wide out;
#pragma unroll
      for (int s = 0; s < run; ++s)
        out.at[s] = podium::cast<podium::f16>(podium::cast<float>(in.at[s]) * factor);
      *reinterpret_cast<Wide*>(to + l) = out;
    }
  } else {
    for (std::int64_t l = threadIdx.x; l < k; l += block)
      to[l] = podium::cast<podium::f16>(podium::cast<float>(from[l]) * (scale(l / group) * up));
  }
}

__global__ void __launch_bounds__(block)
    dequantise(problem::Arguments args, podium::f16* a, podium::f16* b, float* lifted) {
  const std::int64_t row = blockIdx.x, j = row - args.m, k = args.k;  // rows of a, then rows of b
  if (row < args.m)
    dequantise_row(args.a.data + row * k, a + row * k, k, lifted + row,
                   [&](auto g) { return args.a_scale(row, g); });
  else
    dequantise_row(args.b.data + j * k, b + j * k, k, lifted + row,
                   [&](auto g) { return args.b_scale(j / group, g); });
}

__global__ void __launch_bounds__(block)
    store(const float* sums, const float* lifted, podium::Tensor<podium::bf16, 2> c) {
  const std::int64_t i = blockIdx.x, m = c.extent(0), n = c.extent(1);
  for (std::int64_t j = threadIdx.x; j < n; j += block)  // two powers of two: both quotients are exact
    c(i, j) = podium::cast<podium::bf16>(sums[i * n + j] / lifted[i] / lifted[m + j]);
}

struct Contestant {
  podium::f16 *a, *b;
  float *sums, *lifted;
  cublasHandle_t handle{};

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : a(workspace.device<podium::f16>(std::size_t(w.m * w.k))),
        b(workspace.device<podium::f16>(std::size_t(w.n * w.k))),
        sums(workspace.device<float>(std::size_t(w.m * w.n))),
        lifted(workspace.device<float>(std::size_t(w.m + w.n))) {
    void* scratch = workspace.device(scratch_bytes);
    check(cublasCreate(&handle));
    check(cublasSetStream(handle, stream));  // before the workspace: a new stream brings the default one back
    check(cublasSetWorkspace(handle, scratch, scratch_bytes));
  }
  ~Contestant() { cublasDestroy(handle); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.c.size() == 0) return;
    podium::launch(dequantise, dim3(unsigned(args.m + args.n)), dim3(block), 0, stream, args, a, b, lifted);
    const float one = 1, zero = 0;
    // Row-major c = a bᵀ is column-major cᵀ = b aᵀ, where b as it lies is already transposed.
    check(cublasGemmEx_64(handle, CUBLAS_OP_T, CUBLAS_OP_N, args.n, args.m, args.k, &one, b, CUDA_R_16F,
                          args.k, a, CUDA_R_16F, args.k, &zero, sums, CUDA_R_32F, args.n, CUBLAS_COMPUTE_32F,
                          CUBLAS_GEMM_DEFAULT));
    podium::launch(store, dim3(unsigned(args.m)), dim3(block), 0, stream, sums, lifted, args.c);
  }
};
}  // namespace
