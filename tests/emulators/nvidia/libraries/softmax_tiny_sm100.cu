// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's files for sm_100a that hold kernels and launcher. -DGROUP=0: shares of exponentials, whose
// launcher chooses one of four kinds of kernels; 1: products of few rows of bf16.
#include "launcher.hpp"
#if GROUP == 0
// Each of these files, which are made to be compiled by themselves, has the same helpers.
#include <cooperative_groups.h>
#include <math_constants.h>

#include <flashinfer/cake_blackwell_softmax.cuh>
#include <flashinfer/sampling.cuh>
namespace warp_kernel {
#include <cake_blackwell_softmax_warp.cu>
}
namespace row_kernel {
#include <cake_blackwell_softmax_rowwise.cu>
}
namespace grid_kernel {
#include <cake_blackwell_softmax_bootstrap.cu>
}
namespace cluster_kernel {
#include <cake_blackwell_softmax_cached_cluster.cu>
}
namespace kernel_of_sm103 {
#include <cake_blackwell_softmax_mr515_exp2.cu>
}
#include <cake_blackwell_softmax.cu>
#elif GROUP == 1
#include <tinygemm2_sm100.cu>
#else
#error "GROUP is 0 or 1"
#endif
#include <algorithm>

namespace {

using checked::View;

#if GROUP == 0
// Temperatures of rows, or one for all, or none.
enum class Given { none, one, each };

int softmax(const char* name, SoftmaxRoute route, int rows, int width, Given given) {
  checked::Random random;
  std::vector<float> in(std::size_t(rows) * width), temperatures(rows, given == Given::none ? 1 : .75f);
  for (auto& x : in) x = 3 * random.small() + float(random.below(1000)) / 4096;
  if (given == Given::each)
    for (auto& x : temperatures) x = float(3 + random.below(5)) / 4;
  float* const out = checked::unwritten<float>(in.size());
  constexpr std::int64_t bytes = 1 << 20;
  const View logits(checked::on_device(in), {rows, width}), of_rows(checked::on_device(temperatures), {rows});
  Optional<TensorView> each;
  if (given == Given::each) each = TensorView(of_rows);
  if (blackwell_softmax_route(logits, each, temperatures[0], false, given == Given::none) !=
      std::int64_t(route)) {
    std::printf("%s: the launcher takes another kernel\n", name);
    return 1;
  }
  checked::Verdict verdict(name);
  blackwell_softmax(View(checked::unwritten<std::uint8_t>(bytes), {bytes}), logits, View(out, {rows, width}),
                    each, temperatures[0], false, given == Given::none, false);
  verdict.wait();
  const auto found = checked::from_device(out, in.size());
  for (int i = 0; i < rows; ++i) {
    const float* const row = &in[std::size_t(i) * width];
    const double most = *std::max_element(row, row + width), temperature = temperatures[i];
    double sum = 0;
    for (int c = 0; c < width; ++c) sum += std::exp((row[c] - most) / temperature);
    // A difference of logits that is off by half a unit in its last place, through the exponential; sums of
    // f32, exponentials that hardware approximates.
    for (int c = 0; c < width; ++c) {
      const double exact = std::exp((row[c] - most) / temperature) / sum;
      verdict.compare(found[std::size_t(i) * width + c], exact, 4e-6 * exact + 1e-38);
    }
  }
  return verdict.said();
}

int run() {
  int failed = softmax("a warp a row", SoftmaxRoute::kWarp, 5, 257, Given::each);
  failed |= softmax("a block a row", SoftmaxRoute::kRowwise, 3, 5003, Given::none);
  failed |= softmax("all blocks, cooperative", SoftmaxRoute::kBootstrap, 2, 20003, Given::one);
  failed |= softmax("a block that keeps a row", SoftmaxRoute::kCachedCluster, 40, 4096, Given::each);
  failed |= softmax("a cluster that keeps a row", SoftmaxRoute::kCachedCluster, 3, 20008, Given::one);
  return failed;
}
#else
int product(const char* name, int m, int n, int k, bool overlaps) {
  using Bf16 = __nv_bfloat16;
  checked::Random random;
  const auto a = checked::random_numbers<Bf16>(std::size_t(m) * k, random),
             b = checked::random_numbers<Bf16>(std::size_t(n) * k, random),
             bias = checked::random_numbers<Bf16>(n, random);
  Bf16* const out = checked::unwritten<Bf16>(std::size_t(m) * n);
  checked::Verdict verdict(name);
  flashinfer::tinygemm2_sm100::Run(View(checked::on_device(a), {m, k}), View(checked::on_device(b), {n, k}),
                                   View(checked::on_device(bias), {n}), View(out, {m, n}), overlaps);
  verdict.wait();
  const auto found = checked::from_device(out, std::size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = double(bias[j]), size = std::fabs(sum);
      for (int l = 0; l < k; ++l) {
        const double term = double(a[std::size_t(i) * k + l]) * double(b[std::size_t(j) * k + l]);
        sum += term, size += std::fabs(term);
      }
      verdict.compare(float(found[std::size_t(i) * n + j]), sum, checked::rounded<Bf16>(sum, 0, 2e-6 * size));
    }
  return verdict.said();
}

int run() {
  return product("bf16 16x8x64, 4 stages", 21, 272, 328, false) |
         product("bf16 16x8x64, 8 stages, a launch that overlaps", 5, 64, 1544, true) |
         product("bf16 16x8x64, 16 stages", 9, 64, 4672, false);
}
#endif

}  // namespace

int main() { return run(); }
