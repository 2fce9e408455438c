// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's normalisations, compiled for sm_100a: of a row's root mean square, alone and of a sum, the
// second launched to begin before the first has ended; of its mean and variance; and of queries' and keys'
// rows with rotary positions.
#define ENABLE_BF16 1
#include <cuda_bf16.h>

#include <flashinfer/norm.cuh>
#include <flashinfer/norm/fused_qk_rmsnorm_rope.cuh>

#include "rounded.hpp"

namespace {

using T = __nv_bfloat16;

// What f32 sums of a few thousand squares, a reciprocal root and two products may be off, as a share.
constexpr double share = 4e-6;

struct Rows {
  Rows(int count_of_rows, int width_of_row) : count(count_of_rows), width(width_of_row) {}
  std::vector<T> random(checked::Random& random) const {
    return checked::random_numbers<T>(std::size_t(count) * width, random);
  }
  int count, width;
};

// 1 / sqrt(mean of squares + epsilon) of `width` numbers.
template <class At>
double root(int width, double epsilon, const At& at) {
  double squares = 0;
  for (int c = 0; c < width; ++c) squares += at(c) * at(c);
  return 1 / std::sqrt(squares / width + epsilon);
}

// y = norm(x) w; then x := y + r, r := the same, x := norm(x) w.
int root_mean_square(const char* name, Rows rows) {
  checked::Random random;
  const auto x = rows.random(random), residual = rows.random(random);
  const auto weight = Rows(1, rows.width).random(random);
  T *const device_x = checked::on_device(x), *const device_residual = checked::on_device(residual);
  T* const device_y = checked::unwritten<T>(x.size());
  T* const device_weight = checked::on_device(weight);
  constexpr float epsilon = 1e-5f;
  checked::Verdict verdict(name);
  checked::succeed(flashinfer::norm::RMSNorm(device_x, device_weight, device_y, rows.count, rows.width,
                                             rows.width, rows.width, epsilon, true),
                   "RMSNorm");
  // The first one's result is the second one's operand.
  checked::succeed(flashinfer::norm::FusedAddRMSNorm(device_y, device_residual, device_weight, rows.count,
                                                     rows.width, rows.width, rows.width, epsilon, true),
                   "FusedAddRMSNorm");
  verdict.wait();
  const auto y = checked::from_device(device_y, x.size()),
             sums = checked::from_device(device_residual, x.size());
  for (int i = 0; i < rows.count; ++i) {
    const std::size_t first = std::size_t(i) * rows.width;
    const double of_x = root(rows.width, epsilon, [&](int c) { return double(float(x[first + c])); });
    std::vector<double> sum(rows.width);
    for (int c = 0; c < rows.width; ++c) {
      const double exact = double(float(x[first + c])) * of_x * double(float(weight[c]));
      const double with = exact + double(float(residual[first + c]));
      const double off = checked::rounded<T>(exact, share);
      verdict.compare(float(sums[first + c]), with, checked::rounded<T>(with, share, off));
      sum[c] = with;
    }
    const double of_sum = root(rows.width, epsilon, [&](int c) { return sum[c]; });
    for (int c = 0; c < rows.width; ++c) {
      const double exact = sum[c] * of_sum * double(float(weight[c]));
      const double before = checked::rounded<T>(sum[c] - double(float(residual[first + c])), share);
      // As `before` may change each number, by half a unit in its last place, it changes a row's root.
      verdict.compare(float(y[first + c]), exact,
                      checked::rounded<T>(exact, share + std::ldexp(1., -9),
                                          before * of_sum * std::fabs(double(float(weight[c])))));
    }
  }
  return verdict.said();
}

int layer(const char* name, Rows rows) {
  checked::Random random;
  const auto x = rows.random(random);
  const auto gamma = checked::random_numbers<float>(rows.width, random),
             beta = checked::random_numbers<float>(rows.width, random);
  T* const out = checked::unwritten<T>(x.size());
  constexpr float epsilon = 1e-5f;
  checked::Verdict verdict(name);
  checked::succeed(
      flashinfer::norm::LayerNorm(checked::on_device(x), checked::on_device(gamma), checked::on_device(beta),
                                  out, rows.count, rows.width, epsilon),
      "LayerNorm");
  verdict.wait();
  const auto found = checked::from_device(out, x.size());
  for (int i = 0; i < rows.count; ++i) {
    const T* const row = &x[std::size_t(i) * rows.width];
    double mean = 0;
    for (int c = 0; c < rows.width; ++c) mean += double(float(row[c])) / rows.width;
    const double scale = root(rows.width, epsilon, [&](int c) { return double(float(row[c])) - mean; });
    for (int c = 0; c < rows.width; ++c) {
      const double exact = (double(float(row[c])) - mean) * scale * gamma[c] + beta[c];
      verdict.compare(float(found[std::size_t(i) * rows.width + c]), exact,
                      checked::rounded<T>(exact, share, share * 4 * (1 + std::fabs(gamma[c]))));
    }
  }
  return verdict.said();
}

// Queries and keys of `tokens` places in frames of 4 x 4: each row of all heads is normalised, and turned by
// angles of its frame, line and column. Values are copied.
int of_heads(const char* name, int tokens) {
  constexpr int width = 128, heads = 4, of_keys = 2, of_values = 2, side = 4;
  constexpr int of_frames = 32, of_lines = 48, of_columns = 48;
  checked::Random random;
  const int all = heads + of_keys + of_values;
  const auto in = checked::random_numbers<T>(std::size_t(tokens) * all * width, random);
  const auto weight_q = checked::random_numbers<T>(heads * width, random),
             weight_k = checked::random_numbers<T>(of_keys * width, random);
  std::vector<float> frequencies(width / 2);
  for (int i = 0; i < width / 2; ++i) frequencies[i] = std::pow(100.f, -float(i) / (width / 2));
  T* const q = checked::unwritten<T>(std::size_t(tokens) * heads * width);
  T* const k = checked::unwritten<T>(std::size_t(tokens) * of_keys * width);
  T* const v = checked::unwritten<T>(std::size_t(tokens) * of_values * width);
  constexpr float epsilon = 1e-6f;
  using flashinfer::IntFastDiv;
  checked::Verdict verdict(name);
  flashinfer::fusedQKNormRopeKernel<width, true><<<dim3(tokens, 3), heads * 32>>>(
      checked::on_device(in), q, k, v, heads, of_keys, of_values, epsilon, checked::on_device(weight_q),
      checked::on_device(weight_k), checked::on_device(frequencies), tokens, IntFastDiv(tokens),
      IntFastDiv(side), IntFastDiv(side * side), of_frames, of_lines, of_columns, 1, true, 1, 1);
  checked::succeed(cudaGetLastError(), "launch");
  verdict.wait();
  const auto turned = [&](const T* found, const std::vector<T>& weight, int count, int before) {
    const auto result = checked::from_device(found, std::size_t(tokens) * count * width);
    for (int t = 0; t < tokens; ++t) {
      const T* const row = &in[(std::size_t(t) * all + before) * width];
      const double scale = root(count * width, epsilon, [&](int c) { return double(float(row[c])); });
      const int places[3] = {t / (side * side), t % (side * side) / side, t % side};
      for (int c = 0; c < count * width; c += 2) {
        const int in_head = c % width;
        const double angle = double(frequencies[in_head / 2]) * places[in_head >= of_frames + of_lines ? 2
                                                                       : in_head >= of_frames          ? 1
                                                                                                       : 0];
        const auto normal = [&](int at) {
          return double(float(row[at])) * scale * double(float(weight[at]));
        };
        const double x = normal(c), y = normal(c + 1);
        const double size = checked::rounded<T>(x, share) + checked::rounded<T>(y, share) +
                            2e-5 * (std::fabs(x) + std::fabs(y));
        const std::size_t at = std::size_t(t) * count * width + c;
        const double first = x * std::cos(angle) - y * std::sin(angle),
                     second = y * std::cos(angle) + x * std::sin(angle);
        verdict.compare(float(result[at]), first, checked::rounded<T>(first, share, size));
        verdict.compare(float(result[at + 1]), second, checked::rounded<T>(second, share, size));
      }
    }
  };
  turned(q, weight_q, heads, 0);
  turned(k, weight_k, of_keys, heads);
  const auto values = checked::from_device(v, std::size_t(tokens) * of_values * width);
  for (int t = 0; t < tokens; ++t)
    for (int c = 0; c < of_values * width; ++c)
      verdict.compare(float(values[std::size_t(t) * of_values * width + c]),
                      float(in[(std::size_t(t) * all + heads + of_keys) * width + c]), 1e-30);
  return verdict.said();
}

}  // namespace

int main() {
  return root_mean_square("root mean square, and of a sum, bf16", {7, 1032}) |
         layer("mean and variance, bf16", {5, 520}) |
         of_heads("rows of heads, and rotary positions, bf16", 37);
}
