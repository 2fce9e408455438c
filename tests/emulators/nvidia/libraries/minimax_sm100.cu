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

#include "quantized.hpp"

namespace {

using Bf16 = __nv_bfloat16;
using checked::View;
enum class Kind { bf16, mxfp8, nvfp4 };

constexpr int m = 130, table_rows = 3;
#if GROUP == 0
constexpr int depth = int(kHidden), all_rows = int(kFc1Rows);
#else
constexpr int depth = int(kAttnDim), all_rows = int(kHidden);
#endif

int together_of(Kind kind) { return kind == Kind::mxfp8 ? 32 : 16; }

// Rows of A or B as numbers.
struct Matrix {
  explicit Matrix(int rows) : values(std::size_t(rows) * depth) {}
  double* row(int i) { return &values[std::size_t(i) * depth]; }
  const double* row(int i) const { return &values[std::size_t(i) * depth]; }
  std::vector<double> values;
};

// Weights of which the rows that are wanted are written, in device memory for all.
struct Weights {
  // `tile`: rows of two blocks' tiles, in the order in which they take them; `rows` of them are wanted.
  template <class Row>
  Weights(Kind kind, int rows, int tile, const Row& row_at, checked::Random& random) : numbers(rows) {
    const int bits = kind == Kind::bf16 ? 16 : kind == Kind::mxfp8 ? 8 : 4, together = together_of(kind);
    const std::size_t pitch = std::size_t(depth) * bits / 8, words = depth / together / 4;
    const std::size_t tiles = all_rows / tile;
    at = checked::unwritten<std::uint8_t>(pitch * all_rows);
    std::vector<std::uint8_t> row(pitch), factors(kind == Kind::bf16 ? 0 : tiles * words * 1024);
    for (int i = 0; i < rows; ++i) {
      double* const values = numbers.row(i);
      for (int c = 0; c < depth; ++c) {
        if (kind == Kind::bf16) {
          const Bf16 number(random.small() / 64);
          reinterpret_cast<Bf16*>(row.data())[c] = number;
          values[c] = double(number);
        } else if (kind == Kind::mxfp8) {
          const __nv_fp8_e4m3 number(random.small());
          row[c] = number.__x;
          values[c] = double(float(number));
        } else {
          const unsigned nibble = random.below(16);
          row[c / 2] = std::uint8_t(c % 2 == 0 ? nibble : row[c / 2] | nibble << 4);
          values[c] = checked::of_e2m1(nibble);
        }
      }
      // Of a tile's rows the first 128 and the others have factors of their own, part by part along k.
      for (int block = 0; kind != Kind::bf16 && block < depth / together; ++block) {
        const std::uint8_t byte = kind == Kind::mxfp8 ? std::uint8_t(118 + random.below(4))
                                                      : __nv_fp8_e4m3(float(1 + random.below(15)) / 4).__x;
        const int within = i % tile;
        const std::size_t part = ((std::size_t(i / tile) * words + block / 4) * 2 + within / 128) * 512;
        factors[part + within % 32 * 16 + within / 32 % 4 * 4 + block % 4] = byte;
        const double factor = kind == Kind::mxfp8 ? std::ldexp(1., byte - 127) : checked::of_e4m3(byte);
        for (int c = block * together; c < (block + 1) * together; ++c) values[c] *= factor;
      }
      checked::succeed(cudaMemcpy(at + pitch * row_at(i), row.data(), pitch, cudaMemcpyDefault),
                       "cudaMemcpy");
    }
    if (kind != Kind::bf16) {
      count = std::int64_t(factors.size());
      of_factors = checked::on_device(factors);
    }
  }
  View view(Kind kind) const {
    if (kind == Kind::bf16) return View(reinterpret_cast<const Bf16*>(at), {all_rows, depth});
    if (kind == Kind::mxfp8) return View(at, dl_float8_e4m3fn, {all_rows, depth});
    return View(at, {all_rows, depth / 2});
  }
  View factors() const { return View(of_factors, {count}); }
  Matrix numbers;
  std::uint8_t *at = nullptr, *of_factors = nullptr;
  std::int64_t count = 0;
};

// What the quantizer left, which is held against `exact`, known to it within `off`, and read as numbers.
struct Quantized {
  explicit Quantized(Kind kind)
      : kind(kind),
        pitch(kind == Kind::bf16    ? depth * 2
              : kind == Kind::mxfp8 ? depth
                                    : depth / 2),
        count(std::size_t(2) * 128 * depth / together_of(kind)),
        at(checked::unwritten<std::uint8_t>(m * pitch)),
        of_factors(checked::unwritten<std::uint8_t>(count)) {}
  View view() const {
    if (kind == Kind::bf16) return View(reinterpret_cast<const Bf16*>(at), {m, depth});
    if (kind == Kind::mxfp8) return View(at, dl_float8_e4m3fn, {m, depth});
    return View(at, {m, depth / 2});
  }
  View factors() const { return View(of_factors, {std::int64_t(count)}); }
  Matrix compared(checked::Verdict& verdict, const Matrix& exact, const Matrix& off, double whole) const {
    const auto bytes = checked::from_device(at, m * pitch);
    const auto factors = checked::from_device(of_factors, count);
    const int together = together_of(kind);
    Matrix numbers(m);
    for (int i = 0; i < m; ++i)
      for (int c = 0; c < depth; c += together) {
        double* const values = numbers.row(i) + c;
        const double *const h = exact.row(i) + c, *const apart = off.row(i) + c;
        const std::uint8_t byte = factors[checked::factor_at(i, c / together, depth / together)];
        for (int l = 0; l < together; ++l)
          values[l] = kind == Kind::bf16 ? double(reinterpret_cast<const Bf16*>(&bytes[i * pitch])[c + l])
                      : kind == Kind::mxfp8
                          ? checked::of_e4m3(bytes[i * pitch + c + l])
                          : checked::of_e2m1(bytes[i * pitch + (c + l) / 2] >> (c + l) % 2 * 4);
        if (kind == Kind::bf16)
          for (int l = 0; l < together; ++l) verdict.compare(values[l], h[l], apart[l] + 1e-30);
        else if (kind == Kind::mxfp8)
          checked::compare_mxfp8(verdict, values, byte, h, apart, together);
        else
          checked::compare_nvfp4(verdict, values, checked::of_e4m3(byte), whole, h, apart, together);
        const double factor = kind == Kind::bf16    ? 1
                              : kind == Kind::mxfp8 ? std::ldexp(1., byte - 127)
                                                    : checked::of_e4m3(byte);
        for (int l = 0; l < together; ++l) values[l] *= factor;
      }
    return numbers;
  }
  Kind kind;
  std::size_t pitch, count;
  std::uint8_t *at, *of_factors;
};

struct Sum {
  double sum = 0, size = 0;
};
Sum product(const double* a, const double* b, double factor) {
  Sum all;
  for (int l = 0; l < depth; ++l) all.sum += a[l] * b[l], all.size += std::fabs(a[l] * b[l]);
  return {all.sum * factor, std::fabs(factor) * all.size};
}
// What f32 sums and a rounding to bf16 make of it.
double off_of(const Sum& of) { return checked::rounded<Bf16>(of.sum, 0, 2e-6 * of.size); }

std::vector<std::int64_t> rows_of_table() {
  std::vector<std::int64_t> all(m);
  for (int i = 0; i < m; ++i) all[i] = i % (table_rows + 1);  // the last is none, and counts as zeros
  return all;
}

std::vector<Bf16> few(std::size_t count, float divisor, checked::Random& random) {
  std::vector<Bf16> all(count);
  for (auto& x : all) x = Bf16(random.small() / divisor);
  return all;
}

struct Names {
  const char *before, *product;
};

#if GROUP == 0
int run(const Names& names, Kind kind, int columns, int tile) {
  checked::Random random;
  const auto x = few(std::size_t(m) * depth, 1, random), weight = few(depth, 2, random),
             scale = few(table_rows * depth, 4, random), shift = few(table_rows * depth, 8, random);
  const auto rows = rows_of_table();
  const int of_output = tile / 2;
  // Rows as blocks take them: of each tile g's, then u's.
  const Weights b(
      kind, columns * 2, tile,
      [&](int i) { return i / tile * of_output + i % of_output + (i % tile < of_output ? 0 : int(kFfn)); },
      random);
  const Quantized a(kind);
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
  Matrix exact(m), off(m);
  for (int i = 0; i < m; ++i) {
    double squares = 0;
    for (int c = 0; c < depth; ++c) squares += std::pow(double(x[std::size_t(i) * depth + c]), 2);
    const double root = 1 / std::sqrt(squares / depth + epsilon);
    for (int c = 0; rows[i] < table_rows && c < depth; ++c) {
      const double normal = double(weight[c]) * root * double(x[std::size_t(i) * depth + c]);
      const double by = double(Bf16(float(scale[rows[i] * depth + c]) + 1));
      const double result = normal * by + double(shift[rows[i] * depth + c]);
      const double apart = std::fabs(by) * checked::rounded<Bf16>(normal, 2e-6);
      exact.row(i)[c] = result;
      off.row(i)[c] = apart + checked::rounded<Bf16>(std::fabs(result) + apart, 1e-6);
    }
  }
  const Matrix numbers = a.compared(before, exact, off, whole);
  const auto found = checked::from_device(out, std::size_t(m) * kFfn);
  const double factor = kind == Kind::nvfp4 ? alpha : 1;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < columns; ++j) {
      const int at = j / of_output * tile + j % of_output;
      const Sum gate = product(numbers.row(i), b.numbers.row(at), factor),
                up = product(numbers.row(i), b.numbers.row(at + of_output), factor);
      const checked::Near result = checked::silu_times<Bf16>({gate.sum, off_of(gate)}, {up.sum, off_of(up)});
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
  const auto given = few(std::size_t(m) * depth, 1, random), gate = few(table_rows * kHidden, 2, random),
             residual = few(m * kHidden, 1, random);
  const auto rows = rows_of_table();
  const Weights b(kind, columns, 256, [](int i) { return i; }, random);
  const Quantized a(kind);
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
  Matrix exact(m);
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < depth; ++c)
      exact.row(i)[c] = double(given[(std::size_t(c / of_part) * m + i) * of_part + c % of_part]);
  const Matrix numbers = kind == Kind::bf16 ? exact : a.compared(before, exact, Matrix(m), whole);
  const auto found = checked::from_device(out, m * kHidden);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < columns; ++j) {
      const Sum sum = product(numbers.row(i), b.numbers.row(j), kind == Kind::nvfp4 ? alpha : 1);
      const double by = rows[i] < table_rows ? double(gate[rows[i] * kHidden + j]) : 0;
      const double gated = by * sum.sum, result = gated + double(residual[i * kHidden + j]);
      double off = std::fabs(by) * off_of(sum);
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
