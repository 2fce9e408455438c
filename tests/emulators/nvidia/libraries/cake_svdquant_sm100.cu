// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated products of nvfp4 with a correction of low rank, for sm_100a, by their own
// launchers: D = f (A B + L R) + bias. -DGROUP=0: of one block; 1: of a cluster of two that share A; 2: of a
// pair of blocks.
#include "launcher.hpp"
#if GROUP == 0
#include <cake_nvfp4_svdquant_gemm/cake_nvfp4_svdquant_gemm_6de02866152adf3cb1ac_binding.cu>
#include <cake_nvfp4_svdquant_gemm/cake_nvfp4_svdquant_gemm_6de02866152adf3cb1ac_kernel.cu>
#elif GROUP == 1
#include <cake_nvfp4_svdquant_gemm/cake_nvfp4_svdquant_gemm_5c75af27a5bdc162a437_binding.cu>
#include <cake_nvfp4_svdquant_gemm/cake_nvfp4_svdquant_gemm_5c75af27a5bdc162a437_kernel.cu>
#elif GROUP == 2
#include <cake_nvfp4_svdquant_gemm/cake_nvfp4_svdquant_gemm_14d28d5b7398268b6872_binding.cu>
#include <cake_nvfp4_svdquant_gemm/cake_nvfp4_svdquant_gemm_14d28d5b7398268b6872_kernel.cu>
#else
#error "GROUP is 0 to 2"
#endif

#include "nvfp4.hpp"

namespace {

using Bf16 = __nv_bfloat16;
using checked::View;

int run(const char* name, int m, int n, int k, int rank) {
  checked::Random random;
  const checked::Nvfp4 a(m, k, random), b(n, k, random);
  const auto left = checked::random_numbers<Bf16>(std::size_t(m) * rank, random);
  const auto right = checked::random_numbers<Bf16>(std::size_t(n) * rank, random);
  auto bias = checked::random_numbers<Bf16>(n, random);
  const float factor = .0390625f;
  Bf16* const device_d = checked::unwritten<Bf16>(std::size_t(m) * n);
  const auto factors = [&](const checked::Nvfp4& of) {
    const auto* const at = checked::on_device(of.factors);
    const int tiles = (of.rows + 127) / 128, quads = k / 64;
    return GROUP == 0 ? View(at, {tiles, quads, 4, 8, 16})
                      : View(reinterpret_cast<const std::uint16_t*>(at), {tiles, quads, 4, 64});
  };
  const View of_a(checked::on_device(a.bytes), {m, k / 2}), of_b(checked::on_device(b.bytes), {n, k / 2}),
      factors_a = factors(a), factors_b = factors(b), of_left(checked::on_device(left), {m, rank}),
      of_right(checked::on_device(right), {n, rank}), whole(checked::on_device(std::vector{factor}), {1}),
      d(device_d, {m, n});
  checked::Verdict verdict(name);
  const int tiles = (m + 127) / 128;
#if GROUP == 0
  cake_host_shim_c403f0d44128b75d::Run(of_a, of_b, factors_a, factors_b, of_left, of_right, whole,
                                       View(checked::on_device(bias), {n}), d, m, n, k / 128, rank / 32,
                                       n / 128, 1, tiles * (n / 128), 1, 1);
#elif GROUP == 1
  cake_host_shim_29473cc31b924f0a::Run(of_a, of_b, factors_a, factors_b, of_left, of_right, whole, d, m, n,
                                       k / 128, rank / 32, n / 64, tiles, n / 64, 1);
  bias.assign(n, Bf16(0));
#else
  cake_host_shim_396a6acd89f28870::Run(of_a, of_b, factors_a, factors_b, of_left, of_right, whole, d, k / 256,
                                       2, n / 128, 1);
  bias.assign(n, Bf16(0));
#endif
  verdict.wait();
  const auto found = checked::from_device(device_d, std::size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = double(bias[j]), size = std::fabs(sum);
      const auto add = [&](double term) { sum += factor * term, size += factor * std::fabs(term); };
      for (int l = 0; l < k; ++l) add(a.at(i, l) * b.at(j, l));
      for (int r = 0; r < rank; ++r)
        add(double(left[std::size_t(i) * rank + r]) * double(right[std::size_t(j) * rank + r]));
      verdict.compare(double(found[std::size_t(i) * n + j]), sum,
                      checked::rounded<Bf16>(sum, 0, 2e-6 * size));
    }
  return verdict.said();
}

}  // namespace

int main() {
#if GROUP == 0
  return run("nvfp4 128x128x128, rank 64", 200, 256, 384, 64);
#elif GROUP == 1
  return run("nvfp4 128x64x128, rank 32, clusters of 1x2", 200, 128, 384, 32);
#else
  return run("nvfp4 256x128x256, rank 32, pair of blocks", 200, 128, 768, 32);
#endif
}
