// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's products of nvfp4 with a correction of low rank, for sm_100a: D = f (A B + L R) + bias, where
// A is what its quantizer makes of numbers of bf16. The product is launched to begin before the quantizer
// ends; without the macro that -DGROUP=1 defines, CUTLASS leaves out its wait.
#if GROUP == 1
#define CUTLASS_ENABLE_GDC_FOR_SM100 1
#endif
#include <flashinfer/gemm/nvfp4_svdquant_gemm_template_sm100.h>
#include <cutlass/detail/sm100_blockscaled_layout.hpp>
#include <flashinfer/gemm/nvfp4_smooth_quantize_sm100.cuh>

#include "block_factors.hpp"
#include "cutlass_checked.hpp"
#include "packed.hpp"

namespace flashinfer::gemm::svdquant_detail {
INSTANTIATE_NVFP4_SVDQUANT_GEMM_TACTIC(Tactic1Sm128x128x128Config)
INSTANTIATE_NVFP4_SVDQUANT_GEMM_TACTIC(Tactic2Sm256x128x256Config)
}  // namespace flashinfer::gemm::svdquant_detail

namespace {

using namespace flashinfer::gemm;
using Element = cutlass::float_e2m1_t;
using Factor = cutlass::float_ue4m3_t;
using Bf16 = cutlass::bfloat16_t;
using Config = cutlass::detail::Sm1xxBlockScaledConfig<16>;

constexpr int together = 16;  // numbers of a row that share a factor

// A number of e2m1 is the one nearest to it, up to 6.
double half_step(double number) {
  const double size = std::fabs(number);
  return size <= 2 ? .25 : size <= 4 ? .5 : 1;
}

struct Names {
  const char *quantized, *product;
};

template <class Tactic>
int run(const Names& names, Nvfp4SvdquantGemmTactic tactic, int m, int n, int k, int rank) {
  checked::Random random;
  const auto x = checked::random_numbers<Bf16>(std::size_t(m) * k, random);
  const auto smooth = checked::random_numbers<Bf16>(k, random);
  const float scale = 24.5f, factor = .0390625f;
  const checked::Packed<Element> b(std::size_t(n) * k, random);
  const auto shape = cute::make_shape(m, n, k, 1);
  const auto layout_a = Config::tile_atom_to_shape_SFA(shape);
  const auto layout_b = Config::tile_atom_to_shape_SFB(shape);
  const auto factors_b = checked::block_factors<Factor>(layout_b, random);
  const auto left = checked::random_numbers<Bf16>(std::size_t(m) * rank, random);
  const auto right = checked::random_numbers<Bf16>(std::size_t(n) * rank, random);
  const auto bias = checked::random_numbers<Bf16>(n, random);
  const std::size_t count_a = cute::size(cute::filter_zeros(layout_a));
  auto* const device_a = checked::unwritten<std::uint8_t>(std::size_t(m) * k / 2);
  auto* const factors_a = checked::unwritten<Factor>(count_a);
  Bf16* const device_d = checked::unwritten<Bf16>(std::size_t(m) * n);
  const auto chosen = svdquant_detail::resolve_tactic(int(tactic));
  const std::size_t bytes = svdquant_detail::workspace_size_for_tactic<Tactic>(m, n, k, chosen) + 256;
  char* const workspace = checked::on_device(std::vector<char>(bytes));
  const void *device_x = checked::on_device(x), *device_smooth = checked::on_device(smooth);
  const float *device_scale = checked::on_device(std::vector{scale}),
              *device_factor = checked::on_device(std::vector{factor});
  const void *device_b = checked::on_device(b.bytes), *of_b = checked::on_device(factors_b);
  const void *device_left = checked::on_device(left), *device_right = checked::on_device(right),
             *device_bias = checked::on_device(bias);
  checked::Verdict quantized(names.quantized), product(names.product);
  nvfp4_smooth_quantize(device_a, factors_a, device_x, device_smooth, device_scale, m, k, 4, nullptr, true);
  svdquant_detail::run_tactic<Tactic>(device_d, device_a, device_b, factors_a, of_b, device_factor,
                                      device_left, device_right, device_bias, m, n, k, rank, workspace, bytes,
                                      nullptr, chosen, true);
  quantized.wait();
  product.wait();
  auto a = checked::from_device(device_a, std::size_t(m) * k / 2);
  const auto scales = checked::from_device(factors_a, count_a);
  cute::subbyte_iterator<Element> numbers(reinterpret_cast<Element*>(a.data()));
  std::vector<double> values(std::size_t(m) * k);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; l += together) {
      double most = 0;
      std::vector<double> smoothed;
      for (int c = l; c < l + together; ++c) {
        smoothed.push_back(double(Bf16(float(x[std::size_t(i) * k + c]) * float(smooth[c]))));
        most = std::max(most, std::fabs(smoothed.back()));
      }
      const double shared = double(float(scales[layout_a(cute::make_coord(i, l, 0))]));
      quantized.compare(shared, scale * most / 6, scale * most / 6 * (1 + 1e-5) / 16);
      for (int c = l; c < l + together; ++c) {
        const double number = double(float(Element(numbers[std::size_t(i) * k + c])));
        const double exact = smoothed[c - l] * scale / shared;
        quantized.compare(number, exact, half_step(exact) + 1e-5);
        values[std::size_t(i) * k + c] = number * shared;
      }
    }
  const auto d = checked::from_device(device_d, std::size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = double(bias[j]), size = std::fabs(sum);
      const auto add = [&](double term) { sum += factor * term, size += factor * std::fabs(term); };
      for (int l = 0; l < k; ++l)
        add(values[std::size_t(i) * k + l] * b.values[std::size_t(j) * k + l] *
            double(float(factors_b[layout_b(cute::make_coord(j, l, 0))])));
      for (int r = 0; r < rank; ++r)
        add(double(left[std::size_t(i) * rank + r]) * double(right[std::size_t(j) * rank + r]));
      product.compare(double(d[std::size_t(i) * n + j]), sum,
                      checked::share * size + std::fabs(sum) * std::ldexp(1., -8));
    }
  return quantized.said() | product.said();
}

}  // namespace

int main() {
  using Tactic = Nvfp4SvdquantGemmTactic;
  int failed = run<svdquant_detail::Tactic1Sm128x128x128Config>(
      {"nvfp4 of bf16, 8 numbers a thread", "nvfp4 128x128x128, rank 32"}, Tactic::k1Sm128x128x128, 200, 136,
      512, 32);
  failed |= run<svdquant_detail::Tactic2Sm256x128x256Config>(
      {"nvfp4 of bf16, rows of 3072", "nvfp4 256x128x256, rank 96, pair of blocks"}, Tactic::k2Sm256x128x256,
      40, 72, 3072, 96);
  return failed;
}
