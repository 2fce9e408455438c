// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Dequantised to f16, then cublasGemmStridedBatchedEx
//   author: Podium
//   needs: [cublas]

// The library multiplies 4-bit floats on Blackwell only, and by matrices. An element times its scale has six
// digits at most and is exact in f16, so what is multiplied here is not approximate; but it takes four times
// the memory, which is written and read again.
#include <podium/nvfp4_matvec.hpp>

#include <cublas_v2.h>

namespace {
using podium::check, podium::f16, problem::group;
constexpr int block = 256;
constexpr std::size_t scratch_bytes = 32 << 20;  // what NVIDIA recommends for Hopper

struct alignas(group / 2) Narrow {  // a group
  podium::e2m1x2 at[group / 2];
};
struct alignas(16) Wide {  // half of one
  f16 at[group / 2];
};

__global__ void __launch_bounds__(block)
    dequantise(const podium::e2m1x2* from, const podium::e4m3* scales, f16* to, std::int64_t groups) {
  const std::int64_t g = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (g >= groups) return;
  const Narrow in = reinterpret_cast<const Narrow*>(from)[g];
  const float scale = podium::cast<float>(scales[g]);
  Wide out[2];
#pragma unroll
  for (int s = 0; s < group; ++s)
    out[s / 8].at[s % 8] =
        podium::cast<f16>(scale * podium::cast<float>(s % 2 == 0 ? in.at[s / 2].low() : in.at[s / 2].high()));
  reinterpret_cast<Wide*>(to)[2 * g] = out[0];
  reinterpret_cast<Wide*>(to)[2 * g + 1] = out[1];
}

struct Contestant {
  f16 *a, *x;
  cublasHandle_t handle{};

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : a(workspace.device<f16>(std::size_t(w.batch * w.m * w.k))),
        x(workspace.device<f16>(std::size_t(w.batch * w.k))) {
    void* scratch = workspace.device(scratch_bytes);
    check(cublasCreate(&handle));
    check(cublasSetStream(handle, stream));  // before the workspace: a new stream brings the default one back
    check(cublasSetWorkspace(handle, scratch, scratch_bytes));
  }
  ~Contestant() { cublasDestroy(handle); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.y.size() == 0) return;
    if (args.k == 0) {  // the empty sum; cuBLAS takes no leading dimension of 0
      check(cudaMemsetAsync(args.y.data, 0, std::size_t(args.y.size()) * sizeof(f16), stream));
      return;
    }
    const auto convert = [&](const auto& from, const auto& scales, f16* to) {
      podium::launch(dequantise, dim3(unsigned(podium::ceil_div(scales.size(), block))), dim3(block), 0,
                     stream, from.data, scales.data, to, scales.size());
    };
    convert(args.a, args.a_scale, a);
    convert(args.x, args.x_scale, x);
    const float one = 1, zero = 0;
    // A row-major m x k matrix is a column-major k x m one, transposed; the vector is a matrix of one column.
    check(cublasGemmStridedBatchedEx_64(handle, CUBLAS_OP_T, CUBLAS_OP_N, args.m, 1, args.k, &one, a,
                                        CUDA_R_16F, args.k, args.m * args.k, x, CUDA_R_16F, args.k, args.k,
                                        &zero, args.y.data, CUDA_R_16F, args.m, args.m, args.batch,
                                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }
};
}  // namespace
