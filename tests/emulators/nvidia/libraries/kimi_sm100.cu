// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated experts of Kimi K3 for sm_100a, of nvfp4, by their own launchers. -DGROUP=0: two
// products with each expert's first weights, bounded by hyperbolic tangents, of which the one times the
// logistic function times the other is quantized anew; 1: the product with its second weights. Weights take
// few experts here, of 896.
#include "experts.hpp"
#if GROUP == 0
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_d8a21008075dd1af4de1_binding.cu>
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_d8a21008075dd1af4de1_kernel.cu>
#elif GROUP == 1
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_151cbac5f51ddfa2f9f6_binding.cu>
#include <fused_moe/cake_kimi_k3_situ/cake_kimi_k3_nvfp4_situ_routed_moe_151cbac5f51ddfa2f9f6_kernel.cu>
#else
#error "GROUP is 0 or 1"
#endif

namespace {

using Bf16 = __nv_bfloat16;
using checked::Near;
using checked::Sum;
using checked::View;

constexpr int hidden = 3584, width = 384, experts = 3, together = 16;
const checked::Tiles tiles{{0, 2, 2, 1}, {8, 8, 3, 5}};
const int count = tiles.count(), rows = count * checked::Tiles::rows;

View weights(const checked::Nvfp4& of) {
  return View(checked::on_device(of.bytes), {experts, of.rows / experts, of.width / 2});
}
// Of 128 rows and four factors of each 512 bytes.
View weights_factors(const checked::Nvfp4& of) {
  return View(checked::on_device(of.factors), {of.rows / 128, of.width / 64, 2, 256});
}

#if GROUP == 0
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
  const checked::Rows b(tokens, hidden, random);
  std::vector<int> routed(rows + 1);
  for (auto& token : routed) token = int(random.below(tokens));
  const auto to_e2m1 = checked::factors_up_to(experts, 2, random),
             decoded = checked::factors_up_to(experts, 2e-3, random);
  const std::vector<float> of_gate{4, 3, 5}, of_up{25, 20, 2};
  auto* const out = checked::unwritten<std::uint8_t>(rows * width / 2);
  auto* const out_factors = checked::unwritten<std::uint8_t>(rows * width / together);
  const View whole(checked::on_device(to_e2m1), {experts});
  checked::Verdict verdict("experts' first products, nvfp4 128x8x512, to nvfp4");
  cake_host_shim_00c69dd24f74ab26::Run(
      weights(a), View(checked::on_device(b.numbers.bytes), {tokens, hidden / 2}), weights_factors(a),
      View(checked::on_device(b.factors), {tokens, hidden / together}), View(out, {rows, width / 2}),
      View(out_factors, {rows, width / together}), View(checked::on_device(routed), {rows + 1}),
      View(checked::on_device(tiles.experts), {count}), View(checked::on_device(tiles.ends()), {count}),
      whole, View(checked::on_device(decoded), {experts}), whole,
      View(checked::on_device(of_gate), {experts}), View(checked::on_device(of_up), {experts}), width, hidden,
      width / 64, count, hidden / 512, View(checked::on_device(std::vector{count}), {1}), width / 64, count,
      1);
  verdict.wait();
  const auto bytes = checked::from_device(out, rows * width / 2);
  const auto found_factors = checked::from_device(out_factors, rows * width / together);
  for (int t = 0; t < count; ++t)
    for (int r = t * tiles.rows; r < t * tiles.rows + tiles.counts[t]; ++r) {
      const int e = tiles.experts[t];
      std::vector<Near> row;
      for (int f = 0; f < width; ++f) {
        Sum sums[2];
        for (int l = 0; l < hidden; ++l)
          for (const bool gate : {false, true})
            sums[gate].add(b.in_rows(routed[r], l) * a.at(e * 2 * width + checked::first_row(f, gate), l));
        row.push_back(times(times(bounded(sums[1], decoded[e], of_gate[e]), logistic(sums[1], decoded[e])),
                            bounded(sums[0], decoded[e], of_up[e])));
      }
      checked::compare_row(verdict, bytes, found_factors, r, row, to_e2m1[e]);
    }
  return verdict.said();
}
#else
int run() {
  checked::Random random;
  const checked::Nvfp4 a(experts * hidden, width, random);
  const checked::Rows b(rows, width, random);
  const auto decoded = checked::factors_up_to(experts, 1, random);
  Bf16* const out = checked::unwritten<Bf16>(rows * hidden);
  checked::Verdict verdict("experts' second products, nvfp4 128x8x256");
  const View c(out, {rows, hidden});
  cake_host_shim_22042a2baf0a2bf5::Run(
      weights(a), View(checked::on_device(b.numbers.bytes), {count, checked::Tiles::rows, width / 2}),
      weights_factors(a), View(checked::on_device(b.factors), {count, width / 64, 32}), c, c,
      View(checked::on_device(decoded), {experts}), View(checked::on_device(tiles.experts), {count}),
      View(checked::on_device(tiles.ends()), {count}), hidden, width, hidden / 128, count, 2,
      View(checked::on_device(std::vector{count}), {1}), hidden / 128, count, 1);
  verdict.wait();
  const auto found = checked::from_device(out, rows * hidden);
  checked::compare_second(verdict, found, tiles, a, b, decoded, hidden);
  return verdict.said();
}
#endif

}  // namespace

int main() { return run(); }
