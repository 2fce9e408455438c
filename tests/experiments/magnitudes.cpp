// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a limit by magnitude means: honest arithmetic of several formats against magnitudes that are passed on
// by multiplying them, by the largest of what each operand passes on, and by the sum of that.
//
//   g++ -std=c++20 -O2 -I. -Isuite/problem/program tests/experiments/magnitudes.cpp -o /tmp/magnitudes &&
//   /tmp/magnitudes
//
// k: the longest sum. M/|y|: the median magnitude of an output over its size, in each way. growth: what each
// format's honest arithmetic needs, its largest error over eps(format) M with the largest counting, beside
// sqrt(k). bf16: the largest error of sums in bf16 with all else in f32, over the limit of f32 at growth
// sqrt(k). 0: the same of zeros.
#include <cstdio>
#include <string>

#include "tests/judge/computations.hpp"

namespace {

using namespace podium::judge;

// As magnitudes were passed on before, and as the first-order bound itself would be.
enum class Way { multiplied, summed };
template <Way way>
struct Other {
  double value = 0, magnitude = 0;
  Other() = default;
  Other(double v) : value(v), magnitude(std::fabs(v)) {}
  Other(double v, double m) : value(v), magnitude(m) {}
  friend Other operator-(Other a) { return {-a.value, a.magnitude}; }
  friend Other operator+(Other a, Other b) { return {a.value + b.value, a.magnitude + b.magnitude}; }
  friend Other operator-(Other a, Other b) { return {a.value - b.value, a.magnitude + b.magnitude}; }
  friend Other operator*(Other a, Other b) {
    if (way == Way::multiplied) return {a.value * b.value, a.magnitude * b.magnitude};
    return {a.value * b.value, std::fabs(a.value) * b.magnitude + std::fabs(b.value) * a.magnitude};
  }
  friend Other operator/(Other a, Other b) {
    const double y = a.value / b.value;
    if (way == Way::multiplied) return {y, a.magnitude * b.magnitude / (b.value * b.value)};
    return {y, a.magnitude / std::fabs(b.value) + std::fabs(y / b.value) * b.magnitude};
  }
  friend bool operator<(Other a, Other b) { return a.value < b.value; }
  static Other sloped(Other x, double y, double slope) {
    const double passed = std::fabs(slope) * x.magnitude;
    return {y, way == Way::multiplied ? std::max(std::fabs(y), passed) : std::fabs(y) + passed};
  }
  friend Other exp(Other x) { return sloped(x, std::exp(x.value), std::exp(x.value)); }
  friend Other log(Other x) { return sloped(x, std::log(x.value), 1 / x.value); }
  friend Other sqrt(Other x) {
    const double y = std::sqrt(x.value);
    return sloped(x, y, (way == Way::multiplied ? 1 : 0.5) / y);
  }
};
using Multiplied = Other<Way::multiplied>;
using Summed = Other<Way::summed>;
using Largest = podium::program::Number;

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}
template <class N>
double median_share(const Row<N>& y) {
  std::vector<double> all;
  for (const N& one : y) all.push_back(one.magnitude / std::fabs(one.value));
  return median(all);
}
// The largest of |y - reference| over eps M.
template <class N>
double worst(const Row<double>& y, const Row<N>& reference, double eps) {
  double most = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    most = std::max(most, std::fabs(y[i] - reference[i].value) / (eps * reference[i].magnitude));
  return most;
}
template <class T>
Row<double> values(const Row<T>& row) {
  Row<double> all;
  for (const T& one : row) all.push_back(double(one));
  return all;
}

// compute(Sum{}, T{}): the outputs.
template <class Compute>
void line(const std::string& name, double k, Compute compute) {
  const auto largest = compute(Largest(), Largest());
  const auto multiplied = compute(Multiplied(), Multiplied());
  const auto summed = compute(Summed(), Summed());
  constexpr double f32 = 0x1p-23, f16 = 0x1p-10, bf16 = 0x1p-7;
  const auto in_f32 = values(compute(F32(), F32())), low = values(compute(Bf16(), F32()));
  const double root = std::sqrt(k);
  const Row<double> nothing(in_f32.size(), 0.0);
  std::printf(
      "%-26s %5.0f  %8.3g %8.3g %8.3g  %6.3g %6.3g %6.3g %6.3g %6.3g of %4.3g  %8.3g %8.3g  %8.3g %8.3g\n",
      name.c_str(), k, median_share(multiplied), median_share(largest), median_share(summed),
      worst(in_f32, summed, f32), worst(in_f32, largest, f32),
      worst(values(compute(Tf32(), Tf32())), largest, f16),
      worst(values(compute(F16(), F16())), largest, f16),
      worst(values(compute(Bf16(), Bf16())), largest, bf16), root, worst(low, multiplied, f32 * root),
      worst(low, largest, f32 * root), worst(nothing, multiplied, f32 * root),
      worst(nothing, largest, f32 * root));
}

template <class T>
Row<T> one(T x) {
  return {x};
}

}  // namespace

int main() {
  Normal normal;
  std::printf("%-26s %5s  %26s  %27s of        %17s  %17s\n", "", "", "M/|y|", "growth", "bf16 sums",
              "zeros");
  std::printf("%-26s %5s  %8s %8s %8s  %6s %6s %6s %6s %6s sqrt(k) %7s %8s  %8s %8s\n", "computation", "k",
              "product", "largest", "sum", "f32 s", "f32", "tf32", "f16", "bf16", "product", "largest",
              "product", "largest");
  constexpr std::size_t rows = 32;
  const auto each = [&](std::size_t n, double mean, auto compute) {
    std::vector<Row<double>> x;
    for (std::size_t r = 0; r < rows; ++r) x.push_back(normal.row(n, mean));
    return [x, compute](auto sum, auto t) {
      using T = decltype(t);
      Row<T> all;
      for (const auto& row : x) {
        // What inputs hold: every format may be asked, so the narrowest.
        Row<double> held;
        for (const double v : row) held.push_back(round_to_bits(v, 8));
        for (const T& y : compute(sum, as<T>(held))) all.push_back(y);
      }
      return all;
    };
  };
  const auto halves = [](const auto& x) {
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    return std::pair(std::decay_t<decltype(x)>(x.begin(), middle),
                     std::decay_t<decltype(x)>(middle, x.end()));
  };
  const auto rows_of = [](const auto& x, std::size_t first, std::size_t count, std::size_t width) {
    std::vector<std::decay_t<decltype(x)>> all;
    for (std::size_t r = 0; r < count; ++r)
      all.emplace_back(x.begin() + static_cast<std::ptrdiff_t>(first + r * width),
                       x.begin() + static_cast<std::ptrdiff_t>(first + (r + 1) * width));
    return all;
  };
  line("dot product", 1024, each(2048, 0, [&](auto s, const auto& x) {
         const auto [a, b] = halves(x);
         return one(dot<decltype(s)>(a, b));
       }));
  line("variance", 1024, each(1024, 0, [](auto s, const auto& x) { return one(variance<decltype(s)>(x)); }));
  line("variance, mean 100", 1024,
       each(1024, 100, [](auto s, const auto& x) { return one(variance<decltype(s)>(x)); }));
  for (const double mean : {0, 100})
    line(mean == 0 ? "layer norm" : "layer norm, mean 100", 512,
         each(512, mean, [](auto s, const auto& x) { return layer_norm<decltype(s)>(x); }));
  for (const double mean : {0, 100})
    line(mean == 0 ? "two layer norms" : "two layer norms, mean 100", 512,
         each(512, mean,
              [](auto s, const auto& x) { return layer_norm<decltype(s)>(layer_norm<decltype(s)>(x)); }));
  line("softmax", 1024, each(1024, 0, [](auto s, const auto& x) { return softmax<decltype(s)>(x); }));
  line("log-sum-exp", 1024,
       each(1024, 0, [](auto s, const auto& x) { return one(log_sum_exp<decltype(s)>(x)); }));
  line("rms norm, then product", 512, each(1024, 0, [&](auto s, const auto& x) {
         const auto [a, b] = halves(x);
         return one(dot<decltype(s)>(rms_norm<decltype(s)>(a), b));
       }));
  line("attention", 256, each(64 + 2 * 256 * 64, 0, [&](auto s, const auto& x) {
         const auto q = rows_of(x, 0, 1, 64)[0];
         return attention<decltype(s)>(q, rows_of(x, 64, 256, 64), rows_of(x, 64 + 256 * 64, 256, 64));
       }));
  line("MLA decode", 512, each(32 + 256 * 512 + 32 * 512, 0, [&](auto s, const auto& x) {
         const auto q = rows_of(x, 0, 1, 32)[0];
         auto w = rows_of(x, 32 + 256 * 512, 32, 512);
         for (auto& row : w)
           for (auto& v : row) v = v * std::decay_t<decltype(v)>(1 / 16.0);
         return latent_attention<decltype(s)>(q, rows_of(x, 32, 256, 512), w);
       }));
  line("triangle multiplication", 64, each(2 * 64 * 64, 0, [&](auto s, const auto& x) {
         return triangle<decltype(s)>(rows_of(x, 0, 64, 64), rows_of(x, 64 * 64, 64, 64), 64);
       }));
  line("chain of 64 divisions", 64, each(64, 2, [](auto, const auto& x) {
         auto y = x[0];
         for (std::size_t i = 1; i < x.size(); ++i) y = y / x[i];
         return one(y);
       }));
}
