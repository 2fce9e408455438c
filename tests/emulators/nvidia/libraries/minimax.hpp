// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs of MiniMax-H3's layers share: rows of bf16, mxfp8 and nvfp4 as numbers, as weights in device
// memory, and as what a quantizer leaves there; and rows that are normalised, scaled and shifted. After
// launcher.hpp and what the launchers include.
#pragma once
#include "quantized.hpp"
#include "sum.hpp"

namespace checked {

using Bf16 = __nv_bfloat16;
enum class Kind { bf16, mxfp8, nvfp4 };

inline int together_of(Kind kind) { return kind == Kind::mxfp8 ? 32 : 16; }

// Rows of A or B as numbers.
struct Matrix {
  Matrix(int rows, int depth) : depth(depth), values(std::size_t(rows) * depth) {}
  double* row(int i) { return &values[std::size_t(i) * depth]; }
  const double* row(int i) const { return &values[std::size_t(i) * depth]; }
  int depth;
  std::vector<double> values;
};

// Weights of which the rows that are wanted are written, in device memory for all.
struct Weights {
  // `tile`: rows of two blocks' tiles, in the order in which they take them; `rows` of them are wanted.
  template <class Row>
  Weights(Kind kind, int all_rows, int depth, int rows, int tile, const Row& row_at, Random& random)
      : numbers(rows, depth), all_rows(all_rows) {
    const int bits = kind == Kind::bf16 ? 16 : kind == Kind::mxfp8 ? 8 : 4, together = together_of(kind);
    const std::size_t pitch = std::size_t(depth) * bits / 8, words = depth / together / 4;
    const std::size_t tiles = all_rows / tile;
    at = unwritten<std::uint8_t>(pitch * all_rows);
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
          values[c] = of_e2m1(nibble);
        }
      }
      // Of a tile's rows the first 128 and the others have factors of their own, part by part along k.
      for (int block = 0; kind != Kind::bf16 && block < depth / together; ++block) {
        const std::uint8_t byte = kind == Kind::mxfp8 ? std::uint8_t(118 + random.below(4))
                                                      : __nv_fp8_e4m3(float(1 + random.below(15)) / 4).__x;
        const int within = i % tile;
        const std::size_t part = ((std::size_t(i / tile) * words + block / 4) * 2 + within / 128) * 512;
        factors[part + within % 32 * 16 + within / 32 % 4 * 4 + block % 4] = byte;
        const double factor = kind == Kind::mxfp8 ? std::ldexp(1., byte - 127) : of_e4m3(byte);
        for (int c = block * together; c < (block + 1) * together; ++c) values[c] *= factor;
      }
      succeed(cudaMemcpy(at + pitch * row_at(i), row.data(), pitch, cudaMemcpyDefault), "cudaMemcpy");
    }
    if (kind != Kind::bf16) {
      count = std::int64_t(factors.size());
      of_factors = on_device(factors);
    }
  }
  View view(Kind kind) const {
    const int depth = numbers.depth;
    if (kind == Kind::bf16) return View(reinterpret_cast<const Bf16*>(at), {all_rows, depth});
    if (kind == Kind::mxfp8) return View(at, dl_float8_e4m3fn, {all_rows, depth});
    return View(at, {all_rows, depth / 2});
  }
  View factors() const { return View(of_factors, {count}); }
  Matrix numbers;
  int all_rows;
  std::uint8_t *at = nullptr, *of_factors = nullptr;
  std::int64_t count = 0;
};

// What the quantizer left, which is held against `exact`, known to it within `off`, and read as numbers.
struct Quantized {
  Quantized(Kind kind, int m, int depth)
      : kind(kind),
        m(m),
        depth(depth),
        pitch(kind == Kind::bf16    ? depth * 2
              : kind == Kind::mxfp8 ? depth
                                    : depth / 2),
        count(std::size_t(m + 255) / 256 * 256 * depth / together_of(kind)),
        at(unwritten<std::uint8_t>(m * pitch)),
        of_factors(unwritten<std::uint8_t>(count)) {}
  View view() const {
    if (kind == Kind::bf16) return View(reinterpret_cast<const Bf16*>(at), {m, depth});
    if (kind == Kind::mxfp8) return View(at, dl_float8_e4m3fn, {m, depth});
    return View(at, {m, depth / 2});
  }
  View factors() const { return View(of_factors, {std::int64_t(count)}); }
  Matrix compared(Verdict& verdict, const Matrix& exact, const Matrix& off, double whole) const {
    const auto bytes = from_device(at, m * pitch);
    const auto factors = from_device(of_factors, count);
    const int together = together_of(kind);
    Matrix numbers(m, depth);
    for (int i = 0; i < m; ++i)
      for (int c = 0; c < depth; c += together) {
        double* const values = numbers.row(i) + c;
        const double *const h = exact.row(i) + c, *const apart = off.row(i) + c;
        const std::uint8_t byte = factors[factor_at(i, c / together, depth / together)];
        for (int l = 0; l < together; ++l)
          values[l] = kind == Kind::bf16    ? double(reinterpret_cast<const Bf16*>(&bytes[i * pitch])[c + l])
                      : kind == Kind::mxfp8 ? of_e4m3(bytes[i * pitch + c + l])
                                            : of_e2m1(bytes[i * pitch + (c + l) / 2] >> (c + l) % 2 * 4);
        if (kind == Kind::bf16)
          for (int l = 0; l < together; ++l) verdict.compare(values[l], h[l], apart[l] + 1e-30);
        else if (kind == Kind::mxfp8)
          compare_mxfp8(verdict, values, byte, h, apart, together);
        else
          compare_nvfp4(verdict, values, of_e4m3(byte), whole, h, apart, together);
        const double factor = kind == Kind::bf16    ? 1
                              : kind == Kind::mxfp8 ? std::ldexp(1., byte - 127)
                                                    : of_e4m3(byte);
        for (int l = 0; l < together; ++l) values[l] *= factor;
      }
    return numbers;
  }
  Kind kind;
  int m, depth;
  std::size_t pitch, count;
  std::uint8_t *at, *of_factors;
};

inline Sum product(const double* a, const double* b, int depth, double factor) {
  Sum all;
  for (int l = 0; l < depth; ++l) all.add(a[l] * b[l]);
  return {all.sum * factor, std::fabs(factor) * all.size};
}
// What f32 sums and a rounding to bf16 make of it.
inline double off_of(const Sum& of) { return rounded<Bf16>(of.sum, 0, 2e-6 * of.size); }

inline std::vector<Bf16> few(std::size_t count, float divisor, Random& random) {
  std::vector<Bf16> all(count);
  for (auto& x : all) x = Bf16(random.small() / divisor);
  return all;
}

// Rows of x divided by their root mean square, times a weight, times 1 + `scale`, plus `shift`, of the row of
// a table that `rows` names, and zeros where it has none; each step rounded to bf16.
template <class Row>
void normalised(Matrix& exact, Matrix& off, const std::vector<Bf16>& x, const std::vector<Bf16>& weight,
                const std::vector<Bf16>& scale, const std::vector<Bf16>& shift, const std::vector<Row>& rows,
                double epsilon) {
  const int depth = exact.depth, table_rows = int(scale.size()) / depth;
  for (int i = 0; i < int(rows.size()); ++i) {
    double squares = 0;
    for (int c = 0; c < depth; ++c) squares += std::pow(double(x[std::size_t(i) * depth + c]), 2);
    const double root = 1 / std::sqrt(squares / depth + epsilon);
    for (int c = 0; rows[i] < table_rows && c < depth; ++c) {
      const double normal = double(weight[c]) * root * double(x[std::size_t(i) * depth + c]);
      const double by = double(Bf16(float(scale[rows[i] * depth + c]) + 1));
      const double result = normal * by + double(shift[rows[i] * depth + c]);
      const double apart = std::fabs(by) * rounded<Bf16>(normal, 2e-6);
      exact.row(i)[c] = result;
      off.row(i)[c] = apart + rounded<Bf16>(std::fabs(result) + apart, 1e-6);
    }
  }
}

}  // namespace checked
