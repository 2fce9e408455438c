// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs of generated attention share: tensor maps, launches, and attention in fp64 of whatever keys
// and values are made of.
#pragma once
#include <cuda.h>

#include "rounded.hpp"

namespace checked {

// Of `dimensions` extents, numbers of the first one side by side; `pitches` in bytes.
template <std::size_t dimensions>
CUtensorMap map_of(const void* at, CUtensorMapDataType type, const cuuint64_t (&extents)[dimensions],
                   const cuuint64_t (&pitches)[dimensions - 1], const cuuint32_t (&box)[dimensions],
                   CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B) {
  const cuuint32_t steps[] = {1, 1, 1, 1, 1};
  CUtensorMap map{};
  if (cuTensorMapEncodeTiled(&map, type, dimensions, const_cast<void*>(at), extents, pitches, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    std::printf("no tensor map\n");
    std::exit(1);
  }
  return map;
}

// `cluster`: of so many blocks along x. `overlapping`: may begin while the kernel before it runs.
template <class Kernel>
void launch(Kernel* kernel, dim3 grid, unsigned threads, int shared, void** arguments, unsigned cluster = 1,
            bool overlapping = false) {
  const auto* const entry = reinterpret_cast<const void*>(kernel);
  succeed(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchConfig_t launched{grid, dim3(threads), std::size_t(shared), nullptr, attributes, 0};
  if (cluster > 1) {
    auto& attribute = attributes[launched.numAttrs++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
  }
  if (overlapping) {
    auto& attribute = attributes[launched.numAttrs++];
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  succeed(cudaLaunchKernelExC(&launched, entry, arguments), "launch");
}

struct Score {
  double sum = 0, size = 0;  // of its terms, and of their sizes
  void add(double term) { sum += term, size += std::fabs(term); }
};

// How a kernel makes weights: `share` and `least` as they are rounded for the second product, and by how much
// of itself its function of 2^x is off.
struct Weights {
  double share, least, exponential = 0;
};
template <class T>
Weights weights_of(double exponential = 0) {
  static const Rounding<T> of;
  return {of.share, of.least, exponential};
}

// What a query's scores come to: the logarithm of the sum of their exponentials, to e, and what f32 makes of
// it.
struct Sum {
  double logarithm, limit;
};

// One query of `keys` keys: `score(j)` is a Score, `value(j)[c]` a number of `of_values`. Right is what a
// kernel may make that keeps scores, weights and sums in f32, and rounds its result to Out. A constant `sink`
// joins the sum of the weights where it is not -INFINITY.
template <class Out, class ScoreOf, class Value>
Sum compare_weighted(Verdict& verdict, const Out* found, int keys, int of_values, const Weights& weights,
                     const ScoreOf& score, const Value& value, double sink = -INFINITY) {
  static const Rounding<Out> of_result;
  std::vector<double> weight(keys), sum(of_values), error(of_values);
  double largest = sink, total = 0, spread = 0;
  for (int j = 0; j < keys; ++j) {
    const Score of = score(j);
    largest = std::max(largest, weight[j] = of.sum);
    spread = std::max(spread, 2e-6 * of.size);
  }
  for (auto& w : weight) total += w = std::exp(w - largest);
  if (sink > -INFINITY) total += std::exp(sink - largest);
  for (int j = 0; j < keys; ++j) {
    const double off = weight[j] * (weights.share + 2 * (spread + weights.exponential)) + weights.least;
    const auto& numbers = value(j);
    for (int c = 0; c < of_values; ++c) {
      const auto number = double(static_cast<float>(numbers[c]));
      sum[c] += weight[j] / total * number;
      error[c] += off / total * std::fabs(number);
    }
  }
  for (int c = 0; c < of_values; ++c)
    verdict.compare(double(float(found[c])), sum[c],
                    error[c] + of_result.share * std::fabs(sum[c]) + of_result.least);
  return {largest + std::log(total),
          2 * spread + weights.exponential + 2e-6 * (1 + std::fabs(largest) + std::log(total))};
}

}  // namespace checked
