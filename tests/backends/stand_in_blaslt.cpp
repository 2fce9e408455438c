// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A cuBLASLt that multiplies on the CPU, compiled against the real one's header: f64, f32 and i8, two ways
// each, of which the second does not work. It holds its callers to what they promise.
#include <cublasLt.h>

#include <cstdint>
#include <cstring>
#include <vector>

extern "C" int stand_in_alive() __attribute__((visibility("default")));

namespace {

int alive = 0;  // descriptors and handles

struct Operation {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  std::int32_t transpose_a = 0;
};
struct Layout {
  cudaDataType type;
  std::uint64_t rows, cols;
  std::int64_t ld;
};

template <class To, class From>
To* as(From* from) {
  return reinterpret_cast<To*>(from);
}

template <class T>
cublasStatus_t made(T* made, void* out) {
  ++alive;
  std::memcpy(out, static_cast<void*>(&made), sizeof made);
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t gone(T* one) {
  --alive;
  delete one;
  return CUBLAS_STATUS_SUCCESS;
}

template <class In, class Out>
void multiply(const Layout& layout, const void* alpha, const void* a, const void* b, const void* beta,
              void* d) {
  Out one, zero;
  std::memcpy(&one, alpha, sizeof one);
  std::memcpy(&zero, beta, sizeof zero);
  const auto n = layout.rows, ld = static_cast<std::uint64_t>(layout.ld);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) {
      Out sum = 0;
      for (std::uint64_t k = 0; k < n; ++k)
        sum += Out(static_cast<const In*>(a)[k + i * ld]) * Out(static_cast<const In*>(b)[k + j * ld]);
      static_cast<Out*>(d)[i + j * ld] = Out(one * sum + zero);
    }
}

}  // namespace

int stand_in_alive() { return alive; }

extern "C" {

std::size_t cublasLtGetVersion() { return 130205; }
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) { return made(new int, handle); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return gone(as<int>(handle)); }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* out, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return made(new Operation{compute, scale}, out);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t one) { return gone(as<Operation>(one)); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t one,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t bytes) {
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSA && bytes == sizeof(std::int32_t))
    std::memcpy(&as<Operation>(one)->transpose_a, value, bytes);
  else if (attribute != CUBLASLT_MATMUL_DESC_FAST_ACCUM || bytes != sizeof(std::int8_t))
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* out, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t cols, std::int64_t ld) {
  return made(new Layout{type, rows, cols, ld}, out);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t one) { return gone(as<Layout>(one)); }

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* out) {
  return made(new std::uint64_t{0}, out);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t one) {
  return gone(as<std::uint64_t>(one));
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t one,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
  if (attribute != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES || bytes != sizeof(std::uint64_t))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(as<void>(one), value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found) {
  *found = 0;
  const auto type = as<Layout>(a)->type;
  if (type != CUDA_R_64F && type != CUDA_R_32F && type != CUDA_R_8I) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (wanted < 2 || *as<std::uint64_t>(preference) < 1024) return CUBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < 2; ++i) {
    results[i] = {};
    results[i].algo.data[7] = 0xABC;
    results[i].workspaceSize = 1024;
    results[i].state = i == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
  }
  *found = 2;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t one, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t,
                              const void* beta, const void* c, cublasLtMatrixLayout_t, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algorithm,
                              void* workspace, std::size_t bytes, cudaStream_t stream) {
  const auto& operation = *as<Operation>(one);
  const auto& in = *as<Layout>(a_layout);
  const auto out = as<Layout>(d_layout)->type;
  if (operation.transpose_a != CUBLAS_OP_T || c != d || algorithm->data[7] != 0xABC || !workspace ||
      bytes < 1024 || stream != reinterpret_cast<cudaStream_t>(0x57))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto is = [&](cublasComputeType_t compute, cudaDataType_t scale, cudaDataType from, cudaDataType to) {
    return operation.compute == compute && operation.scale == scale && in.type == from && out == to;
  };
  if (is(CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F))
    multiply<double, double>(in, alpha, a, b, beta, d);
  else if (is(CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F))
    multiply<float, float>(in, alpha, a, b, beta, d);
  else if (is(CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I))
    multiply<std::int8_t, std::int32_t>(in, alpha, a, b, beta, d);
  else
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
