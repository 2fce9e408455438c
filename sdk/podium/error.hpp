// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Errors of a contestant: exceptions, in constructor and run; their text becomes its row.
#pragma once
#include <podium/platform.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace podium {

// The row reads "not supported: text" instead of "failed".
struct Unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

inline void require(bool condition, const char* otherwise) {
  if (!condition) throw Unsupported(otherwise);
}

// Throws std::runtime_error with file, line and status unless `status` is zero, which is success in all of
// CUDA, HIP, cuBLAS(Lt), cuDNN, hipBLAS(Lt), rocBLAS, MIOpen, NCCL.
template <class Status>
void check(Status status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const auto number = static_cast<long long>(status);
  if (number == 0) return;
  std::string text = std::string(file) + ":" + std::to_string(line) + ": status " + std::to_string(number);
#if defined(PODIUM_ON_CUDA)
  if constexpr (std::is_same_v<Status, cudaError_t>) text += std::string(", ") + cudaGetErrorString(status);
#elif defined(PODIUM_ON_HIP)
  if constexpr (std::is_same_v<Status, hipError_t>) text += std::string(", ") + hipGetErrorString(status);
#endif
  throw std::runtime_error(text);
}

}  // namespace podium
