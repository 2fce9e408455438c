// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated mixing of residuals for sm_100a, by its own launcher: of four residuals and what a
// layer made four new ones; a product of all of them with few columns, which many blocks share, says how they
// are mixed next, by a matrix that is made doubly stochastic; and their mixture is normalised, and quantized
// to mxfp8.
#define NUM_SPLITS 16
#define FP8_NORM_PARTITIONS 2
#define NUM_SMS 4
#include "launcher.hpp"
//
#include <experimental/deepgemm_mega_mhc/generated/cake_mega_mhc_35a28241805e52d8d025_binding.cu>
#include <experimental/deepgemm_mega_mhc/generated/cake_mega_mhc_35a28241805e52d8d025_kernel.cu>

#include "quantized.hpp"

namespace {

using Bf16 = __nv_bfloat16;
using checked::View;

constexpr int tokens = 22, hidden = 5120, routes = 4, columns = 24, iterations = 20;
constexpr double norm_epsilon = 2e-5, before_epsilon = 3e-4, after_scale = 1.25, sinkhorn_epsilon = 2e-6,
                 rms_epsilon = 7e-6, rms_scale = 1.25;

std::vector<Bf16> few(std::size_t count, float divisor, checked::Random& random) {
  std::vector<Bf16> all(count);
  for (auto& x : all) x = Bf16(random.small() / divisor);
  return all;
}
std::vector<float> numbers(std::size_t count, float divisor, checked::Random& random) {
  std::vector<float> all(count);
  for (auto& x : all) x = random.small() / divisor;
  return all;
}
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Rows and columns are divided by their sums in turn.
void balance(double (&matrix)[routes][routes]) {
  const auto divide = [&](bool rows, double epsilon) {
    for (int i = 0; i < routes; ++i) {
      double sum = epsilon;
      for (int j = 0; j < routes; ++j) sum += rows ? matrix[i][j] : matrix[j][i];
      for (int j = 0; j < routes; ++j) (rows ? matrix[i][j] : matrix[j][i]) /= sum;
    }
  };
  divide(true, 0);
  for (auto& row : matrix)
    for (double& x : row) x += sinkhorn_epsilon;
  divide(false, sinkhorn_epsilon);
  for (int i = 1; i < iterations; ++i) divide(true, sinkhorn_epsilon), divide(false, sinkhorn_epsilon);
}

}  // namespace

int main() {
  checked::Random random;
  const auto x = few(tokens * hidden, 1, random), residual = few(tokens * routes * hidden, 1, random),
             weight = few(hidden, 1, random);
  const auto after = numbers(tokens * routes, 2, random), comb = numbers(tokens * routes * routes, 4, random),
             scales = numbers(3, 1, random), bases = numbers(columns, 2, random);
  // Exact in tf32.
  std::vector<float> fn;
  for (const Bf16 number : few(columns * routes * hidden, 64, random)) fn.push_back(float(number));
  auto* const new_residual = checked::unwritten<Bf16>(tokens * routes * hidden);
  auto* const new_after = checked::unwritten<float>(tokens * routes);
  auto* const new_comb = checked::unwritten<float>(tokens * routes * routes);
  auto* const y = checked::unwritten<Bf16>(tokens * hidden);
  auto* const quantized = checked::unwritten<std::uint8_t>(tokens * hidden);
  constexpr int blocks = (tokens + 63) / 64, words = hidden / 128, pitch = (tokens + 3) / 4 * 4,
                scratch = blocks * NUM_SPLITS * (1536 + 128), barriers = 2 * (1 << 20) / 64 * 16;
  auto* const factors = checked::unwritten<std::uint32_t>(words * pitch);
  const View residuals(new_residual, {tokens, routes, hidden}), of_x(checked::on_device(x), {tokens, hidden}),
      of_after(checked::on_device(after), {tokens, routes}), no_number(checked::unwritten<float>(1), {1});
  checked::Verdict mixed("residuals mixed"), next("how they are mixed next, 64x24x32, 16 parts of k"),
      normal("their mixture, normalised"), to_mxfp8("the same as mxfp8");
  cake_host_shim_2755d159eaddfdce::Run(
      View(checked::on_device(residual), {tokens, routes, hidden}), of_x,
      View(checked::on_device(fn), {columns, routes * hidden}), of_after,
      View(checked::on_device(comb), {tokens, routes * routes}), of_after, residuals, of_x,
      View(checked::on_device(scales), {3}), View(checked::on_device(bases), {columns}), no_number,
      View(new_after, {tokens, routes, 1}), View(new_comb, {tokens, routes, routes}),
      View(checked::on_device(weight), {hidden}), residuals, View(y, {tokens, hidden}),
      View(quantized, {tokens, hidden}), View(factors, {words * pitch}),
      View(checked::unwritten<std::uint32_t>(1), {1}), View(checked::unwritten<float>(scratch), {scratch}),
      View(checked::on_device(std::vector<std::uint64_t>(barriers)), {barriers}),
      View(checked::on_device(std::vector<std::uint64_t>(NUM_SMS)), {NUM_SMS}), tokens, norm_epsilon,
      before_epsilon, after_scale, sinkhorn_epsilon, iterations, rms_epsilon, rms_scale, 1, pitch, 0, NUM_SMS,
      1, 1);
  for (auto* const each : {&mixed, &next, &normal, &to_mxfp8}) each->wait();
  const auto found = checked::from_device(new_residual, tokens * routes * hidden);
  const auto found_after = checked::from_device(new_after, tokens * routes),
             found_comb = checked::from_device(new_comb, tokens * routes * routes);
  const auto found_y = checked::from_device(y, tokens * hidden);
  const auto bytes = checked::from_device(quantized, tokens * hidden);
  const auto exponents = checked::from_device(factors, words * pitch);
  for (int t = 0; t < tokens; ++t) {
    double squares = 0, sums[columns] = {}, sizes[columns] = {};
    const auto at = [&](int route, int c) { return (std::size_t(t) * routes + route) * hidden + c; };
    for (int r = 0; r < routes; ++r)
      for (int c = 0; c < hidden; ++c) {
        double sum = double(after[t * routes + r]) * double(x[t * hidden + c]), size = std::fabs(sum);
        for (int i = 0; i < routes; ++i) {
          const double term = double(comb[(t * routes + i) * routes + r]) * double(residual[at(i, c)]);
          sum += term, size += std::fabs(term);
        }
        mixed.compare(double(found[at(r, c)]), sum, checked::rounded<Bf16>(sum, 0, 1e-6 * size));
        const double number = double(found[at(r, c)]);
        squares += number * number;
        for (int j = 0; j < columns; ++j) {
          const double term = number * fn[std::size_t(j) * routes * hidden + r * hidden + c];
          sums[j] += term, sizes[j] += std::fabs(term);
        }
      }
    const double root = 1 / std::sqrt(squares / (routes * hidden) + norm_epsilon);
    double affine[columns], off[columns], most = 0;
    for (int j = 0; j < columns; ++j) {
      const double scale = root * scales[j < routes ? 0 : j < 2 * routes ? 1 : 2];
      affine[j] = sums[j] * scale + bases[j];
      off[j] = 2e-6 * (sizes[j] * std::fabs(scale) + std::fabs(affine[j]));
      most = std::max(most, off[j]);
    }
    for (int r = 0; r < routes; ++r)
      next.compare(found_after[t * routes + r], after_scale * logistic(affine[routes + r]),
                   after_scale * (off[routes + r] / 4 + 1e-6));
    double matrix[routes][routes];
    for (int i = 0; i < routes; ++i)
      for (int j = 0; j < routes; ++j) matrix[i][j] = std::exp(affine[2 * routes + i * routes + j]);
    balance(matrix);
    // Of numbers that are off by a share the quotients are by four times that at most, in the limit as at
    // first; each of the divisions adds a few units in the last place.
    for (int i = 0; i < routes; ++i)
      for (int j = 0; j < routes; ++j)
        next.compare(found_comb[(t * routes + i) * routes + j], matrix[i][j],
                     matrix[i][j] * (8 * most + iterations * 1e-6));
    std::vector<double> values(hidden), apart(hidden);
    double sum = 0, sum_off = 0;
    for (int c = 0; c < hidden; ++c) {
      for (int r = 0; r < routes; ++r) {
        const double number = double(found[at(r, c)]), by = logistic(affine[r]) + before_epsilon;
        values[c] += by * number;
        apart[c] += (off[r] / 4 + 1e-6) * std::fabs(number);
      }
      apart[c] += checked::rounded<Bf16>(std::fabs(values[c]) + apart[c], 1e-6);
      sum += values[c] * values[c], sum_off += (2 * std::fabs(values[c]) + apart[c]) * apart[c];
    }
    const double mean = sum / hidden + rms_epsilon, scale = rms_scale / std::sqrt(mean);
    const double share = sum_off / hidden / mean;
    for (int c = 0; c < hidden; ++c) {
      const double by = scale * double(weight[c]), result = values[c] * by;
      const double distance = std::fabs(by) * (apart[c] * (1 + share) + std::fabs(values[c]) * share);
      normal.compare(double(found_y[t * hidden + c]), result,
                     distance + checked::rounded<Bf16>(std::fabs(result) + distance, 2e-6));
    }
    for (int c = 0; c < hidden; c += 32) {
      std::vector<double> made, h;
      for (int l = c; l < c + 32; ++l)
        made.push_back(checked::of_e4m3(bytes[t * hidden + l])), h.push_back(double(found_y[t * hidden + l]));
      checked::compare_mxfp8(to_mxfp8, made.data(),
                             std::uint8_t(exponents[c / 128 * pitch + t] >> c % 128 / 32 * 8), h.data(),
                             std::vector<double>(32).data(), 32);
    }
  }
  return mixed.said() | next.said() | normal.said() | to_mxfp8.said();
}
