// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuDNN, first of its heuristics
//   author: Podium
//   needs: [cudnn]

// Of the library's algorithms only those that add the products as they are: transforms such as Winograd's
// cost digits in f16. In f32 tensor cores would round operands to tf32, so they are not used.
#include <podium/conv2d.hpp>

#include <cudnn.h>

#include <algorithm>
#include <climits>

namespace {
using podium::check;
constexpr bool half = std::is_same_v<problem::real, podium::f16>;
constexpr cudnnDataType_t dtype = half ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
constexpr cudnnMathType_t math = half ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH;
constexpr std::size_t most_scratch = std::size_t{1} << 30;

struct Contestant {
  cudnnHandle_t handle{};
  cudnnTensorDescriptor_t x{}, y{};
  cudnnFilterDescriptor_t weight{};
  cudnnConvolutionDescriptor_t convolution{};
  cudnnConvolutionFwdAlgo_t algorithm{};
  std::size_t scratch_bytes = 0;
  void* scratch = nullptr;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    check(cudnnCreate(&handle));
    check(cudnnSetStream(handle, stream));
    check(cudnnCreateTensorDescriptor(&x));
    check(cudnnCreateTensorDescriptor(&y));
    check(cudnnCreateFilterDescriptor(&weight));
    check(cudnnCreateConvolutionDescriptor(&convolution));
    if (w.n * w.p * w.q * w.k == 0) return;
    podium::require(std::max(w.n * w.h * w.w * w.c, w.n * w.p * w.q * w.k) <= INT_MAX &&
                        std::max(w.pad, w.stride) <= INT_MAX,
                    "cuDNN counts elements in 32 bits");
    check(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NHWC, dtype, int(w.n), int(w.c), int(w.h), int(w.w)));
    check(cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NHWC, dtype, int(w.n), int(w.k), int(w.p), int(w.q)));
    check(
        cudnnSetFilter4dDescriptor(weight, dtype, CUDNN_TENSOR_NHWC, int(w.k), int(w.c), int(w.r), int(w.s)));
    check(cudnnSetConvolution2dDescriptor(convolution, int(w.pad), int(w.pad), int(w.stride), int(w.stride),
                                          1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    check(cudnnSetConvolutionMathType(convolution, math));
    choose();
    scratch = workspace.device(scratch_bytes);
  }
  ~Contestant() {
    cudnnDestroyConvolutionDescriptor(convolution);
    cudnnDestroyFilterDescriptor(weight);
    cudnnDestroyTensorDescriptor(y);
    cudnnDestroyTensorDescriptor(x);
    cudnnDestroy(handle);
  }

  void choose() {
    cudnnConvolutionFwdAlgoPerf_t known[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int count = 0;
    const auto status = cudnnGetConvolutionForwardAlgorithm_v7(
        handle, x, weight, convolution, y, CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count, known);
    const auto last = known + (status == CUDNN_STATUS_SUCCESS ? count : 0);
    const auto best = std::find_if(known, last, [](const auto& candidate) {
      return candidate.status == CUDNN_STATUS_SUCCESS && candidate.mathType == math &&
             candidate.memory <= most_scratch && candidate.algo <= CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
    });
    podium::require(best != last, "cuDNN knows no algorithm without transforms for this shape");
    algorithm = best->algo;
    check(cudnnGetConvolutionForwardWorkspaceSize(handle, x, weight, convolution, y, algorithm,
                                                  &scratch_bytes));
  }

  void run(const problem::Arguments& args, podium::Stream) {
    if (args.y.size() == 0) return;
    const float one = 1, zero = 0;
    check(cudnnConvolutionForward(handle, &one, x, args.x.data, weight, args.weight.data, convolution,
                                  algorithm, scratch, scratch_bytes, &zero, y, args.y.data));
  }
};
}  // namespace
