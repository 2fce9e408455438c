// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cuBLASLt's binary interface, as far as calibration calls it, so that its headers are not needed; names and
// numbers are those of CUDA 12 and 13. blaslt_check.cpp holds them against the headers where there are any.
#pragma once
#include <cuda_runtime_api.h>
#include <library_types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace podium::gpu::blaslt {

inline constexpr const char* library = "cuBLASLt";
// That of the runtime in this program; another major version may want another driver.
inline constexpr std::array files = {CUDART_VERSION >= 13000 ? "libcublasLt.so.13" : "libcublasLt.so.12",
                                     "libcublasLt.so"};
inline constexpr const char* prefix = "cublasLt";  // of its functions

// cudaDataType
inline constexpr int f32 = CUDA_R_32F, f64 = CUDA_R_64F, f16 = CUDA_R_16F, bf16 = CUDA_R_16BF, i8 = CUDA_R_8I,
                     i32 = CUDA_R_32I;
inline constexpr std::array e4m3 = {static_cast<int>(CUDA_R_8F_E4M3)};
// cublasComputeType_t
inline constexpr int compute_f32 = 68, compute_tf32 = 77, compute_f64 = 70, compute_i32 = 72;
// cublasLtMatmulDescAttributes_t, cublasOperation_t, cublasLtMatmulPreferenceAttributes_t
inline constexpr int transpose_a = 3, fast_accumulation = 25, transposed = 1, most_workspace = 1;

struct Algorithm {
  std::uint64_t data[8];
};
struct Heuristic {
  Algorithm algorithm;
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

inline std::string version(void*, void* symbol) {
  const std::size_t number = reinterpret_cast<std::size_t (*)()>(symbol)();  // 130100, or 12.8.4: 120804
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

}  // namespace podium::gpu::blaslt
