// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated way of MiniMax-H3 to attention, for sm_100a, by its own launchers: rows are
// normalised, scaled, shifted and quantized to nvfp4; of their product with weights of nvfp4 queries and keys
// are normalised and rotated by their positions, and all is quantized to nvfp4. The shapes are fixed; the
// first heads are made.
#include <cuda.h>
#include <math_constants.h>
#include "launcher.hpp"
namespace of_rows {  // each file has its own helpers
#include <cake_minimax_h3_nvfp4_pre_attention/cake_minimax_h3_nvfp4_pre_attention_283f669f7590d1c4684f_kernel.cu>
}
#include <cake_minimax_h3_nvfp4_pre_attention/cake_minimax_h3_nvfp4_pre_attention_283f669f7590d1c4684f_binding.cu>
#include <cake_minimax_h3_nvfp4_pre_attention/cake_minimax_h3_nvfp4_pre_attention_bdfc61bd8a6ada56a764_binding.cu>
#include <cake_minimax_h3_nvfp4_pre_attention/cake_minimax_h3_nvfp4_pre_attention_bdfc61bd8a6ada56a764_kernel.cu>

#include "minimax.hpp"

namespace {

using checked::Bf16;
using checked::Kind;
using checked::Matrix;
using checked::Near;
using checked::View;

constexpr int m = 130, depth = 5376, table_rows = 9, kinds = 3, width = 128, rotated = 48;
constexpr int all_heads = 56, parts = 8, of_part = all_heads / parts;  // heads of each destination
constexpr int heads = 2, of_pair = 256;                                // those that are made
constexpr float epsilon = 1e-5f, whole = 300, out_whole = 200;

Near rounded(double number, double off) {
  return {number, off + checked::rounded<Bf16>(std::fabs(number) + off, 2e-6)};
}

// A query or key: divided by its root mean square, times a weight, and the first 96 numbers rotated.
void normalise(std::vector<Near>& row, const std::vector<Bf16>& weight, const Bf16* angles) {
  double squares = 0, off = 0;
  for (const Near& x : row) squares += x.number * x.number, off += (2 * std::fabs(x.number) + x.off) * x.off;
  const double mean = squares / width + epsilon, root = 1 / std::sqrt(mean);
  const double share = off / width / mean;  // of the root half of that, and more where it is large
  for (int c = 0; c < width; ++c) {
    const double by = std::fabs(double(weight[c])) * root;
    row[c] = rounded(row[c].number * root * double(weight[c]),
                     by * (row[c].off * (1 + share) + std::fabs(row[c].number) * share));
  }
  for (int c = 0; c < rotated; ++c) {
    const double cosine = double(angles[c]), sine = double(angles[rotated + c]);
    const Near low = row[c], high = row[c + rotated];
    row[c] = rounded(cosine * low.number - sine * high.number,
                     std::fabs(cosine) * low.off + std::fabs(sine) * high.off);
    row[c + rotated] = rounded(cosine * high.number + sine * low.number,
                               std::fabs(cosine) * high.off + std::fabs(sine) * low.off);
  }
}

}  // namespace

int main() {
  checked::Random random;
  const auto x = checked::few(std::size_t(m) * depth, 1, random), weight = checked::few(depth, 2, random),
             scale = checked::few(table_rows * depth, 4, random),
             shift = checked::few(table_rows * depth, 8, random), of_queries = checked::few(width, 1, random),
             of_keys = checked::few(width, 1, random);
  std::vector<Bf16> angles(m * 2 * rotated);
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < rotated; ++c) {
      const double angle = i * std::pow(1e4, -double(c) / rotated);
      angles[i * 2 * rotated + c] = Bf16(float(std::cos(angle)));
      angles[i * 2 * rotated + rotated + c] = Bf16(float(std::sin(angle)));
    }
  std::vector<int> rows(m);
  for (int i = 0; i < m; ++i) rows[i] = i % (table_rows + 1);  // the last is none, and counts as zeros
  constexpr int columns = heads * kinds * width, all_columns = all_heads * kinds * width;
  const checked::Weights b(
      Kind::nvfp4, all_columns, depth, columns, of_pair, [](int i) { return i; }, random);
  const checked::Quantized a(Kind::nvfp4, m, depth);
  constexpr float alpha = 1.f / 300 / 2048;
  constexpr int of_row = of_part * kinds, out_rows = m * of_row, padded = (out_rows + 127) / 128 * 128;
  auto* const plain = checked::unwritten<Bf16>(std::size_t(m) * depth);
  auto* const queries = checked::unwritten<std::uint32_t>(m * all_heads * width / 2);
  auto* const keys = checked::unwritten<std::uint32_t>(m * all_heads * width / 2);
  auto* const out = checked::unwritten<std::uint8_t>(std::size_t(parts) * out_rows * width / 2);
  auto* const out_factors = checked::unwritten<std::uint8_t>(std::size_t(parts) * padded * width / 16);
  const View of_a = a.view(), factors_a = a.factors(), words_q(queries, {m * all_heads * width / 2}),
             words_k(keys, {m * all_heads * width / 2});
  checked::Verdict before("rows normalised"), to_nvfp4("rows normalised to nvfp4"),
      rotation("queries and keys, rotated"), verdict("heads to nvfp4 256x256x256, pair of blocks");
  cake_host_shim_429fec33b25d496b::Run(
      View(checked::on_device(x), {m, depth}), View(checked::on_device(weight), {depth}),
      View(checked::on_device(scale), {table_rows, depth}),
      View(checked::on_device(shift), {table_rows, depth}), View(checked::on_device(rows), {m}),
      View(checked::on_device(std::vector{whole}), {1}), of_a, factors_a, View(plain, {m, depth}), 1, epsilon,
      m, 256 / 2, 1, 1);
  cake_host_shim_d14358b905a2ac68::Run(
      of_a, b.view(Kind::nvfp4), View(a.of_factors, {2 * depth / 64, 4, 128}),
      View(b.of_factors, {all_columns / of_pair * (depth / 64), 8, 128}),
      View(checked::on_device(std::vector{alpha}), {1}), View(checked::on_device(of_queries), {width}),
      View(checked::on_device(of_keys), {width}), View(checked::on_device(angles), {m, 2 * rotated}),
      View(checked::on_device(std::vector{out_whole}), {1}), View(out, {parts, m, of_part, kinds, width / 2}),
      View(out_factors, {parts, padded * width / 16}), View(out, {parts, m, of_row, width / 2}), words_q,
      words_q, words_k, 1, epsilon, m, 2, of_part, out_rows, padded * (width / 16), columns / of_pair * 2, 1,
      1);
  for (auto* const each : {&before, &to_nvfp4, &rotation, &verdict}) each->wait();
  Matrix exact(m, depth), off(m, depth), numbers(m, depth);
  checked::normalised(exact, off, x, weight, scale, shift, rows, epsilon);
  const auto found = checked::from_device(plain, std::size_t(m) * depth);
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < depth; ++c)
      before.compare(double(found[std::size_t(i) * depth + c]), exact.row(i)[c], off.row(i)[c] + 1e-30);
  numbers = a.compared(to_nvfp4, exact, off, whole);
  const auto found_queries =
                 checked::from_device(reinterpret_cast<const Bf16*>(queries), m * all_heads * width),
             found_keys = checked::from_device(reinterpret_cast<const Bf16*>(keys), m * all_heads * width);
  const auto bytes = checked::from_device(out, std::size_t(parts) * out_rows * width / 2);
  const auto factors = checked::from_device(out_factors, std::size_t(parts) * padded * width / 16);
  for (int i = 0; i < m; ++i)
    for (int head = 0; head < heads; ++head)
      for (int kind = 0; kind < kinds; ++kind) {
        std::vector<Near> row(width);
        for (int c = 0; c < width; ++c) {
          const auto sum = checked::product(numbers.row(i), b.numbers.row((head * kinds + kind) * width + c),
                                            depth, alpha);
          row[c] = {sum.sum, checked::off_of(sum)};
        }
        if (kind < 2) {
          normalise(row, kind == 0 ? of_queries : of_keys, &angles[i * 2 * rotated]);
          for (int c = 0; c < width; ++c)
            rotation.compare(
                double((kind == 0 ? found_queries : found_keys)[(i * all_heads + head) * width + c]),
                row[c].number, row[c].off + 1e-30);
        }
        const std::size_t at = std::size_t(i) * of_row + head * kinds + kind;  // of the first destination
        for (int begin = 0; begin < width; begin += 16) {
          std::vector<double> of_block, h, apart;
          for (int c = begin; c < begin + 16; ++c) {
            of_block.push_back(checked::of_e2m1(bytes[(at * width + c) / 2] >> c % 2 * 4));
            h.push_back(row[c].number), apart.push_back(row[c].off);
          }
          checked::compare_nvfp4(verdict, of_block.data(),
                                 checked::of_e4m3(factors[checked::factor_at(at, begin / 16, width / 16)]),
                                 out_whole, h.data(), apart.data(), 16);
        }
      }
  return before.said() | to_nvfp4.said() | rotation.said() | verdict.said();
}
