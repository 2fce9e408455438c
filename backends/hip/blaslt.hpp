// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// hipBLASLt's binary interface, as far as calibration calls it, so that its headers are not needed; names and
// numbers are those of ROCm 6.2 to 7. blaslt_check.cpp holds them against the headers where there are any.
#pragma once
#include <hip/library_types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace podium::gpu::blaslt {

inline constexpr const char* library = "hipBLASLt";
inline constexpr std::array files = {"libhipblaslt.so.1", "libhipblaslt.so.0", "libhipblaslt.so"};
inline constexpr const char* prefix = "hipblasLt";  // of its functions

// hipDataType
inline constexpr int f32 = HIP_R_32F, f64 = HIP_R_64F, f16 = HIP_R_16F, bf16 = HIP_R_16BF, i8 = HIP_R_8I,
                     i32 = HIP_R_32I;
inline constexpr std::array e4m3 = {28, 1000};  // HIP_R_8F_E4M3, and CDNA 3's HIP_R_8F_E4M3_FNUZ
// hipblasComputeType_t
inline constexpr int compute_f32 = 2, compute_tf32 = 6, compute_f64 = 7, compute_i32 = 9;
// hipblasLtMatmulDescAttributes_t, hipblasOperation_t, hipblasLtMatmulPreferenceAttributes_t; no choice of
// accumulation
inline constexpr int transpose_a = 0, fast_accumulation = -1, transposed = 112, most_workspace = 1;

struct Algorithm {
  std::uint8_t data[16];
  std::size_t most_workspace;
};
struct Heuristic {
  Algorithm algorithm;
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

inline std::string version(void* handle, void* symbol) {
  int number = 0;  // 100200 for 1.2.0
  reinterpret_cast<int (*)(void*, int*)>(symbol)(handle, &number);
  return std::to_string(number / 100000) + "." + std::to_string(number / 100 % 1000) + "." +
         std::to_string(number % 100);
}

}  // namespace podium::gpu::blaslt
