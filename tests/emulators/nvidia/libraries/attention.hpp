// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attention with grouped heads, causal or of all keys, against fp64.
#pragma once
#include "softmax.hpp"

namespace checked {

struct Shape {
  int queries, keys, query_heads, key_heads;
};
// Those of the command line, four numbers each; `usual` where there are none.
inline std::vector<Shape> shapes(int count, char** arguments, std::vector<Shape> usual) {
  if (count < 5) return usual;
  std::vector<Shape> all;
  for (int i = 1; i + 3 < count; i += 4)
    all.push_back({std::atoi(arguments[i]), std::atoi(arguments[i + 1]), std::atoi(arguments[i + 2]),
                   std::atoi(arguments[i + 3])});
  return all;
}

// [position, head, number], contiguous: heads of `width` numbers, of which values and results have
// `of_values`.
template <class T, int Width = 128, int OfValues = Width, bool Causal = true>
struct Attention {
  using Number = T;
  static constexpr int width = Width, of_values = OfValues;
  static constexpr bool causal = Causal;
  explicit Attention(Shape s) : shape(s) {
    Random random;
    q = random_numbers<T>(std::size_t(s.queries) * s.query_heads * width, random);
    k = random_numbers<T>(std::size_t(s.keys) * s.key_heads * width, random);
    v = random_numbers<T>(std::size_t(s.keys) * s.key_heads * of_values, random);
    on_device_q = on_device(q), on_device_k = on_device(k), on_device_v = on_device(v);
    out = unwritten<T>(outs());
    logarithms = unwritten<float>(std::size_t(s.queries) * s.query_heads);
  }

  void compare(Verdict& verdict) const {
    const auto found = from_device(out, outs());
    for (int h = 0; h < shape.query_heads; ++h)
      for (int i = 0; i < shape.queries; ++i) {
        const int of = h / (shape.query_heads / shape.key_heads);
        const auto row = [&](const std::vector<T>& all, int j, int numbers) {
          return &all[(std::size_t(j) * shape.key_heads + of) * numbers];
        };
        const std::size_t at = std::size_t(i) * shape.query_heads + h;
        compare_attention(
            verdict, &found[at * of_values], &q[at * width],
            Causal ? shape.keys - shape.queries + i + 1 : shape.keys, width, of_values,
            1 / std::sqrt(double(width)), [&](int j) { return row(k, j, width); },
            [&](int j) { return row(v, j, of_values); });
      }
  }

  [[nodiscard]] std::size_t outs() const {
    return std::size_t(shape.queries) * shape.query_heads * of_values;
  }

  Shape shape;
  std::vector<T> q, k, v;
  T *on_device_q, *on_device_k, *on_device_v, *out;
  float* logarithms;
};

}  // namespace checked
