// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Generated products after DeepGEMM's, as FlashInfer has them for sm_100a, by their own launchers. -DGROUP=0
// and 1: of mxfp4, with operands swapped and not; 2 and 3: of mxfp4, one for each part of k, added to f32 in
// memory, and with tiles of few columns; 4 and 5: one for each head, of e4m3 with factors that are powers of
// two, quantized to e4m3 anew, and to bf16.
#include "launcher.hpp"
#if GROUP == 0
#include <experimental/deepgemm_fp4_gemm/cake_deepgemm_fp4_gemm_e6bafe7ceb6a5cfd40fc_binding.cu>
#include <experimental/deepgemm_fp4_gemm/cake_deepgemm_fp4_gemm_e6bafe7ceb6a5cfd40fc_kernel.cu>
namespace shipped = cake_host_shim_fd39feef40b05117;
#elif GROUP == 1
#include <experimental/deepgemm_fp4_gemm/cake_deepgemm_fp4_gemm_bc83e664ecb731739d12_binding.cu>
#include <experimental/deepgemm_fp4_gemm/cake_deepgemm_fp4_gemm_bc83e664ecb731739d12_kernel.cu>
namespace shipped = cake_host_shim_9e3750410d3b2a97;
#elif GROUP == 2
#include <experimental/deepgemm_kgroup_gemm/generated/cake_deepgemm_kgroup_gemm_cc5b14b295a81421d291_binding.cu>
#include <experimental/deepgemm_kgroup_gemm/generated/cake_deepgemm_kgroup_gemm_cc5b14b295a81421d291_kernel.cu>
namespace shipped = cake_host_shim_31358888d6d4bcff;
#elif GROUP == 3
#include <experimental/deepgemm_kgroup_gemm/generated/cake_deepgemm_kgroup_gemm_8c7c168642ff93b4bded_binding.cu>
#include <experimental/deepgemm_kgroup_gemm/generated/cake_deepgemm_kgroup_gemm_8c7c168642ff93b4bded_kernel.cu>
namespace shipped = cake_host_shim_23ce01905f2d6f3e;
#elif GROUP == 4
#include <experimental/deepgemm_batched_gemm/generated/cake_deepgemm_batched_gemm_44b3db5dcd94945d6530_binding.cu>
#include <experimental/deepgemm_batched_gemm/generated/cake_deepgemm_batched_gemm_44b3db5dcd94945d6530_kernel.cu>
namespace shipped = cake_host_shim_3a900d8d065e5639;
#elif GROUP == 5
#include <experimental/deepgemm_batched_gemm/generated/cake_deepgemm_batched_gemm_df7ac68be53c4ef83047_binding.cu>
#include <experimental/deepgemm_batched_gemm/generated/cake_deepgemm_batched_gemm_df7ac68be53c4ef83047_kernel.cu>
namespace shipped = cake_host_shim_00a1ee794df0e129;
#else
#error "GROUP is 0 to 5"
#endif

#include "quantized.hpp"
#include "sum.hpp"

namespace {

using checked::Sum;
using checked::View;
constexpr int blocks = 4;  // which take all tiles in turn

#if GROUP < 4
// Rows of e2m1, 32 numbers with a factor, whose exponents lie in words of four along k, of all rows side by
// side.
struct Mxfp4 {
  Mxfp4(int rows, int k, checked::Random& random)
      : rows(rows),
        k(k),
        bytes(std::size_t(rows) * k / 2),
        words(std::size_t(k) / 128 * ((rows + 3) / 4 * 4)) {
    for (auto& byte : bytes) byte = std::uint8_t(random.below(256));
    for (auto& word : words)
      for (int i = 0; i < 4; ++i) word |= (123 + random.below(9)) << i * 8;
  }
  std::vector<double> numbers() const {
    std::vector<double> all(std::size_t(rows) * k);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t row = i / k, column = i % k;
      const std::uint32_t word = words[column / 128 * ((rows + 3) / 4 * 4) + row];
      all[i] = checked::of_e2m1(bytes[i / 2] >> i % 2 * 4) *
               std::ldexp(1., int(word >> column % 128 / 32 * 8 & 255) - 127);
    }
    return all;
  }
  View view() const { return View(checked::on_device(bytes), {rows, k / 2}); }
  View factors() const { return View(checked::on_device(words), {k / 128, (rows + 3) / 4 * 4}); }
  int rows, k;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> words;
};
#endif

#if GROUP < 2
int run() {
  using Bf16 = __nv_bfloat16;
  constexpr bool swapped = GROUP == 0;
  constexpr int m = swapped ? 53 : 200, n = swapped ? 456 : 200, k = 768, tile_m = swapped ? 32 : 128,
                tile_n = 128;
  constexpr float alpha = .3125f;
  checked::Random random;
  const Mxfp4 a(m, k, random), b(n, k, random);
  Bf16* const out = checked::unwritten<Bf16>(m * n);
  checked::Verdict verdict(swapped ? "mxfp4 32x128x256, swapped, pair of blocks"
                                   : "mxfp4 128x128x256, pair of blocks");
  shipped::Run(a.view(), b.view(), a.factors(), b.factors(), View(out, {m, n}), m, n, k,
               (m + tile_m - 1) / tile_m, (n + tile_n - 1) / tile_n, k / 256, alpha, blocks, 1, 1);
  verdict.wait();
  const auto c = checked::from_device(out, m * n);
  const auto of_a = a.numbers(), of_b = b.numbers();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      Sum all;
      for (int l = 0; l < k; ++l) all.add(alpha * of_a[i * k + l] * of_b[j * k + l]);
      verdict.compare(float(c[i * n + j]), all.sum, checked::rounded<Bf16>(all.sum, 1e-7, 2e-6 * all.size));
    }
  return verdict.said();
}
#elif GROUP < 4
int run() {
  constexpr bool added = GROUP == 2;
  using Out = std::conditional_t<added, float, __nv_bfloat16>;
  constexpr int m = 256, n = 128, groups = 3, tile_n = added ? 128 : 16;
  constexpr int grid_m = m / 128, grid_n = n / tile_n;
  // Each begins at a multiple of 256; what is behind one's end is zeros.
  const std::vector<int> begins{0, 512, 1536}, ends{512, 1512, 1792};
  constexpr int k = 1792;
  checked::Random random;
  Mxfp4 a(m, k, random), b(n, k, random);
  for (auto* const of : {&a, &b})
    for (int i = 0; i < of->rows; ++i)
      for (int l = ends[1]; l < begins[2]; l += 2) of->bytes[(i * k + l) / 2] = 0;
  std::vector<float> before(groups * m * n);
  for (auto& x : before) x = random.small();
  Out* out = checked::unwritten<Out>(before.size());
  if (added) out = reinterpret_cast<Out*>(checked::on_device(before));
  auto layout = ends;
  // By what the scheduler divides: a factor and a shift each for tiles of a group, of 8 rows of tiles, and of
  // those that are left.
  for (const int divisor : {grid_m * grid_n, grid_n * 8, grid_m % 8}) {
    int shift = 31;
    while (1 << (shift - 31) < divisor) ++shift;
    layout.push_back(int(std::uint32_t(((std::uint64_t(1) << shift) + divisor - 1) / divisor)));
    layout.push_back(shift);
  }
  const View of_a = a.view(), of_b = b.view(), factors_a = a.factors(), factors_b = b.factors();
  checked::Verdict verdict(added ? "parts of k, mxfp4 128x128x256, added, pair of blocks"
                                 : "parts of k, mxfp4 128x16x256, pair of blocks");
#if GROUP == 2
  shipped::Run(factors_a, factors_b, of_a, of_b, View(out, {groups, m, n}),
#else
  shipped::Run(of_a, of_b, factors_a, factors_b, View(out, {groups, m, n}),
#endif
               View(checked::on_device(layout), {std::int64_t(layout.size())}), m, n, k, grid_m, grid_n,
               groups, blocks, 1, 1);
  verdict.wait();
  const auto c = checked::from_device(out, before.size());
  const auto numbers_a = a.numbers(), numbers_b = b.numbers();
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const int at = (g * m + i) * n + j;
        Sum all;
        for (int l = begins[g]; l < ends[g]; ++l) all.add(numbers_a[i * k + l] * numbers_b[j * k + l]);
        if (added) all.add(before[at]);
        verdict.compare(float(c[at]), all.sum,
                        added ? 2e-6 * all.size : checked::rounded<Out>(all.sum, 1e-7, 2e-6 * all.size));
      }
  return verdict.said();
}
#else
int run() {
  using Number = __nv_fp8_e4m3;
  using Out = std::conditional_t<GROUP == 4, Number, __nv_bfloat16>;
  constexpr int m = GROUP == 4 ? 13 : 4, heads = 8, k = 4096, n = 1024, of_factor = 128, padded = 128;
  checked::Random random;
  const auto a = checked::random_numbers<Number>(m * heads * k, random),
             b = checked::random_numbers<Number>(std::size_t(heads) * n * k, random);
  constexpr int words = k / of_factor / 4;
  std::vector<std::uint32_t> of_a(heads * words * padded), of_b(heads * words * n);
  const auto random_word = [&] {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word |= (119 + random.below(4)) << i * 8;
    return word;
  };
  for (std::size_t i = 0; i < of_a.size(); ++i)
    if (int(i % padded) < m) of_a[i] = random_word();
  // Of B 128 rows share a factor.
  for (std::size_t i = 0; i < of_b.size(); ++i) of_b[i] = i % 128 == 0 ? random_word() : of_b[i - 1];
  Out* const out = checked::unwritten<Out>(m * heads * n);
  constexpr int pitch = (m + 3) / 4 * 4;
  auto* const factors = checked::unwritten<std::uint32_t>(heads * n / 128 * pitch);
  checked::Verdict verdict(GROUP == 4 ? "heads, e4m3 16x128x128, to e4m3, pair of blocks"
                                      : "heads, e4m3 16x128x128, pair of blocks");
  const View of_out(out, GROUP == 4 ? dl_uint8 : dl_bfloat16, {m, heads, n});
  shipped::Run(View(checked::on_device(a), dl_uint8, {m, heads, k}),
               View(checked::on_device(b), dl_uint8, {heads, n, k}),
               View(checked::on_device(of_a), {heads * words, padded}),
               View(checked::on_device(of_b), {heads * words, n}), of_out,
               View(factors, {heads * n / 128 * pitch}), m, 1, GROUP == 4 ? pitch : 0, 1., 16, 1, 1);
  verdict.wait();
  const auto found = checked::from_device(out, m * heads * n);
  const auto exponents = checked::from_device(factors, heads * n / 128 * pitch);
  const auto factor = [](std::uint32_t word, int l) {
    return std::ldexp(1., int(word >> l / of_factor % 4 * 8 & 255) - 127);
  };
  for (int h = 0; h < heads; ++h) {
    std::vector<double> of_row(std::size_t(m) * k);
    for (int i = 0; i < m; ++i)
      for (int l = 0; l < k; ++l)
        of_row[i * k + l] = double(float(a[(i * heads + h) * k + l])) *
                            factor(of_a[(h * words + l / of_factor / 4) * padded + i], l);
    std::vector<double> sums(m * n), off(m * n), of_column(k);
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l < k; ++l)
        of_column[l] = double(float(b[(std::size_t(h) * n + j) * k + l])) *
                       factor(of_b[(h * words + l / of_factor / 4) * n + j], l);
      for (int i = 0; i < m; ++i) {
        Sum all;
        for (int l = 0; l < k; ++l) all.add(of_row[i * k + l] * of_column[l]);
        sums[i * n + j] = all.sum;
        off[i * n + j] = checked::rounded<__nv_bfloat16>(all.sum, 1e-7, 2e-6 * all.size);
      }
    }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; j += 32) {
        std::vector<double> numbers;
        for (int l = 0; l < 32; ++l) {
          numbers.push_back(float(found[(i * heads + h) * n + j + l]));
          if (GROUP == 5) verdict.compare(numbers[l], sums[i * n + j + l], off[i * n + j + l]);
        }
        if (GROUP == 4)
          checked::compare_mxfp8(verdict, numbers.data(),
                                 std::uint8_t(exponents[(h * n + j) / 128 * pitch + i] >> j % 128 / 32 * 8),
                                 &sums[i * n + j], &off[i * n + j], 32);
      }
  }
  return verdict.said();
}
#endif

}  // namespace

int main() { return run(); }
