// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated products of rows of e4m3, each with the B of its group, for sm_100a, by their own
// launchers. -DGROUP=0: a factor of f32 for 1 x 128 numbers of A and 128 x 128 of B, which threads multiply
// with; 1: factors that are powers of two, which the product takes, and rows that belong to no group; 2: two
// products of the first kind, g and u, of which silu(g) u is quantized anew, and a kernel that does the
// latter alone.
#include "launcher.hpp"
#if GROUP == 0
#include <cake_grouped_fp8_gemm/cake_grouped_fp8_gemm_28b94ccb85e6d2d50961_binding.cu>
#include <cake_grouped_fp8_gemm/cake_grouped_fp8_gemm_28b94ccb85e6d2d50961_kernel.cu>
#elif GROUP == 1
#include <cake_grouped_fp8_gemm/cake_grouped_fp8_gemm_38eca7c5f2fb16897c62_binding.cu>
#include <cake_grouped_fp8_gemm/cake_grouped_fp8_gemm_38eca7c5f2fb16897c62_kernel.cu>
#elif GROUP == 2
#include <cake_grouped_fp8_fused_silu_quant/cake_grouped_fp8_fused_silu_quant_e47f76da02f89b7261ac_binding.cu>
#include <cake_grouped_fp8_fused_silu_quant/cake_grouped_fp8_fused_silu_quant_e47f76da02f89b7261ac_kernel.cu>
#define __as_u32 as_u32_of_another  // each file has its own
#include <cake_grouped_fp8_fused_silu_quant/cake_grouped_fp8_fused_silu_quant_0f3e441101291f871528_binding.cu>
#include <cake_grouped_fp8_fused_silu_quant/cake_grouped_fp8_fused_silu_quant_0f3e441101291f871528_kernel.cu>
#include <cake_grouped_fp8_fused_silu_quant/cake_grouped_fp8_fused_silu_quant_a0d6cfec3d9e63feb767_binding.cu>
#include <cake_grouped_fp8_fused_silu_quant/cake_grouped_fp8_fused_silu_quant_a0d6cfec3d9e63feb767_kernel.cu>
#else
#error "GROUP is 0 to 2"
#endif
#include "quantized.hpp"
#include "sum.hpp"

namespace {

using Number = __nv_fp8_e4m3;
using checked::silu;
using checked::View;

constexpr int of_factor = 128;  // numbers of a row that share one

// Rows of A, of which `group` says whose B they are multiplied with; -1: nobody's.
struct Operands {
  Operands(std::vector<int> of_rows, int groups, int n, int k, checked::Random& random)
      : group(std::move(of_rows)),
        groups(groups),
        m(int(group.size())),
        n(n),
        k(k),
        a(checked::random_numbers<Number>(std::size_t(m) * k, random)),
        b(checked::random_numbers<Number>(std::size_t(groups) * n * k, random)),
        of_a(std::size_t(m) * (k / of_factor)),
        of_b(std::size_t(groups) * (n / of_factor) * (k / of_factor)) {}

  checked::Sum product(int row, int column) const {
    checked::Sum all;
    const int of_k = k / of_factor;
    const std::size_t of_column = (std::size_t(group[row]) * (n / of_factor) + column / of_factor) * of_k;
    for (int l = 0; l < k; ++l) {
      const double factor =
          double(of_a[std::size_t(row) * of_k + l / of_factor]) * of_b[of_column + l / of_factor];
      const double term = factor * double(float(a[std::size_t(row) * k + l])) *
                          double(float(b[(std::size_t(group[row]) * n + column) * k + l]));
      all.add(term);
    }
    return all;
  }

  std::vector<int> group;
  int groups, m, n, k;
  std::vector<Number> a, b;
  std::vector<float> of_a, of_b;
};

std::vector<int> rows_of(const std::vector<std::pair<int, int>>& groups) {
  std::vector<int> all;
  for (const auto& [group, rows] : groups) all.insert(all.end(), rows, group);
  return all;
}

#if GROUP != 1
void any_factors(Operands& of, double most, checked::Random& random) {
  for (auto* const factors : {&of.of_a, &of.of_b})
    for (float& factor : *factors) factor = float((1 + random.below(1000)) * most / 1000);
}
#endif

#if GROUP < 2
int compared(const char* name, const Operands& of, const __nv_bfloat16* device_c, checked::Verdict& verdict) {
  const auto c = checked::from_device(device_c, std::size_t(of.m) * of.n);
  for (int i = 0; i < of.m; ++i)
    for (int j = 0; j < of.n && of.group[i] >= 0; ++j) {
      const auto [sum, size] = of.product(i, j);
      verdict.compare(float(c[std::size_t(i) * of.n + j]), sum,
                      checked::rounded<__nv_bfloat16>(sum, 1e-6, 2e-6 * size));
    }
  return verdict.said();
}
#endif

#if GROUP == 0
int run() {
  constexpr const char* name = "e4m3, factors of f32, 256x256x128, pair of blocks";
  checked::Random random;
  // The kernel is one for this k.
  Operands of(rows_of({{0, 37}, {1, 200}, {3, 93}}), 4, 256, 1024, random);
  any_factors(of, 2, random);
  auto* const c = checked::unwritten<__nv_bfloat16>(std::size_t(of.m) * of.n);
  checked::Verdict verdict(name);
  cake_host_shim_4a560a3bbfe41a96::Run(
      View(checked::on_device(of.a), dl_uint8, {of.m, of.k}),
      View(checked::on_device(of.b), dl_uint8, {of.groups, of.n, of.k}), View(c, {of.m, of.n}),
      View(c, {of.m, of.n}), View(checked::on_device(of.of_a), {of.m, of.k / of_factor}),
      View(checked::on_device(of.of_b), {of.groups, of.n / of_factor, of.k / of_factor}),
      View(checked::on_device(of.group), {of.m}), of.m, of.n, of.k, of.groups, 4, 1, 1);
  verdict.wait();
  return compared(name, of, c, verdict);
}
#elif GROUP == 1
// The exponents of four factors, one of each byte.
std::vector<int> packed(const std::vector<float>& factors, int of_row) {
  const int words = (of_row + 3) / 4;
  std::vector<int> all(factors.size() / of_row * words);
  for (std::size_t i = 0; i < factors.size(); ++i)
    all[i / of_row * words + i % of_row / 4] |= (std::ilogb(factors[i]) + 127) << (i % of_row % 4 * 8);
  return all;
}

int run() {
  constexpr const char* name = "e4m3, factors of e8m0, 128x128x128";
  checked::Random random;
  // Whole parts of 32 rows are of one group, or of none.
  Operands of(rows_of({{0, 64}, {-1, 32}, {1, 96}, {3, 50}}), 4, 256, 640, random);
  for (auto* const factors : {&of.of_a, &of.of_b})
    for (float& factor : *factors) factor = std::ldexp(1.f, int(random.below(9)) - 4);
  const int of_k = of.k / of_factor, words = (of_k + 3) / 4, of_n = of.n / of_factor;
  auto* const c = checked::unwritten<__nv_bfloat16>(std::size_t(of.m) * of.n);
  auto* const a = checked::on_device(of.a);
  const auto view_a = [&] { return View(a, dl_uint8, {of.m, of.k}); };
  checked::Verdict verdict(name);
  cake_host_shim_60c07af9da98477e::Run(
      view_a(), view_a(), view_a(), View(checked::on_device(of.b), dl_uint8, {of.groups, of.n, of.k}),
      View(checked::on_device(packed(of.of_a, of_k)), {of.m, words}),
      View(checked::on_device(packed(of.of_b, of_k)), {of.groups, of_n, words}),
      View(checked::on_device(of.group), {of.m}), View(c, {of.m, of.n}), of.m, of.n, of_n, of_k, words, 1,
      of_n * words, words, 1, 4, 1, 1);
  verdict.wait();
  return compared(name, of, c, verdict);
}
#else
double half_step(double number, double share) { return checked::rounded<__nv_bfloat16>(number, share); }

// What silu(g) u may be, rounded, where g and u are only known within `of_gate` and `of_up`.
double apart(double gate, double of_gate, double up, double of_up) {
  const double exact = silu(gate) * up;
  double most = 0;
  for (const double g : {gate - of_gate, gate + of_gate})
    for (const double u : {up - of_up, up + of_up}) most = std::max(most, std::fabs(silu(g) * u - exact));
  return most + half_step(std::fabs(exact) + most, 1e-6);
}

// 128 numbers as e4m3, with the factor that makes 448 of the largest: `h` are exact, and the kernel has them
// within `off`.
void compare_quantized(checked::Verdict& verdict, const Number* found, float factor,
                       const std::vector<double>& h, const std::vector<double>& off) {
  double most = 0, apart = 0;
  for (std::size_t j = 0; j < h.size(); ++j)
    most = std::max(most, std::fabs(h[j])), apart = std::max(apart, off[j]);
  verdict.compare(factor, most / 448, apart / 448 + 1e-6 * most / 448);
  for (std::size_t j = 0; j < h.size(); ++j) {
    const double number = h[j] / factor;
    verdict.compare(float(found[j]), number,
                    off[j] / factor + checked::rounded<Number>(std::fabs(number) + off[j] / factor, 1e-6));
  }
}

int run_products() {
  checked::Random random;
  // Groups begin at multiples of 128 rows; the first kernel takes two such parts of one, the other what is
  // left.
  Operands of(rows_of({{0, 256}, {1, 128}, {2, 40}}), 4, 512, 512, random);
  any_factors(of, .02, random);
  const int width = of.n / 2;
  auto* const q = checked::unwritten<Number>(std::size_t(of.m) * width);
  auto* const s = checked::unwritten<float>(std::size_t(of.m) * width / of_factor);
  const View a(checked::on_device(of.a), dl_uint8, {of.m, of.k}),
      b(checked::on_device(of.b), dl_uint8, {of.groups, of.n, of.k}), out_q(q, {of.m, width}),
      out_s(s, {of.m, width / of_factor}), of_a(checked::on_device(of.of_a), {of.m, of.k / of_factor}),
      of_b(checked::on_device(of.of_b), {of.groups, of.n / of_factor, of.k / of_factor}),
      group(checked::on_device(of.group), {of.m});
  checked::Verdict pairs("silu(g) u of e4m3, 256x256x128, pair of blocks"),
      rest("silu(g) u of e4m3, 128x256x128");
  cake_host_shim_fb6397315f40ef74::Run(a, b, out_q, out_s, of_a, of_b, group, of.m, of.n, of.k, of.groups, 8,
                                       1, 1);
  cake_host_shim_1dba04c076ae0d53::Run(a, b, out_q, out_s, of_a, of_b, group, of.m, of.n, of.k, of.groups, 8,
                                       1, 1);
  pairs.wait();
  rest.wait();
  const auto numbers = checked::from_device(q, std::size_t(of.m) * width);
  const auto factors = checked::from_device(s, std::size_t(of.m) * width / of_factor);
  for (int i = 0; i < of.m; ++i)
    for (int part = 0; part < width / of_factor; ++part) {
      std::vector<double> h(of_factor), off(of_factor);
      for (int j = 0; j < of_factor; ++j) {
        const auto gate = of.product(i, part * of_factor + j),
                   up = of.product(i, width + part * of_factor + j);
        h[j] = silu(gate.sum) * up.sum;
        off[j] = apart(gate.sum, half_step(gate.sum, 1e-6) + 2e-6 * gate.size, up.sum,
                       half_step(up.sum, 1e-6) + 2e-6 * up.size);
      }
      compare_quantized(of.group[i] == 0 ? pairs : rest, &numbers[std::size_t(i) * width + part * of_factor],
                        factors[std::size_t(i) * (width / of_factor) + part], h, off);
    }
  return pairs.said() | rest.said();
}

int run_alone() {
  constexpr int m = 19, width = 384, parts = width / of_factor;
  checked::Random random;
  const auto y = checked::random_numbers<__nv_bfloat16>(m * 2 * width, random);
  auto* const q = checked::unwritten<Number>(m * width);
  auto* const s = checked::unwritten<float>(m * parts);
  checked::Verdict verdict("silu(g) u of bf16 as e4m3");
  cake_host_shim_bb97c6c7056fa4bd::Run(View(checked::on_device(y), {m, 2 * width}), View(q, {m, width}),
                                       View(s, {m, parts}), m, width, (m * parts + 3) / 4, 1, 1);
  verdict.wait();
  const auto numbers = checked::from_device(q, m * width);
  const auto factors = checked::from_device(s, m * parts);
  for (int i = 0; i < m; ++i)
    for (int part = 0; part < parts; ++part) {
      std::vector<double> h(of_factor), off(of_factor);
      for (int j = 0; j < of_factor; ++j) {
        const double gate = double(y[i * 2 * width + part * of_factor + j]),
                     up = double(y[i * 2 * width + width + part * of_factor + j]);
        h[j] = silu(gate) * up;
        off[j] = half_step(h[j], 1e-6);
      }
      compare_quantized(verdict, &numbers[i * width + part * of_factor], factors[i * parts + part], h, off);
    }
  return verdict.said();
}

int run() { return run_products() | run_alone(); }
#endif

}  // namespace

int main() { return run(); }
