// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated grouped products of its MegaMoE for sm_100a, by their own launchers: rows of e4m3 by
// each expert's weights of e2m1. -DGROUP=0: two products, g and u, of which silu(g) u times a weight of the
// row is quantized to mxfp8; 1: the product with second weights, and what puts factors in order before.
#include "launcher.hpp"
//
#include <cuda.h>
#include <math_constants.h>
#if GROUP == 0
#include <experimental/mega_moe_v3/generated/deepgemm_mega_moe_v3_grouped_l1_binding.cu>
#include <experimental/mega_moe_v3/generated/deepgemm_mega_moe_v3_grouped_l1_kernel.cu>
#elif GROUP == 1
namespace of_layout {
#include <experimental/mega_moe_v3/generated/deepgemm_mega_moe_v3_grouped_l2_scale_layout_kernel.cu>
}
#include <experimental/mega_moe_v3/generated/deepgemm_mega_moe_v3_grouped_l2_binding.cu>
#include <experimental/mega_moe_v3/generated/deepgemm_mega_moe_v3_grouped_l2_kernel.cu>
#include <experimental/mega_moe_v3/generated/deepgemm_mega_moe_v3_grouped_l2_scale_layout_binding.cu>
#else
#error "GROUP is 0 or 1"
#endif

#include "quantized.hpp"
#include "sum.hpp"

namespace {

using Number = __nv_fp8_e4m3;
using checked::View;

constexpr int experts = 3, n = 256, k = 512, tile = 128;
// A pair of blocks has two tiles of one expert.
const std::vector<int> counts{256, 0, 512};
constexpr int m = 768, tiles = m / tile;

// Rows and weights with a factor for `together` numbers of a row, as exponents.
struct Operands {
  Operands(int together, checked::Random& random)
      : together(together),
        a(checked::random_numbers<Number>(m * k, random)),
        b(experts * n * k / 2),
        of_a(m * (k / together)),
        of_b(experts * n * (k / together)),
        group(m) {
    for (auto& byte : b) byte = std::uint8_t(random.below(256));
    for (auto* const factors : {&of_a, &of_b})
      for (auto& factor : *factors) factor = std::uint8_t(121 + random.below(5));
    int row = 0;
    for (int e = 0; e < experts; ++e) {
      first.push_back(row);
      for (int i = 0; i < counts[e]; ++i, ++row) {
        group[row] = e;
        if (i % tile == 0) of_tile.push_back(e), within.push_back(i);
      }
    }
  }
  checked::Sum product(int row, int column) const {
    checked::Sum all;
    const std::size_t at = std::size_t(group[row]) * n + column;
    for (int l = 0; l < k; ++l) {
      const int exponent =
          of_a[row * (k / together) + l / together] + of_b[at * (k / together) + l / together];
      const double term = double(float(a[row * k + l])) * checked::of_e2m1(b[(at * k + l) / 2] >> l % 2 * 4) *
                          std::ldexp(1., exponent - 254);
      all.add(term);
    }
    return all;
  }
  int together;
  std::vector<Number> a;
  std::vector<std::uint8_t> b, of_a, of_b;
  std::vector<int> group, of_tile, within, first;
};

#if GROUP == 0
// Of 16 rows the first eight are of g, the others of u.
int row_of(int feature, bool up) { return feature / 8 * 16 + feature % 8 + (up ? 8 : 0); }

int run() {
  checked::Random random;
  const Operands of(128, random);
  std::vector<float> weights(m);
  for (auto& weight : weights) weight = float(1 + random.below(1000)) / 1000;
  constexpr int width = n / 2;
  auto* const out = checked::unwritten<std::uint8_t>(m * width);
  auto* const factors = checked::unwritten<std::uint8_t>(m * width / 32);
  checked::Verdict verdict("experts' silu(g) u, e4m3 by e2m1 256x128x256, to mxfp8, pair of blocks");
  deepgemm_host_shim_grouped_l1::Run(
      View(checked::on_device(of.a), dl_uint8, {m, k}), View(checked::on_device(of.b), {experts, n, k / 2}),
      View(checked::on_device(of.of_a), {m, k / 128}),
      View(checked::on_device(of.of_b), {experts, n, k / 128}), View(out, {m, width}),
      View(factors, {m, width / 32}), View(checked::on_device(weights), {m}),
      View(checked::on_device(of.of_tile), {tiles}), View(checked::on_device(of.within), {tiles}),
      View(checked::on_device(of.first), {experts}), m, n, k, n / 128, k / 256, tiles,
      View(checked::unwritten<std::uint8_t>(1024), {1024}), 4, 1, 1);
  verdict.wait();
  const auto bytes = checked::from_device(out, m * width),
             exponents = checked::from_device(factors, m * width / 32);
  for (int i = 0; i < m; ++i)
    for (int begin = 0; begin < width; begin += 32) {
      std::vector<double> numbers, h, off;
      for (int f = begin; f < begin + 32; ++f) {
        const auto gate = of.product(i, row_of(f, false)), up = of.product(i, row_of(f, true));
        const auto result =
            checked::silu_times<float>({gate.sum, 2e-6 * gate.size}, {up.sum, 2e-6 * up.size});
        numbers.push_back(checked::of_e4m3(bytes[i * width + f]));
        h.push_back(weights[i] * result.number);
        off.push_back(weights[i] * (result.off + 1e-6 * std::fabs(result.number)));
      }
      checked::compare_mxfp8(verdict, numbers.data(), exponents[(i * width + begin) / 32], h.data(),
                             off.data(), 32);
    }
  return verdict.said();
}
#else
int run() {
  using Bf16 = __nv_bfloat16;
  checked::Random random;
  const Operands of(32, random);
  constexpr int words = k / 128;
  const auto as_words = [](const std::vector<std::uint8_t>& bytes) {
    return reinterpret_cast<const std::uint32_t*>(checked::on_device(bytes));
  };
  auto* const words_a = checked::unwritten<std::uint32_t>(words * m);
  auto* const words_b = checked::unwritten<std::uint32_t>(experts * words * n);
  const View in_order_a(words_a, {words, m}), in_order_b(words_b, {experts * words, n});
  Bf16* const out = checked::unwritten<Bf16>(m * n);
  checked::Verdict layout("factors in order"),
      verdict("experts' second products, e4m3 by e2m1 256x128x256, pair of blocks");
  deepgemm_host_shim_grouped_l2_scale_layout::Run(
      View(as_words(of.of_a), {m, words}), View(as_words(of.of_b), {experts, n, words}), in_order_a,
      in_order_b, m, experts * n, n, words, (m * words + 255) / 256 + (experts * n * words + 255) / 256, 1,
      1);
  deepgemm_host_shim_grouped_l2::Run(
      View(checked::on_device(of.a), dl_uint8, {m, k}), View(checked::on_device(of.b), {experts, n, k / 2}),
      in_order_a, in_order_b, View(out, {m, n}), View(checked::on_device(of.of_tile), {tiles}),
      View(checked::on_device(of.within), {tiles}), View(checked::on_device(of.first), {experts}), m, n, k,
      n / 128, k / 256, tiles, View(checked::unwritten<std::uint8_t>(1024), {1024}), 4, 1, 1);
  layout.wait();
  verdict.wait();
  // Of 128 rows those that are 32 apart lie side by side.
  const auto place = [](int row) { return row / 128 * 128 + row % 32 * 4 + row % 128 / 32; };
  const auto compare = [&](const std::uint32_t* found, const std::vector<std::uint8_t>& bytes, int groups,
                           int rows) {
    const auto all = checked::from_device(found, std::size_t(groups) * words * rows);
    for (int g = 0; g < groups; ++g)
      for (int row = 0; row < rows; ++row)
        for (int i = 0; i < words * 4; ++i)
          layout.compare(double(all[(g * words + i / 4) * rows + place(row)] >> i % 4 * 8 & 255),
                         bytes[(g * rows + row) * words * 4 + i], 1e-9);
  };
  compare(words_a, of.of_a, 1, m);
  compare(words_b, of.of_b, experts, n);
  const auto c = checked::from_device(out, m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const auto [sum, size] = of.product(i, j);
      verdict.compare(float(c[i * n + j]), sum, checked::rounded<Bf16>(sum, 0, 2e-6 * size));
    }
  return layout.said() | verdict.said();
}
#endif

}  // namespace

int main() { return run(); }
