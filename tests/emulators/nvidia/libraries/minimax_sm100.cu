// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's products of a whole layer of MiniMax-H3 for sm_100a, by their own launchers, each of bf16, of
// mxfp8 and of nvfp4, with what quantizes A. -DGROUP=0: silu(g) u of rows that are normalised, scaled and
// shifted; 1: the product of what attention made, times a gate, added to what was there. The shapes are
// fixed; so that a product takes a second, the first of its clusters are launched, which make the first
// columns.
#include "launcher.hpp"
//
#include <cuda_runtime.h>

namespace {
constexpr unsigned blocks = 4;
template <class... Given, class... Arguments>
cudaError_t launch_first(cudaLaunchConfig_t* config, void (*kernel)(Given...), Arguments... arguments) {
  config->gridDim.x = blocks;
  return cudaLaunchKernelEx(config, kernel, arguments...);
}
}  // namespace
#define cudaLaunchKernelEx launch_first
#if GROUP == 0
#include <cake_minimax_h3_fc1_swiglu_sm100a.cu>
#elif GROUP == 1
#include <cake_minimax_h3_out_proj_sm100a.cu>
#else
#error "GROUP is 0 or 1"
#endif
#undef cudaLaunchKernelEx

#include "minimax.hpp"

namespace {

using Bf16 = __nv_bfloat16;
using checked::Kind;
using checked::Matrix;
using checked::Quantized;
using checked::Sum;
using checked::View;
using checked::Weights;

constexpr int m = 130, table_rows = 3;
#if GROUP == 0
constexpr int depth = int(kHidden), all_rows = int(kFc1Rows);
#else
constexpr int depth = int(kAttnDim), all_rows = int(kHidden);
#endif

Sum product(const double* a, const double* b, double factor) { return checked::product(a, b, depth, factor); }

std::vector<std::int64_t> rows_of_table() {
  std::vector<std::int64_t> all(m);
  for (int i = 0; i < m; ++i) all[i] = i % (table_rows + 1);  // the last is none, and counts as zeros
  return all;
}

struct Names {
  const char *before, *product;
};

#if GROUP == 0
int run(const Names& names, Kind kind, int columns, int tile) {
  checked::Random random;
  const auto x = checked::few(std::size_t(m) * depth, 1, random), weight = checked::few(depth, 2, random),
             scale = checked::few(table_rows * depth, 4, random),
             shift = checked::few(table_rows * depth, 8, random);
  const auto rows = rows_of_table();
  const int of_output = tile / 2;
  // Rows as blocks take them: of each tile g's, then u's.
  const Weights b(
      kind, all_rows, depth, columns * 2, tile,
      [&](int i) { return i / tile * of_output + i % of_output + (i % tile < of_output ? 0 : int(kFfn)); },
      random);
  const Quantized a(kind, m, depth);
  constexpr float whole = 300, alpha = 1.f / 300 / 2048, epsilon = 1e-5f;
  Bf16* const out = checked::unwritten<Bf16>(std::size_t(m) * kFfn);
  const View of_x(checked::on_device(x), {m, depth}), of_weight(checked::on_device(weight), {depth}),
      of_scale(checked::on_device(scale), {table_rows, depth}),
      of_shift(checked::on_device(shift), {table_rows, depth}), of_rows(checked::on_device(rows), {m}),
      of_whole(checked::on_device(std::vector{whole}), {1}),
      of_alpha(checked::on_device(std::vector{alpha}), {1}), of_out(out, {m, kFfn});
  const View of_b = b.view(kind), of_a = a.view(), factors_a = a.factors(), factors_b = b.factors();
  checked::Verdict before(names.before), verdict(names.product);
  if (kind == Kind::bf16)
    minimax_h3_fc1_swiglu(of_x, of_weight, of_scale, of_shift, of_rows, of_b, of_a, of_out, epsilon);
  else if (kind == Kind::mxfp8)
    minimax_h3_fc1_swiglu_mxfp8(of_x, of_weight, of_scale, of_shift, of_rows, of_b, factors_b, of_a,
                                factors_a, of_out, epsilon);
  else
    minimax_h3_fc1_swiglu_nvfp4(of_x, of_weight, of_scale, of_shift, of_rows, of_whole, of_b, factors_b,
                                of_alpha, of_a, factors_a, of_out, epsilon);
  before.wait();
  verdict.wait();
  Matrix exact(m, depth), off(m, depth);
  checked::normalised(exact, off, x, weight, scale, shift, rows, epsilon);
  const Matrix numbers = a.compared(before, exact, off, whole);
  const auto found = checked::from_device(out, std::size_t(m) * kFfn);
  const double factor = kind == Kind::nvfp4 ? alpha : 1;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < columns; ++j) {
      const int at = j / of_output * tile + j % of_output;
      const Sum gate = product(numbers.row(i), b.numbers.row(at), factor),
                up = product(numbers.row(i), b.numbers.row(at + of_output), factor);
      const checked::Near result =
          checked::silu_times<Bf16>({gate.sum, checked::off_of(gate)}, {up.sum, checked::off_of(up)});
      verdict.compare(float(found[std::size_t(i) * kFfn + j]), result.number, result.off);
    }
  return before.said() | verdict.said();
}

int main_of() {
  return run({"rows normalised", "silu(g) u of bf16 256x256x64, pair of blocks"}, Kind::bf16, 256, 256) |
         run({"rows normalised to mxfp8", "silu(g) u of mxfp8 256x256x256, pair of blocks"}, Kind::mxfp8, 256,
             256) |
         run({"rows normalised to nvfp4", "silu(g) u of nvfp4 256x448x256, pair of blocks"}, Kind::nvfp4, 448,
             224);
}
#else
int run(const Names& names, Kind kind) {
  constexpr int columns = 512, parts = 2, of_part = depth / parts;
  checked::Random random;
  const auto given = checked::few(std::size_t(m) * depth, 1, random),
             gate = checked::few(table_rows * kHidden, 2, random),
             residual = checked::few(m * kHidden, 1, random);
  const auto rows = rows_of_table();
  const Weights b(kind, all_rows, depth, columns, 256, [](int i) { return i; }, random);
  const Quantized a(kind, m, depth);
  constexpr float whole = 300, alpha = 1.f / 300 / 2048;
  Bf16* const out = checked::unwritten<Bf16>(m * kHidden);
  const View of_given(checked::on_device(given), {parts, m, kNumHeads / parts, kHeadDim}),
      of_gate(checked::on_device(gate), {table_rows, kHidden}), of_rows(checked::on_device(rows), {m}),
      of_residual(checked::on_device(residual), {m, kHidden}),
      of_whole(checked::on_device(std::vector{whole}), {1}),
      of_alpha(checked::on_device(std::vector{alpha}), {1}), of_out(out, {m, kHidden});
  const View of_b = b.view(kind), of_a = a.view(), factors_a = a.factors(), factors_b = b.factors();
  checked::Verdict before(names.before), verdict(names.product);
  if (kind == Kind::bf16)
    minimax_h3_out_proj(of_given, of_b, of_gate, of_rows, of_residual, of_out);
  else if (kind == Kind::mxfp8)
    minimax_h3_out_proj_mxfp8(of_given, of_b, factors_b, of_gate, of_rows, of_residual, of_out, of_a,
                              factors_a);
  else
    minimax_h3_out_proj_nvfp4(of_given, of_whole, of_b, factors_b, of_alpha, of_gate, of_rows, of_residual,
                              of_out, of_a, factors_a);
  before.wait();
  verdict.wait();
  Matrix exact(m, depth);
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < depth; ++c)
      exact.row(i)[c] = double(given[(std::size_t(c / of_part) * m + i) * of_part + c % of_part]);
  const Matrix numbers = kind == Kind::bf16 ? exact : a.compared(before, exact, Matrix(m, depth), whole);
  const auto found = checked::from_device(out, m * kHidden);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < columns; ++j) {
      const Sum sum = product(numbers.row(i), b.numbers.row(j), kind == Kind::nvfp4 ? alpha : 1);
      const double by = rows[i] < table_rows ? double(gate[rows[i] * kHidden + j]) : 0;
      const double gated = by * sum.sum, result = gated + double(residual[i * kHidden + j]);
      double off = std::fabs(by) * checked::off_of(sum);
      off += checked::rounded<Bf16>(std::fabs(gated) + off, 1e-6);
      off += checked::rounded<Bf16>(std::fabs(result) + off, 1e-6);
      verdict.compare(float(found[i * kHidden + j]), result, off);
    }
  return (kind == Kind::bf16 ? 0 : before.said()) | verdict.said();
}

int main_of() {
  return run({"", "bf16 256x256x64, a gate, pair of blocks"}, Kind::bf16) |
         run({"bf16 to mxfp8", "mxfp8 256x256x256, a gate, pair of blocks"}, Kind::mxfp8) |
         run({"bf16 to nvfp4", "nvfp4 256x256x256, a gate, pair of blocks"}, Kind::nvfp4);
}
#endif

}  // namespace

int main() { return main_of(); }
