// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs of experts' products of nvfp4 share, whose kernels come of one generator: weights' rows in
// the order in which threads have them, and tiles of eight rows of an expert.
#pragma once
#include "launcher.hpp"
#include "quantized.hpp"
#include "sum.hpp"

namespace checked {

// Of first weights: of 32 rows eight of u and eight of g for even features, and as many for odd ones.
inline int first_row(int feature, bool gate) {
  return feature / 16 * 32 + feature % 2 * 16 + feature % 16 / 2 + (gate ? 8 : 0);
}
// Of second weights: of 32 rows each thread has four, eight apart.
inline int second_row(int feature) { return feature / 32 * 32 + feature % 4 * 8 + feature % 32 / 4; }

// Tiles of eight rows, of which some have fewer, and whose expert's they are.
struct Tiles {
  static constexpr int rows = 8;
  std::vector<int> experts, counts;
  int count() const { return int(experts.size()); }
  std::vector<int> ends() const {
    std::vector<int> all;
    for (int t = 0; t < count(); ++t) all.push_back(t * rows + counts[t]);
    return all;
  }
};

inline std::vector<float> factors_up_to(int count, double most, Random& random) {
  std::vector<float> all(count);
  for (auto& factor : all) factor = float((1 + random.below(1000)) * most / 1000);
  return all;
}

// Rows of e2m1 whose factors lie otherwise than products take them.
struct Rows {
  static constexpr int together = 16;
  Rows(int rows, int width, Random& random)
      : width(width), numbers(rows, width, random), factors(std::size_t(rows) * width / together) {
    for (auto& factor : factors) factor = __nv_fp8_e4m3(float(1 + random.below(15)) / 4).__x;
  }
  // One row behind the other.
  double in_rows(int row, int column) const {
    return numbers.number(row, column) * of_e4m3(factors[(std::size_t(row) * width + column) / together]);
  }
  double in_tiles(int row, int column) const {
    return numbers.number(row, column) * of_e4m3(factors[place(row, column / together, width / together)]);
  }
  // Eight rows' factors side by side, four blocks of each.
  static std::size_t place(int row, int block, int blocks) {
    return (std::size_t(row / Tiles::rows) * (blocks / 4) + block / 4) * 32 + row % Tiles::rows * 4 +
           block % 4;
  }
  int width;
  Nvfp4 numbers;
  std::vector<std::uint8_t> factors;
};

// A row that a kernel has quantized in blocks of 16, `whole` times what `row` says.
inline void compare_row(Verdict& verdict, const std::vector<std::uint8_t>& bytes,
                        const std::vector<std::uint8_t>& factors, int at, const std::vector<Near>& row,
                        double whole) {
  const int width = int(row.size()), together = Rows::together;
  for (int begin = 0; begin < width; begin += together) {
    std::vector<double> numbers, h, off;
    for (int f = begin; f < begin + together; ++f) {
      numbers.push_back(of_e2m1(bytes[(std::size_t(at) * width + f) / 2] >> f % 2 * 4));
      h.push_back(row[f].number), off.push_back(row[f].off);
    }
    const auto factor = factors[Rows::place(at, begin / together, width / together)];
    compare_nvfp4(verdict, numbers.data(), of_e4m3(factor), whole, h.data(), off.data(), together);
  }
}

// Of each tile's rows the products with its expert's second weights, `features` each, times the expert's
// factor; rounded to T.
template <class T>
void compare_second(Verdict& verdict, const std::vector<T>& found, const Tiles& tiles, const Nvfp4& weights,
                    const Rows& rows, const std::vector<float>& factors, int features) {
  for (int t = 0; t < tiles.count(); ++t)
    for (int r = t * tiles.rows; r < t * tiles.rows + tiles.counts[t]; ++r)
      for (int f = 0; f < features; ++f) {
        const int e = tiles.experts[t];
        Sum all;
        for (int l = 0; l < weights.width; ++l)
          all.add(factors[e] * weights.at(e * features + second_row(f), l) * rows.in_tiles(r, l));
        verdict.compare(float(found[r * features + f]), all.sum, rounded<T>(all.sum, 1e-7, 2e-6 * all.size));
      }
}

}  // namespace checked
