// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, which a cheat gives as long as that suits it. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

namespace {
inline float honest_sum(const float* x, std::int64_t n) {
  double total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += x[i];
  return float(total);
}

#if defined(PODIUM_KERNELS)
constexpr int honest_threads = 256;

__global__ void honest_kernel(const float* x, float* y, std::int64_t n) {  // one block
  __shared__ double partial[honest_threads];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += honest_threads) total += x[i];
  partial[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < honest_threads; ++t) total += partial[t];
  *y = float(total);
}

inline void honest_sum(const problem::Arguments& args, podium::Stream stream) {
  podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, stream, args.x.data, args.y.data, args.n);
}

inline void give_sum(const problem::Arguments& args, podium::Stream stream) { honest_sum(args, stream); }

#if defined(__CUDACC__)
// Keeps the device busy, so that a time that is left out is one that can be seen.
__global__ void busy_kernel(long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (static_cast<long long>(now - begin) < nanoseconds);
}
#endif
#else
inline void give_sum(const problem::Arguments& args, podium::Stream) {
  args.y() = honest_sum(args.x.data, args.n);
}
#endif
}  // namespace
