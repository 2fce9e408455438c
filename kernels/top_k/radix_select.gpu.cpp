// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Radix selection, 8 bits a pass, then a bitonic sort of k
//   author: Podium
//   source: after Alabi et al., Fast k-selection algorithms for GPUs, 2012

// The k-th largest key is found digit by digit, from the highest: a histogram of the digit, over the elements
// that agree with the digits found so far, says in which bin the k-th falls. Then one pass gathers all that
// is larger and as many of its equals as are missing, and only those k are sorted. A row is read once a digit
// and once more, however large k is. A float is compared like an unsigned integer once the sign bit is
// flipped and, if negative, all others too.
#include <podium/top_k.hpp>

namespace {
using problem::real;
constexpr int most_threads = 1024;
constexpr int digit_bits = 8, digits = 1 << digit_bits;
constexpr int most_k = 4096;      // sorted in shared memory
using Pair = unsigned long long;  // key, then the complement of the index: the first of equals is the largest

__device__ unsigned key_of(real x) {
  const float v = podium::cast<float>(x) + 0.0f;  // -0 becomes 0
  unsigned bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

struct Threshold {
  unsigned key;   // the k-th largest
  unsigned rest;  // how many of the k are equal to it
};

__device__ Threshold select(const real* x, unsigned cols, unsigned k) {
  __shared__ unsigned bins[digits];
  __shared__ Threshold found;
  // A bf16 ends in 16 zeros, or ones if it is negative: they follow from the digits above.
  constexpr int last_shift = sizeof(real) == 2 ? 16 : 0;
  unsigned prefix = 0, rest = k;
  for (int shift = 32 - digit_bits; shift >= last_shift; shift -= digit_bits) {
    for (unsigned d = threadIdx.x; d < digits; d += blockDim.x) bins[d] = 0;
    __syncthreads();
    for (unsigned j = threadIdx.x; j < cols; j += blockDim.x) {
      const unsigned key = key_of(x[j]);
      if (Pair{key} >> (shift + digit_bits) == prefix) atomicAdd(&bins[key >> shift & (digits - 1)], 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned d = digits - 1;
      for (; bins[d] < rest; --d) rest -= bins[d];
      found = {prefix << digit_bits | d, rest};
    }
    __syncthreads();
    prefix = found.key;
    rest = found.rest;
    __syncthreads();
  }
  return {prefix, rest};
}

__global__ void __launch_bounds__(most_threads)
    top_k(podium::Tensor<const real, 2> input, podium::Tensor<real, 2> values,
          podium::Tensor<std::int32_t, 2> indices, unsigned padded) {
  PODIUM_DYNAMIC_SHARED(Pair, taken);
  __shared__ unsigned larger, equal;
  const std::int64_t row = blockIdx.x;
  const real* x = input.data + row * input.stride(0);
  const auto cols = unsigned(input.extent(1)), k = unsigned(values.extent(1));
  if (threadIdx.x == 0) larger = equal = 0;
  for (unsigned i = k + threadIdx.x; i < padded; i += blockDim.x) taken[i] = 0;  // comes last
  const Threshold threshold = select(x, cols, k);

  constexpr int shift = sizeof(real) == 2 ? 16 : 0;
  for (unsigned j = threadIdx.x; j < cols; j += blockDim.x) {
    const unsigned key = key_of(x[j]);
    if (key >> shift < threshold.key) continue;
    unsigned slot;
    if (key >> shift > threshold.key)
      slot = atomicAdd(&larger, 1u);
    else
      slot = k - threshold.rest + atomicAdd(&equal, 1u);
    if (slot < k) taken[slot] = Pair{key} << 32 | Pair{~j};
  }
  __syncthreads();

  for (unsigned length = 2; length <= padded; length *= 2)
    for (unsigned stride = length / 2; stride > 0; stride /= 2) {
      for (unsigned t = threadIdx.x; t < padded / 2; t += blockDim.x) {
        const unsigned i = t / stride * stride * 2 + t % stride;
        const Pair low = taken[i], high = taken[i + stride];
        if ((i & length) == 0 ? low < high : low > high) {
          taken[i] = high;
          taken[i + stride] = low;
        }
      }
      __syncthreads();
    }
  for (unsigned r = threadIdx.x; r < k; r += blockDim.x) {
    const unsigned at = ~unsigned(taken[r]);
    values(row, r) = x[at];
    indices(row, r) = std::int32_t(at);
  }
}

struct Contestant {
  explicit Contestant(const problem::Workload& w) {
    podium::require(w.k <= most_k, "k elements are sorted in shared memory, which holds 4096");
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0 || args.k == 0) return;
    unsigned padded = 1, threads = 64;
    while (padded < args.k) padded *= 2;
    while (threads < most_threads && threads * 8 < args.cols) threads *= 2;
    podium::launch(top_k, dim3(unsigned(args.rows)), dim3(threads), padded * sizeof(Pair), stream, args.x,
                   args.values, args.indices, padded);
  }
};
}  // namespace
