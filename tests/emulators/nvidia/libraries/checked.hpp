// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs that launch a library's kernel share: operands, memory, and the comparison with fp64.
#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace checked {

inline void succeed(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

class Random {
 public:
  // A multiple of 1/50 in [-2, 2].
  float small() { return float(int(next() % 201) - 100) / 50; }
  std::uint32_t below(std::uint32_t bound) { return next() % bound; }

 private:
  std::uint32_t next() { return (state_ = state_ * 1664525 + 1013904223) >> 8; }
  std::uint32_t state_ = 1;
};

template <class T>
std::vector<T> random_numbers(std::size_t count, Random& random) {
  std::vector<T> all(count);
  for (auto& x : all) x = T(random.small());
  return all;
}

// Device memory with a copy of `values`; kept until the process ends.
template <class T>
T* on_device(const std::vector<T>& values) {
  T* at = nullptr;
  succeed(cudaMalloc(reinterpret_cast<void**>(&at), values.size() * sizeof(T)), "cudaMalloc");
  succeed(cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyDefault), "cudaMemcpy");
  return at;
}
// Memory of which every byte is 0xff.
template <class T>
T* unwritten(std::size_t count) {
  T* at = nullptr;
  succeed(cudaMalloc(reinterpret_cast<void**>(&at), count * sizeof(T)), "cudaMalloc");
  succeed(cudaMemset(at, 0xff, count * sizeof(T)), "cudaMemset");
  return at;
}
template <class T>
std::vector<T> from_device(const T* at, std::size_t count) {
  std::vector<T> values(count);
  succeed(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDefault), "cudaMemcpy");
  return values;
}

// Counts elements that are off, and says so in one line at the end.
class Verdict {
 public:
  explicit Verdict(const char* name) : name_(name), began_(std::chrono::steady_clock::now()) {}
  // What was launched is waited for: errors end the program, and the time counts until here.
  void wait() {
    succeed(cudaDeviceSynchronize(), name_);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  void compare(double found, double expected, double limit) {
    const double error = std::fabs(found - expected);
    ++count_;
    if (!(error <= limit)) ++wrong_;
    if (!(error / limit <= worst_)) worst_ = error / limit;
  }
  int said() const {
    std::printf("%s: %lld of %lld wrong, largest error %.3g of the limit, %.3f s\n", name_, wrong_, count_,
                worst_, seconds_);
    return wrong_ == 0 && count_ > 0 ? 0 : 1;
  }

 private:
  const char* name_;
  std::chrono::steady_clock::time_point began_;
  double seconds_ = 0, worst_ = 0;
  long long count_ = 0, wrong_ = 0;
};

}  // namespace checked
