// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's AlphaMoE of e4m3 for sm_100a, by its own launcher: of each token's experts silu(g) u in one
// kernel, quantized anew for 128 numbers of a token, and the product with the expert's second weights, added
// to bf16 in memory.
#include "launcher.hpp"
//
#include <alphamoe_sm100.cu>

#include "quantized.hpp"

namespace {

using Number = __nv_fp8_e4m3;
using Bf16 = __nv_bfloat16;
using checked::View;

constexpr int m = 11, hidden = 512, width = 256, experts = 5, top = 3, block = 8, part = 128;
constexpr float scaling = 1.5f;

std::vector<float> factors(int count, double most, checked::Random& random) {
  std::vector<float> all(count);
  for (auto& factor : all) factor = float((1 + random.below(1000)) * most / 1000);
  return all;
}

// Of 16 rows the first eight are of g, the others of u.
int row_of(int feature, bool up) { return feature / 8 * 16 + feature % 8 + (up ? 8 : 0); }

// Each token's routes, by expert, and padded to whole blocks.
struct Plan {
  explicit Plan(checked::Random& random) : chosen(m * top) {
    for (int i = 0; i < m; ++i)
      for (int r = 0; r < top; ++r) chosen[i * top + r] = (int(random.below(2)) + i + 2 * r) % experts;
    for (int e = 0; e < experts; ++e) {
      const std::size_t before = routes.size();
      for (int i = 0; i < m * top; ++i)
        if (chosen[i] == e) routes.push_back(i);
      while (routes.size() % block != 0) routes.push_back(m * top);
      for (std::size_t at = before; at < routes.size(); at += block) of_block.push_back(e);
    }
  }
  std::vector<int> chosen, routes, of_block;
};

struct Operands {
  explicit Operands(checked::Random& random)
      : x(checked::random_numbers<Number>(m * hidden, random)),
        first(checked::random_numbers<Number>(experts * 2 * width * hidden, random)),
        second(checked::random_numbers<Number>(experts * hidden * width, random)),
        of_x(factors(m * (hidden / part), .1, random)),
        of_first(factors(experts * (2 * width / part) * (hidden / part), .1, random)),
        of_second(factors(experts * (hidden / part) * (width / part), .1, random)),
        weights(factors(m * top, 1, random)) {}

  checked::Near product(int token, int expert, int feature, bool up) const {
    const int row = row_of(feature, up);
    double sum = 0, size = 0;
    for (int l = 0; l < hidden; ++l) {
      const double factor =
          double(of_x[token * (hidden / part) + l / part]) *
          of_first[(expert * (2 * width / part) + feature / part * 2 + (up ? 1 : 0)) * (hidden / part) +
                   l / part];
      const double term = factor * double(float(x[token * hidden + l])) *
                          double(float(first[(expert * 2 * width + row) * hidden + l]));
      sum += term, size += std::fabs(term);
    }
    return {sum, 2e-6 * size};
  }

  std::vector<Number> x, first, second;
  std::vector<float> of_x, of_first, of_second, weights;
};

// A number as e4m3, and how far from it a kernel may be that knows it within `off` only.
checked::Near quantized(double number, double off) {
  const double result = float(Number(float(number)));
  const double apart = std::max(std::fabs(float(Number(float(number - off))) - result),
                                std::fabs(float(Number(float(number + off))) - result));
  return {result, apart};
}

}  // namespace

int main() {
  checked::Random random;
  const Plan plan(random);
  const Operands of(random);
  Bf16* const out = checked::on_device(std::vector<Bf16>(m * hidden));
  const auto count = std::int64_t(plan.routes.size()), route_blocks = std::int64_t(plan.of_block.size());
  checked::Verdict verdict("experts' silu(g) u, e4m3 128x8x128");
  flashinfer::alphamoe_sm100::Run(
      View(checked::on_device(of.x), {m, hidden}), View(checked::on_device(of.of_x), {m, hidden / part}),
      View(checked::on_device(of.first), {experts, 2 * width, hidden}),
      View(checked::on_device(of.of_first), {experts, 2 * width / part, hidden / part}),
      View(checked::on_device(of.second), {experts, hidden, width}),
      View(checked::on_device(of.of_second), {experts, hidden / part, width / part}),
      View(checked::on_device(plan.routes), {count}), View(checked::on_device(plan.of_block), {route_blocks}),
      View(checked::on_device(std::vector{int(count)}), {1}), View(checked::on_device(of.weights), {m, top}),
      View(out, {m, hidden}), top, block, scaling);
  verdict.wait();
  const auto found = checked::from_device(out, m * hidden);
  for (int i = 0; i < m; ++i) {
    std::vector<double> sum(hidden), size(hidden), off(hidden);
    for (int r = 0; r < top; ++r) {
      const int e = plan.chosen[i * top + r];
      for (int begin = 0; begin < width; begin += part) {
        std::vector<checked::Near> h(part);
        double most = 0, apart = 0;
        for (int j = 0; j < part; ++j) {
          const auto gate = of.product(i, e, begin + j, false), up = of.product(i, e, begin + j, true);
          h[j] = checked::silu_times<float>(gate, up);
          most = std::max(most, std::fabs(h[j].number)), apart = std::max(apart, h[j].off);
        }
        const double factor = most / 448;
        for (auto& number : h)
          number = quantized(number.number / factor,
                             number.off / factor + std::fabs(number.number) / factor * (apart / most + 1e-6));
        for (int j = 0; j < hidden; ++j) {
          const double whole = factor * scaling * of.weights[i * top + r] *
                               of.of_second[(e * (hidden / part) + j / part) * (width / part) + begin / part];
          double term = 0, terms = 0, distance = 0;
          for (int l = 0; l < part; ++l) {
            const double weight = whole * double(float(of.second[(e * hidden + j) * width + begin + l]));
            term += h[l].number * weight;
            terms += std::fabs(h[l].number * weight);
            distance += h[l].off * std::fabs(weight);
          }
          sum[j] += term, size[j] += std::fabs(term);
          off[j] += distance + terms * (2e-6 + apart / most);
        }
      }
    }
    // Each part of an expert's numbers is rounded to bf16, and each sum of them in memory.
    constexpr int additions = top * (width / part);
    for (int j = 0; j < hidden; ++j)
      verdict.compare(float(found[i * hidden + j]), sum[j],
                      off[j] + (additions + 1) * checked::rounded<Bf16>(size[j] + off[j], 0));
  }
  return verdict.said();
}
