// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated choice of experts for sm_100a, by its own launchers: scores are square roots of
// softplus of a product of bf16, the six that are largest with a bias are taken, and made 1.5 together.
// -DGROUP=0: three blocks share 16 tokens' experts; 1: few tokens, three clusters of 16 blocks share k.
#include "launcher.hpp"
#if GROUP == 0
#include <experimental/deepgemm_mega_gate/generated/cake_deepgemm_mega_gate_f3a19a16a7987e71c969_binding.cu>
#include <experimental/deepgemm_mega_gate/generated/cake_deepgemm_mega_gate_f3a19a16a7987e71c969_kernel.cu>
namespace shipped = cake_host_shim_908d87820651515d;
#elif GROUP == 1
#include <experimental/deepgemm_mega_gate/generated/cake_deepgemm_mega_gate_99c1c61a19e3d15ee143_binding.cu>
#include <experimental/deepgemm_mega_gate/generated/cake_deepgemm_mega_gate_99c1c61a19e3d15ee143_kernel.cu>
namespace shipped = cake_host_shim_7849554415f906f4;
#else
#error "GROUP is 0 or 1"
#endif
#include <algorithm>
#include <functional>

namespace {

using Bf16 = __nv_bfloat16;
using checked::View;

constexpr int k = 5120, experts = 384, chosen = 6, tile = 16;
constexpr double together = 1.5;

struct Score {
  double score, key, off;
};

int run(const char* name, int m, int parts) {
  checked::Random random;
  const auto x = checked::random_numbers<Bf16>(std::size_t(m) * k, random);
  std::vector<Bf16> weight(std::size_t(experts) * k);
  for (auto& w : weight) w = Bf16(random.small() / 128);
  std::vector<float> bias(experts);
  for (auto& b : bias) b = random.small() / 8;
  const int tiles = (m + tile - 1) / tile;
  auto* const indices = checked::unwritten<std::int64_t>(m * chosen);
  auto* const weights = checked::unwritten<float>(m * chosen);
  const std::int64_t words = std::int64_t(tiles) * 16;
  const View bytes(checked::unwritten<std::uint8_t>(1), {1}), numbers(checked::unwritten<float>(1), {1}),
      integers(checked::unwritten<int>(1), {1}), long_integers(checked::unwritten<std::int64_t>(1), {1});
  checked::Verdict taken("experts taken"), verdict(name);
  shipped::Run(View(checked::on_device(x), {m, k}), View(checked::on_device(weight), {experts, k}),
               View(checked::on_device(bias), {experts}), numbers, bytes, bytes, integers, integers,
               View(indices, {m, chosen}), long_integers, View(weights, {m, chosen}),
               View(checked::unwritten<float>(std::size_t(tiles) * parts * tile * experts),
                    {tiles, parts, tile, experts}),
               View(checked::on_device(std::vector<std::uint64_t>(words)), {tiles, 16}), bytes, bytes, m, 0,
               1, 0, together, chosen, 1, 0, parts, 3 * parts, 1, 1);
  taken.wait();
  verdict.wait();
  const auto found = checked::from_device(indices, m * chosen);
  const auto shares = checked::from_device(weights, m * chosen);
  for (int i = 0; i < m; ++i) {
    std::vector<Score> scores;
    std::vector<double> keys;
    for (int e = 0; e < experts; ++e) {
      double sum = 0, size = 0;
      for (int l = 0; l < k; ++l) {
        const double term = double(x[std::size_t(i) * k + l]) * double(weight[std::size_t(e) * k + l]);
        sum += term, size += std::fabs(term);
      }
      const double score = std::sqrt(std::log1p(std::exp(sum)));
      // A sum of f32, whose derivative is at most 1, and three functions.
      scores.push_back({score, score + bias[e], 2e-6 * size + 1e-6 * score});
      keys.push_back(scores.back().key);
    }
    std::sort(keys.begin(), keys.end(), std::greater<>());
    double total = 0, off = 0;
    std::vector<bool> seen(experts);
    for (int j = 0; j < chosen; ++j) {
      const std::int64_t e = found[i * chosen + j];
      if (e < 0 || e >= experts || seen[e]) {
        taken.compare(NAN, 0, 1);
        continue;
      }
      seen[e] = true;
      // One that is as large as the j-th largest, or that f32 cannot tell from it.
      taken.compare(scores[e].key, keys[j], 2 * scores[e].off);
      total += scores[e].score, off += scores[e].off;
    }
    for (int j = 0; j < chosen; ++j) {
      const std::int64_t e = found[i * chosen + j];
      if (e < 0 || e >= experts) continue;
      const double exact = together * scores[e].score / total;
      verdict.compare(shares[i * chosen + j], exact,
                      exact * (scores[e].off / scores[e].score + off / total + 1e-6));
    }
  }
  return taken.said() | verdict.said();
}

}  // namespace

int main() {
#if GROUP == 0
  return run("experts' shares, 16x128x64", 37, 1);
#else
  return run("experts' shares, 16x128x64, clusters of 16", 3, 16);
#endif
}
