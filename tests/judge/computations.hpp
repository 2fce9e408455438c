// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Computations of the field over any kind of number: fp64, numbers with magnitudes, and the arithmetic of
// narrower formats. Sum is the format of accumulators, T that of all else.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "suite/problem/program/term.hpp"

namespace podium::judge {

// To nearest even, with that many significant bits; exponents are of no concern to the numbers used here.
inline double round_to_bits(double value, int bits) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

// `factor_bits`: of the operands of a product, which matrix units may round first.
template <int bits, int factor_bits = bits>
struct Rounded {
  double value = 0;
  Rounded() = default;
  Rounded(double x) : value(round_to_bits(x, bits)) {}
  template <int b, int f>
  explicit Rounded(Rounded<b, f> other) : Rounded(other.value) {}
  explicit operator double() const { return value; }

  friend Rounded operator-(Rounded a) { return -a.value; }
  friend Rounded operator+(Rounded a, Rounded b) { return a.value + b.value; }
  friend Rounded operator-(Rounded a, Rounded b) { return a.value - b.value; }
  friend Rounded operator*(Rounded a, Rounded b) {
    return round_to_bits(a.value, factor_bits) * round_to_bits(b.value, factor_bits);
  }
  friend Rounded operator/(Rounded a, Rounded b) { return a.value / b.value; }
  friend bool operator<(Rounded a, Rounded b) { return a.value < b.value; }
  friend Rounded exp(Rounded x) { return std::exp(x.value); }
  friend Rounded log(Rounded x) { return std::log(x.value); }
  friend Rounded sqrt(Rounded x) { return std::sqrt(x.value); }
};
using F32 = Rounded<24>;
using F16 = Rounded<11>;
using Bf16 = Rounded<8>;
using Tf32 = Rounded<24, 11>;  // products of rounded operands, added in f32

template <class T>
T larger_one(T a, T b) {
  return a < b ? b : a;
}
inline program::Number larger_one(program::Number a, program::Number b) { return program::upper_of(a, b); }

template <class T>
using Row = std::vector<T>;

// A sum of terms, one after the other.
template <class Sum, class T, class Term>
T sum_of(std::size_t n, Term term) {
  Sum sum(0.0);
  for (std::size_t i = 0; i < n; ++i) sum = sum + Sum(term(i));
  return T(sum);
}

template <class Sum, class T>
T dot(const Row<T>& a, const Row<T>& b) {
  return sum_of<Sum, T>(a.size(), [&](std::size_t i) { return a[i] * b[i]; });
}

// The biased variance, in two passes; `freedom` of 1: the unbiased one.
template <class Sum, class T>
T variance(const Row<T>& x, double freedom = 0) {
  const double n = static_cast<double>(x.size());
  const T mean = sum_of<Sum, T>(x.size(), [&](std::size_t i) { return x[i]; }) / T(n);
  return sum_of<Sum, T>(x.size(), [&](std::size_t i) { return (x[i] - mean) * (x[i] - mean); }) /
         T(n - freedom);
}

template <class Sum, class T>
Row<T> layer_norm(const Row<T>& x, double freedom = 0) {
  using std::sqrt;
  const double n = static_cast<double>(x.size());
  const T mean = sum_of<Sum, T>(x.size(), [&](std::size_t i) { return x[i]; }) / T(n);
  const T deviation = sqrt(variance<Sum>(x, freedom) + T(1e-5));
  Row<T> y;
  for (const T& one : x) y.push_back((one - mean) / deviation);
  return y;
}

template <class Sum, class T>
Row<T> rms_norm(const Row<T>& x) {
  using std::sqrt;
  const T squares = sum_of<Sum, T>(x.size(), [&](std::size_t i) { return x[i] * x[i]; });
  const T root = sqrt(squares / T(static_cast<double>(x.size())) + T(1e-6));
  Row<T> y;
  for (const T& one : x) y.push_back(one / root);
  return y;
}

template <class Sum, class T>
Row<T> softmax(const Row<T>& x) {
  using std::exp;
  T most = x[0];
  for (const T& one : x) most = larger_one(most, one);
  Row<T> y;
  for (const T& one : x) y.push_back(exp(one - most));
  const T all = sum_of<Sum, T>(y.size(), [&](std::size_t i) { return y[i]; });
  for (T& one : y) one = one / all;
  return y;
}

template <class Sum, class T>
T log_sum_exp(const Row<T>& x) {
  using std::exp;
  using std::log;
  T most = x[0];
  for (const T& one : x) most = larger_one(most, one);
  return most + log(sum_of<Sum, T>(x.size(), [&](std::size_t i) { return exp(x[i] - most); }));
}

// Of one query over as many keys and values as there are.
template <class Sum, class T>
Row<T> attention(const Row<T>& q, const std::vector<Row<T>>& k, const std::vector<Row<T>>& v) {
  Row<T> scores;
  for (const Row<T>& key : k) scores.push_back(dot<Sum>(q, key) * T(1 / std::sqrt(double(q.size()))));
  const Row<T> p = softmax<Sum>(scores);
  Row<T> y;
  for (std::size_t j = 0; j < v[0].size(); ++j)
    y.push_back(sum_of<Sum, T>(v.size(), [&](std::size_t i) { return p[i] * v[i][j]; }));
  return y;
}

// Multi-head latent attention of one head, its weights absorbed: the query goes into the latent space, keys
// and values are the latent vectors `c`, the result comes back by `w`.
template <class Sum, class T>
Row<T> latent_attention(const Row<T>& q, const std::vector<Row<T>>& c, const std::vector<Row<T>>& w) {
  Row<T> latent;
  for (std::size_t l = 0; l < c[0].size(); ++l)
    latent.push_back(sum_of<Sum, T>(q.size(), [&](std::size_t d) { return q[d] * w[d][l]; }));
  const Row<T> o = attention<Sum>(latent, c, c);
  Row<T> y;
  for (const Row<T>& row : w) y.push_back(dot<Sum>(o, row));
  return y;
}

// Triangle multiplication of outgoing edges, element (0, 1): both edges are normalised, gated and multiplied
// over all nodes; the result is normalised again. a, b: [node][channel]. `nodes`: how many are added up.
template <class Sum, class T>
Row<T> triangle(const std::vector<Row<T>>& a, const std::vector<Row<T>>& b, std::size_t nodes,
                double freedom = 0) {
  using std::exp;
  const auto gated = [&](const Row<T>& x) {
    Row<T> y = layer_norm<Sum>(x, freedom);
    for (T& one : y) one = one / (T(1.0) + exp(-one));
    return y;
  };
  std::vector<Row<T>> left, right;
  for (std::size_t node = 0; node < nodes; ++node)
    left.push_back(gated(a[node])), right.push_back(gated(b[node]));
  Row<T> y;
  for (std::size_t channel = 0; channel < a[0].size(); ++channel)
    y.push_back(sum_of<Sum, T>(nodes, [&](std::size_t k) { return left[k][channel] * right[k][channel]; }));
  return layer_norm<Sum>(y, freedom);
}

// Normal enough for errors: a sum of four uniform numbers (SplitMix64), variance 1.
class Normal {
 public:
  double next() {
    const std::uint64_t word = draw();
    double sum = -4 * 32767.5;
    for (int k = 0; k < 4; ++k) sum += static_cast<double>(word >> (16 * k) & 0xffff);
    return sum / 37837.2;  // 65536 · sqrt(4 / 12)
  }
  Row<double> row(std::size_t n, double mean = 0) {
    Row<double> row(n);
    for (double& one : row) one = mean + next();
    return row;
  }

 private:
  std::uint64_t draw() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 1;
};

template <class T>
Row<T> as(const Row<double>& row) {
  return Row<T>(row.begin(), row.end());
}
template <class T>
std::vector<Row<T>> as(const std::vector<Row<double>>& rows) {
  std::vector<Row<T>> all;
  for (const Row<double>& row : rows) all.push_back(as<T>(row));
  return all;
}

}  // namespace podium::judge
