// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problems of narrow types as a user writes them: e4m3 into bf16, and packed e2m1 with block scales.
#include <gtest/gtest.h>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

constexpr char product[] = R"YAML(podium: 1
title: Product of e4m3 matrices
axes: [m, n, k]
types: [{ in: e4m3, out: bf16 }, { in: e5m2_fnuz, out: e5m2 }]
tensors:
  a: { role: input, dtype: in, shape: [m, k], strides: [k + 16, 1], fill: { normal: { mean: 0, stddev: 1 } } }
  b: { role: input, dtype: in, shape: [n, k], fill: { uniform: { low: -2, high: 2 } } }
  c: { role: output, dtype: out, shape: [m, n], strides: [1, m + 3],
       tolerance: { ulp: 0.51, growth: "sqrt(k)", scale: magnitude } }
reference:
  c: { index: [i, j], reduce: { over: { l: k }, op: sum, term: "a(i, l) * b(j, l)" } }
sample: { i: 8, j: 8 }
workloads:
  test: [ { m: 1, n: 1, k: 1 }, { m: 33, n: 17, k: 70 }, { m: 4, n: 0, k: 3 } ]
  quick: [ { m: 64, n: 64, k: 64 } ]
)YAML";

std::string product_contestant(const std::string& term) {
  return R"CODE(// podium: { title: "Three loops" }
#include <podium/product.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& p, podium::Stream) {
    for (std::int64_t i = 0; i < p.m; ++i)
      for (std::int64_t j = 0; j < p.n; ++j) {
        float sum = 0;
        for (std::int64_t l = 0; l < p.k; ++l) sum += )CODE" +
         term + R"CODE(;
        p.c(i, j) = podium::cast<problem::out>(sum);
      }
  }
};
}  // namespace
)CODE";
}

Ended verify(const Scratch& scratch, const std::string& problem) {
  return podium({"verify", problem, "--device", "host", "--quiet", "--problems",
                 (scratch.path() / "problems").string()});
}
// The line of a contestant's verdict on a board.
bool says(const Ended& ended, const std::string& contestant, const std::string& verdict) {
  std::size_t at = 0;
  while ((at = ended.out.find(contestant, at)) != std::string::npos) {
    const std::string line = ended.out.substr(at, ended.out.find('\n', at) - at);
    if (line.find(verdict) != std::string::npos) return true;
    ++at;
  }
  return false;
}

TEST(NarrowTypes, E4m3IntoBf16ThroughStrides) {
  const Scratch scratch;
  scratch.write("problems/product/problem.yaml", product);
  scratch.write("problems/product/good.cpp",
                product_contestant("podium::cast<float>(p.a(i, l)) * podium::cast<float>(p.b(j, l))"));
  // As if the rows of `a` lay without the gap between them.
  scratch.write(
      "problems/product/dense.cpp",
      product_contestant("podium::cast<float>(p.a.data[i * p.k + l]) * podium::cast<float>(p.b(j, l))"));
  const auto ended = verify(scratch, "product");
  EXPECT_EQ(ended.status, 1) << ended.out << ended.err;
  EXPECT_TRUE(says(ended, "good", "right on 3 workloads")) << ended.out;
  EXPECT_TRUE(says(ended, "dense", "wrong")) << ended.out;
  EXPECT_TRUE(says(ended, "dense", "c[")) << ended.out;
}

constexpr char vector_product[] = R"YAML(podium: 1
title: Matrix of e2m1 in blocks of 16, each with a scale, times a vector
axes: { rows: , cols: , blocks: cols / 16 }
tensors:
  w: { role: input, dtype: e2m1, shape: [rows, cols], fill: { normal: { mean: 0, stddev: 2 } } }
  s: { role: input, dtype: e4m3, shape: [rows, blocks], layout: scales_128x4, fill: { uniform: { low: 0.25, high: 8 } } }
  x: { role: input, dtype: f32, shape: [cols], fill: normal }
  y: { role: output, dtype: f32, shape: [rows], tolerance: { ulp: 1, growth: "2 * sqrt(cols)", scale: magnitude } }
  q: { role: output, dtype: e2m1, shape: [rows, cols], tolerance: { ulp: 0 } }
reference:
  y: { index: [i], reduce: { over: { j: cols }, op: sum, term: "w(i, j) * s(i, j / 16) * x(j)" } }
  q: { index: [i, j], value: "-w(i, j)" }
workloads:
  test: [ { rows: 1, cols: 16 }, { rows: 200, cols: 96 }, { rows: 129, cols: 80 } ]
  quick: [ { rows: 256, cols: 256 } ]
)YAML";

std::string vector_contestant(const std::string& pair, const std::string& scale) {
  return R"CODE(// podium: { title: "A row at a time" }
#include <podium/nvfp4.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& p, podium::Stream) {
    for (std::int64_t i = 0; i < p.rows; ++i) {
      float sum = 0;
      for (std::int64_t j = 0; j < p.w.extent(1); ++j) {
        const podium::e2m1x2 pair = p.w(i, j);
        const float low = podium::cast<float>(pair.low()), high = podium::cast<float>(pair.high());
        sum += podium::cast<float>()CODE" +
         scale + R"CODE() * (low * p.x(2 * j) + high * p.x(2 * j + 1));
        p.q(i, j) = )CODE" +
         pair + R"CODE(;
      }
      p.y(i) = sum;
    }
  }
};
}  // namespace
)CODE";
}

TEST(NarrowTypes, PackedE2m1WithScalesInTiles) {
  const Scratch scratch;
  const std::string right_pair =
      "podium::e2m1x2::of(podium::cast<podium::e2m1>(-low), podium::cast<podium::e2m1>(-high))";
  const std::string swapped_pair =
      "podium::e2m1x2::of(podium::cast<podium::e2m1>(-high), podium::cast<podium::e2m1>(-low))";
  const std::string right_scale = "podium::scale_at(p.s, i, j / 8)";
  scratch.write("problems/nvfp4/problem.yaml", vector_product);
  scratch.write("problems/nvfp4/good.cpp", vector_contestant(right_pair, right_scale));
  scratch.write("problems/nvfp4/swapped.cpp", vector_contestant(swapped_pair, right_scale));
  // As if scales were row-major.
  scratch.write("problems/nvfp4/untiled.cpp",
                vector_contestant(right_pair, "p.s.data[i * p.blocks + j / 8]"));
  const auto ended = verify(scratch, "nvfp4");
  EXPECT_EQ(ended.status, 1) << ended.out << ended.err;
  EXPECT_TRUE(says(ended, "good", "right on 3 workloads")) << ended.out;
  EXPECT_TRUE(says(ended, "swapped", "q[0, ")) << ended.out;
  EXPECT_TRUE(says(ended, "untiled", "y[")) << ended.out;
}

}  // namespace
}  // namespace podium::test
