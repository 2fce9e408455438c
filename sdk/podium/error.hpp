// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Errors of a contestant: exceptions that its constructor or run throws. Their text stands in its row.
#pragma once
#include <podium/platform.hpp>

#include <cstdio>
#include <exception>
#include <type_traits>
#include <utility>

namespace podium {

// A namespace of their own: judge and worker have a podium::Error too, and a handler confuses types of equal
// names.
inline namespace contestant {

// What this SDK throws; a contestant may throw any std::exception. Headers that kernels include do without
// std::string: nvcc takes as long for <string> as for all of CUDA's own headers.
class Error : public std::exception {
 public:
  explicit Error(const char* text) { std::snprintf(text_, sizeof text_, "%s", text); }
  template <class String, class = decltype(std::declval<const String&>().c_str())>
  explicit Error(const String& text) : Error(text.c_str()) {}

  const char* what() const noexcept override { return text_; }

 private:
  char text_[1024];  // what does not fit is left out: a row shows no more
};

// The row reads "not supported: text" instead of "failed".
struct Unsupported : Error {
  using Error::Error;
};

}  // namespace contestant

inline void require(bool condition, const char* otherwise) {
  if (!condition) throw Unsupported(otherwise);
}

// Throws Error with file, line and status unless `status` is zero, which is success in all of
// CUDA, HIP, cuBLAS(Lt), cuDNN, hipBLAS(Lt), rocBLAS, MIOpen, NCCL.
template <class Status>
void check(Status status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const auto number = static_cast<long long>(status);
  if (number == 0) return;
  const char* said = "";
#if defined(PODIUM_ON_CUDA)
  if constexpr (std::is_same_v<Status, cudaError_t>) said = cudaGetErrorString(status);
#elif defined(PODIUM_ON_HIP)
  if constexpr (std::is_same_v<Status, hipError_t>) said = hipGetErrorString(status);
#endif
  char text[1024];
  std::snprintf(text, sizeof text, "%s:%d: status %lld%s%s", file, line, number, *said ? ", " : "", said);
  throw Error(text);
}

}  // namespace podium
