// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated experts of Kimi K3 for sm_100a, of nvfp4, by their own launchers. -DGROUP=0: two
// products with each expert's first weights, bounded by hyperbolic tangents, of which the one times the
// logistic function times the other is quantized anew; 1: the product with its second weights. Weights take
// few experts here, of 896.
#include "launcher.hpp"
#if GROUP == 0
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_d8a21008075dd1af4de1_binding.cu>
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_d8a21008075dd1af4de1_kernel.cu>
#elif GROUP == 1
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_151cbac5f51ddfa2f9f6_binding.cu>
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_151cbac5f51ddfa2f9f6_kernel.cu>
#else
#error "GROUP is 0 or 1"
#endif

#include "quantized.hpp"

namespace {

using Bf16 = __nv_bfloat16;
using checked::Near;
using checked::View;

constexpr int hidden = 3584, width = 384, experts = 3, tile = 8, together = 16;
// Tiles of eight rows, of which some have fewer, and whose expert's they are.
const std::vector<int> of_tile{0, 2, 2, 1}, rows_of_tile{8, 8, 3, 5};
const int tiles = int(of_tile.size());

struct Sum {
  double sum = 0, size = 0;
  void add(double term) { sum += term, size += std::fabs(term); }
};

// Where each tile's rows end.
std::vector<int> ends() {
  std::vector<int> all;
  for (int t = 0; t < tiles; ++t) all.push_back(t * tile + rows_of_tile[t]);
  return all;
}
std::vector<float> factors(double most, checked::Random& random) {
  std::vector<float> all(experts);
  for (auto& factor : all) factor = float((1 + random.below(1000)) * most / 1000);
  return all;
}
View weights(const checked::Nvfp4& of) {
  return View(checked::on_device(of.bytes), {experts, of.rows / experts, of.width / 2});
}
// Of 128 rows and four factors of each 512 bytes.
View weights_factors(const checked::Nvfp4& of) {
  return View(checked::on_device(of.factors), {of.rows / 128, of.width / 64, 2, 256});
}
std::uint8_t random_factor(checked::Random& random) {
  return __nv_fp8_e4m3(float(1 + random.below(15)) / 4).__x;
}
// Eight rows' factors side by side, four blocks of each.
std::size_t place(int row, int block, int blocks) {
  return (std::size_t(row / tile) * (blocks / 4) + block / 4) * 32 + row % tile * 4 + block % 4;
}

#if GROUP == 0
// Rows of weights lie as threads' numbers do: of 32 rows eight of u, eight of g, for even and odd features.
int row_of(int feature, bool gate) {
  return feature / 16 * 32 + feature % 2 * 16 + feature % 16 / 2 + (gate ? 8 : 0);
}

// tanh that hardware approximates, within 2^-10.9 of its size.
Near bounded(const Sum& of, double scale, double bound) {
  const double x = of.sum * scale / bound, off = (2e-6 * of.size + 1e-6 * std::fabs(of.sum)) * scale / bound;
  return {bound * std::tanh(x), bound * (off + std::exp2(-10.9) * std::fabs(std::tanh(x)))};
}
Near logistic(const Sum& of, double scale) {
  const double x = of.sum * scale, result = 1 / (1 + std::exp(-x));
  return {result, result * (1e-6 + (2e-6 * of.size + 1e-6 * std::fabs(of.sum)) * scale)};
}
Near times(const Near& a, const Near& b) {
  return {a.number * b.number, a.off * (std::fabs(b.number) + b.off) + std::fabs(a.number) * b.off +
                                   1e-6 * std::fabs(a.number * b.number)};
}

int run() {
  constexpr int tokens = 7;
  checked::Random random;
  const checked::Nvfp4 a(experts * 2 * width, hidden, random);
  checked::Nvfp4 b(tokens, hidden, random);
  b.factors.assign(std::size_t(tokens) * hidden / together, 0);
  for (auto& factor : b.factors) factor = random_factor(random);
  std::vector<int> routed(tiles * tile + 1);
  for (auto& token : routed) token = int(random.below(tokens));
  auto to_e2m1 = factors(2, random), decoded = factors(2e-3, random);
  const std::vector<float> of_gate{4, 3, 5}, of_up{25, 20, 2};
  auto* const out = checked::unwritten<std::uint8_t>(tiles * tile * width / 2);
  auto* const out_factors = checked::unwritten<std::uint8_t>(tiles * tile * width / together);
  const View whole(checked::on_device(to_e2m1), {experts});
  checked::Verdict verdict("experts' first products, nvfp4 128x8x512, to nvfp4");
  cake_host_shim_00c69dd24f74ab26::Run(
      weights(a), View(checked::on_device(b.bytes), {tokens, hidden / 2}), weights_factors(a),
      View(checked::on_device(b.factors), {tokens, hidden / together}), View(out, {tiles * tile, width / 2}),
      View(out_factors, {tiles * tile, width / together}),
      View(checked::on_device(routed), {tiles * tile + 1}), View(checked::on_device(of_tile), {tiles}),
      View(checked::on_device(ends()), {tiles}), whole, View(checked::on_device(decoded), {experts}), whole,
      View(checked::on_device(of_gate), {experts}), View(checked::on_device(of_up), {experts}), width, hidden,
      width / 64, tiles, hidden / 512, View(checked::on_device(std::vector{tiles}), {1}), width / 64, tiles,
      1);
  verdict.wait();
  const auto bytes = checked::from_device(out, tiles * tile * width / 2);
  const auto found_factors = checked::from_device(out_factors, tiles * tile * width / together);
  for (int t = 0; t < tiles; ++t)
    for (int r = t * tile; r < t * tile + rows_of_tile[t]; ++r) {
      const int e = of_tile[t], token = routed[r];
      std::vector<Near> row;
      for (int f = 0; f < width; ++f) {
        Sum sums[2];
        for (int l = 0; l < hidden; ++l) {
          const double number =
              b.number(token, l) * checked::of_e4m3(b.factors[token * (hidden / together) + l / together]);
          for (const bool gate : {false, true})
            sums[gate].add(number * a.at(e * 2 * width + row_of(f, gate), l));
        }
        row.push_back(times(times(bounded(sums[1], decoded[e], of_gate[e]), logistic(sums[1], decoded[e])),
                            bounded(sums[0], decoded[e], of_up[e])));
      }
      for (int begin = 0; begin < width; begin += together) {
        std::vector<double> numbers, h, off;
        for (int f = begin; f < begin + together; ++f) {
          numbers.push_back(checked::of_e2m1(bytes[(r * width + f) / 2] >> f % 2 * 4));
          h.push_back(row[f].number), off.push_back(row[f].off);
        }
        const auto factor = found_factors[place(r, begin / together, width / together)];
        checked::compare_nvfp4(verdict, numbers.data(), checked::of_e4m3(factor), to_e2m1[e], h.data(),
                               off.data(), together);
      }
    }
  return verdict.said();
}
#else
// Of 32 rows each thread has four, eight apart.
int row_of(int feature) { return feature / 32 * 32 + feature % 4 * 8 + feature % 32 / 4; }

int run() {
  checked::Random random;
  const checked::Nvfp4 a(experts * hidden, width, random);
  checked::Nvfp4 b(tiles * tile, width, random);
  b.factors.assign(tiles * tile * width / together, 0);
  for (auto& factor : b.factors) factor = random_factor(random);
  const auto decoded = factors(1, random);
  Bf16* const out = checked::unwritten<Bf16>(tiles * tile * hidden);
  checked::Verdict verdict("experts' second products, nvfp4 128x8x256");
  const View c(out, {tiles * tile, hidden});
  cake_host_shim_22042a2baf0a2bf5::Run(
      weights(a), View(checked::on_device(b.bytes), {tiles, tile, width / 2}), weights_factors(a),
      View(checked::on_device(b.factors), {tiles, width / 64, 32}), c, c,
      View(checked::on_device(decoded), {experts}), View(checked::on_device(of_tile), {tiles}),
      View(checked::on_device(ends()), {tiles}), hidden, width, hidden / 128, tiles, 2,
      View(checked::on_device(std::vector{tiles}), {1}), hidden / 128, tiles, 1);
  verdict.wait();
  const auto found = checked::from_device(out, tiles * tile * hidden);
  for (int t = 0; t < tiles; ++t)
    for (int r = t * tile; r < t * tile + rows_of_tile[t]; ++r)
      for (int f = 0; f < hidden; ++f) {
        Sum all;
        for (int l = 0; l < width; ++l)
          all.add(decoded[of_tile[t]] * a.at(of_tile[t] * hidden + row_of(f), l) * b.number(r, l) *
                  checked::of_e4m3(b.factors[place(r, l / together, width / together)]));
        verdict.compare(float(found[r * hidden + f]), all.sum,
                        checked::rounded<Bf16>(all.sum, 1e-7, 2e-6 * all.size));
      }
  return verdict.said();
}
#endif

}  // namespace

int main() { return run(); }
