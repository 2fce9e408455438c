// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated kernels for sm_100a after DeepGEMM's: products of fp8 with a scale factor for 128
// numbers of a row of A or a column of B, or with fp4 and one for 32 of B. C += A B in f32, or C = A B in
// bf16. -DGROUP says which.
#if GROUP == 0
#include <experimental/deepgemm_fp8_gemm/cake_deepgemm_fp8_gemm/cake_deepgemm_fp8_gemm_18fcb3341bab99af1b01_kernel.cu>
#elif GROUP == 1
#include <experimental/deepgemm_fp8_gemm/cake_deepgemm_fp8_gemm/cake_deepgemm_fp8_gemm_3b61ba0203e4fccf63a1_kernel.cu>
#elif GROUP == 2
#include <experimental/deepgemm_mixed_gemm/cake_deepgemm_mixed_gemm_215099de8776807fb433_kernel.cu>
#else
#error "GROUP is 0, 1 or 2"
#endif

#include "checked.hpp"

namespace {

constexpr unsigned rows = 128, columns = 224, depth = 128;  // of a block's tile
constexpr unsigned together = 4;                            // scale factors in a word
constexpr unsigned blocks = 4;                              // in pairs; fewer than tiles
#if GROUP == 0
constexpr auto* kernel = kernel_cake_deepgemm_fp8_gemm_18fcb3341bab99af1b01;
constexpr auto type_of_c = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
constexpr auto swizzle_of_c = CU_TENSOR_MAP_SWIZZLE_128B;
constexpr double rounded = 0;
using Out = float;
#else
constexpr auto* kernel =
#if GROUP == 1
    kernel_cake_deepgemm_fp8_gemm_3b61ba0203e4fccf63a1;
#else
    kernel_cake_deepgemm_mixed_gemm_215099de8776807fb433;
#endif
constexpr auto type_of_c = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
constexpr auto swizzle_of_c = CU_TENSOR_MAP_SWIZZLE_64B;
constexpr double rounded = 1. / 256;  // half a unit in the last place
using Out = __nv_bfloat16;
#endif

template <class T, std::size_t dimensions>
CUtensorMap map_of(T* at, CUtensorMapDataType type, const cuuint64_t (&extents)[dimensions],
                   const cuuint64_t* pitches, const cuuint32_t (&box)[dimensions],
                   CUtensorMapSwizzle swizzle) {
  const cuuint32_t steps[] = {1, 1, 1};
  CUtensorMap map{};
  if (cuTensorMapEncodeTiled(&map, type, dimensions, at, extents, pitches, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    std::printf("no tensor map\n");
    std::exit(1);
  }
  return map;
}
// Of a matrix whose rows are contiguous.
template <class T>
CUtensorMap map_of(T* at, CUtensorMapDataType type, cuuint64_t width, cuuint64_t height, unsigned box_width,
                   unsigned box_height, CUtensorMapSwizzle swizzle) {
  const cuuint64_t pitch = width * sizeof(T);
  return map_of(at, type, {width, height}, &pitch, {box_width, box_height}, swizzle);
}
// Of one with `k` numbers of `bits` in a row, as rows of 128 numbers.
CUtensorMap map_of_slices(std::uint8_t* at, CUtensorMapDataType type, cuuint64_t k, cuuint64_t height,
                          int bits, unsigned box_height) {
  const cuuint64_t pitches[] = {k * bits / 8, cuuint64_t(depth) * bits / 8};
  return map_of(at, type, {depth, height, k / depth}, pitches, {depth, box_height, 1},
                CU_TENSOR_MAP_SWIZZLE_128B);
}

// Powers of two, a byte for each row and `share` columns; four of a row are a word.
struct Factors {
  Factors(int of_rows, int k, int columns_of_each, checked::Random& random)
      : height(of_rows),
        share(columns_of_each),
        words(std::size_t((k + together * share - 1) / (together * share)) * of_rows) {
    for (auto& word : words)
      for (unsigned i = 0; i < together; ++i) word |= (127 - 3 + random.below(7)) << 8 * i;
  }
  double at(int row, int k) const {
    const auto word = words[std::size_t(k / (together * share)) * height + row];
    return std::ldexp(1., int(word >> k / share % together * 8 & 0xff) - 127);
  }
  CUtensorMap map(unsigned box) const {
    return map_of(checked::on_device(words), CU_TENSOR_MAP_DATA_TYPE_UINT32, height, words.size() / height,
                  box, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
  }
  int height, share;
  std::vector<std::uint32_t> words;
};

struct Numbers {
  Numbers(std::size_t count, bool fp4, checked::Random& random) : bytes(fp4 ? count / 2 : count) {
    constexpr double of_fp4[] = {0, .5, 1, 1.5, 2, 3, 4, 6};
    for (auto& byte : bytes) {
      if (fp4) {
        byte = std::uint8_t(random.below(256));
        for (const int nibble : {byte & 15, byte >> 4})
          values.push_back(nibble < 8 ? of_fp4[nibble] : -of_fp4[nibble - 8]);
      } else {
        const __nv_fp8_e4m3 number(random.small());
        byte = number.__x;
        values.push_back(double(float(number)));
      }
    }
  }
  std::vector<std::uint8_t> bytes;
  std::vector<double> values;
};

int run(const char* name, int m, int n, int k) {
  constexpr bool mixed = GROUP == 2;
  checked::Random random;
  const Numbers a(std::size_t(m) * k, false, random), b(std::size_t(n) * k, mixed, random);
  const Factors factors_a(m, k, depth, random), factors_b(n, k, mixed ? 32 : depth, random);
  const auto c = checked::random_numbers<Out>(std::size_t(m) * n, random);
  Out* const device_c = checked::on_device(c);
  std::uint8_t *const device_a = checked::on_device(a.bytes), *const device_b = checked::on_device(b.bytes);
  const auto fp8 = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  const auto by_128 = CU_TENSOR_MAP_SWIZZLE_128B;
  auto map_a =
      mixed ? map_of_slices(device_a, fp8, k, m, 8, rows) : map_of(device_a, fp8, k, m, depth, rows, by_128);
  auto map_b = mixed ? map_of_slices(device_b, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, k, n, 4, columns / 2)
                     : map_of(device_b, fp8, k, n, depth, columns / 2, by_128);
  auto map_factors_a = factors_a.map(rows), map_factors_b = factors_b.map(mixed ? columns : 256);
  auto map_c = map_of(device_c, type_of_c, n, m, 32, rows, swizzle_of_c);
  int tiles_m = (m + rows - 1) / rows, tiles_n = (n + columns - 1) / columns,
      tiles_k = (k + depth - 1) / depth;
  void* arguments[] = {&map_a, &map_b, &map_factors_a, &map_factors_b, &map_c,  &m,
                       &n,     &k,     &tiles_m,       &tiles_n,       &tiles_k};
  if (mixed) std::swap(arguments[0], arguments[2]), std::swap(arguments[1], arguments[3]);
  checked::succeed(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SMEM_TOTAL),
                   "shared memory");
  checked::Verdict verdict(name);
  checked::succeed(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(256), arguments,
                                    SMEM_TOTAL, nullptr),
                   "launch");
  verdict.wait();
  const auto d = checked::from_device(device_c, c.size());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const std::size_t at = std::size_t(i) * n + j;
      double sum = GROUP == 0 ? double(float(c[at])) : 0, size = std::fabs(sum);
      for (int l = 0; l < k; ++l) {
        const double x = a.values[std::size_t(i) * k + l] * b.values[std::size_t(j) * k + l] *
                         factors_a.at(i, l) * factors_b.at(j, l);
        sum += x, size += std::fabs(x);
      }
      verdict.compare(double(float(d[at])), sum, 2e-6 * size + rounded * std::fabs(sum));
    }
  return verdict.said();
}

}  // namespace

int main() {
  constexpr const char* names[] = {"e4m3 256x224x128, added in f32, pair of blocks",
                                   "e4m3 256x224x128, bf16, pair of blocks",
                                   "e4m3 by e2m1 256x224x128, bf16, pair of blocks"};
  return run(names[GROUP], 392, 408, GROUP == 2 ? 1152 : 1168);
}
