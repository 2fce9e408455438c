// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The form reduce against plain loops, also where a GPU sums tiles of elements; and how it is laid out.
#include <algorithm>

#include "suite/judge/private_layout.hpp"
#include "suite/judge/tiling.hpp"
#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

// A batch of products, of one dtype each, and a row's largest element.
constexpr const char* products = R"y(constants: { batch: 2, terms: 37 }
tensors:
  a: { role: input, dtype: f32, shape: [batch, m, terms], fill: normal }
  b: { role: input, dtype: i8, shape: [terms, n], fill: { integers: { low: -9, high: 9 } } }
  c: { role: output, dtype: f64, shape: [batch, m, n], tolerance: { ulp: 8, growth: 1.0e-9, scale: magnitude } }
  d: { role: output, dtype: i64, shape: [n, n] }
  peak: { role: output, dtype: f32, shape: [batch, m], tolerance: { ulp: 0 } }
reference:
  c: { index: [s, i, j], reduce: { over: { k: terms }, op: sum, term: "a(s, i, k) * b(k, j)" } }
  d: { index: [p, q], reduce: { over: { k: terms, r: 2 }, op: sum, term: "b(k, p) * b(k, q) + r" } }
  peak: { index: [s, i], reduce: { over: { k: terms }, op: max, term: "a(s, i, k)" } }
sample: { i: 5, j: 6, p: 3 }
)y";

void expect_products(Judged& judged) {
  constexpr std::int64_t batch = 2, terms = 37;
  const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
  const auto* a = judged.data<float>("a");
  const auto* b = judged.data<std::int8_t>("b");
  for (std::int64_t row = 0; row < batch * m; ++row) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < terms; ++k) sum += static_cast<double>(a[row * terms + k]) * b[k * n + j];
      judged.data<double>("c")[row * n + j] = sum;
    }
    judged.data<float>("peak")[row] = *std::max_element(a + row * terms, a + (row + 1) * terms);
  }
  for (std::int64_t p = 0; p < n; ++p)
    for (std::int64_t q = 0; q < n; ++q) {
      std::int64_t sum = terms;
      for (std::int64_t k = 0; k < terms; ++k) sum += 2 * b[k * n + p] * b[k * n + q];
      judged.data<std::int64_t>("d")[p * n + q] = sum;
    }
}

class ReduceForm : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(ReduceForm, AgreesWithALoop) {
  const auto [m, n] = GetParam();
  const std::string test = "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }";
  for (const bool full : {true, false})
    for (const int groups : {1, 7})
      agrees(
          problem_of(products, test), full, groups, expect_products,
          m * n == 0 ? std::function<void(Judged&)>()
                     : [](Judged& judged) { judged.data<double>("c")[judged.elements("c") - 1] *= 1.001; });
}
INSTANTIATE_TEST_SUITE_P(Sizes, ReduceForm,
                         testing::Values(std::pair{1, 1}, std::pair{0, 5}, std::pair{5, 0}, std::pair{4, 4},
                                         std::pair{3, 64}, std::pair{5, 9}, std::pair{33, 31}));

// Long sums of few tiles are split: every team of a group has a part of some tile.
TEST(ReduceForm, PartsOfTilesAddUp) {
  const std::string yaml = problem_of(R"y(constants: { terms: 1000 }
tensors:
  a: { role: input, dtype: f32, shape: [m, terms], fill: normal }
  c: { role: output, dtype: f64, shape: [m, n], tolerance: { ulp: 8, growth: 1.0e-9, scale: magnitude } }
reference:
  c: { index: [i, j], reduce: { over: { k: terms }, op: sum, term: "a(i, k) * a(j, k)" } }
)y",
                                      "{ m: 6, n: 5 }");
  constexpr std::int64_t groups = 16;
  const Tiling tiling = tile({true, 30, 6, 5, true, {1000}}, groups);
  ASSERT_TRUE(tiling.tiled);
  ASSERT_EQ(tiling.inners, 7);
  const auto expected = [](Judged& judged) {
    const auto* a = judged.data<float>("a");
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 5; ++j) {
        long double sum = 0;
        for (int k = 0; k < 1000; ++k) sum += static_cast<long double>(a[i * 1000 + k]) * a[j * 1000 + k];
        judged.data<double>("c")[i * 5 + j] = static_cast<double>(sum);
      }
  };
  agrees(yaml, true, groups, expected, [](Judged& judged) { judged.data<double>("c")[29] *= 1.001; });
}

// On a GPU terms only note a fault, and the thread that saw it looks for the place.
TEST(ReduceForm, AFaultHasItsPlaceInTilesToo) {
  const std::string yaml = problem_of(R"y(tensors:
  a: { role: input, dtype: f32, shape: [m, n], fill: ones }
  c: { role: output, dtype: f32, shape: [m, m], tolerance: { ulp: 1 } }
reference:
  c: { index: [i, j], reduce: { over: { k: n }, op: sum, term: "a(i, k) * a(j, k) + a(j, k + (i == 6 && j == 5))" } }
)y",
                                      "{ m: 9, n: 12 }");
  ASSERT_TRUE(problem::tiled(problem::parse("trial", yaml, "problem.yaml").references[0]));
  for (const bool emulated : {false, true}) {
    Judged j(yaml, true, 0, 0, emulated);
    j.evaluator.fill(forms_seed);
    try {
      j.evaluator.verify(forms_seed, forms_poison);
      ADD_FAILURE() << "found no fault" << (emulated ? ", emulated" : "");
    } catch (const Error& error) {
      EXPECT_THAT(std::string(error.what()), testing::HasSubstr("a[5, 12] in workload"));
      EXPECT_THAT(std::string(error.what()), testing::HasSubstr("its shape [9, 12]"));
    }
  }
}

Reduction work_of(std::int64_t rows, std::int64_t columns, std::int64_t length, bool tiled) {
  return {true, rows * columns, rows, columns, tiled, {length}};
}

TEST(Tiling, FillsTheDeviceWhateverTheShape) {
  constexpr std::int64_t groups = 1024;
  for (const std::int64_t rows : {1, 3, 4, 66, 8192})
    for (const std::int64_t columns : {1, 5, 66, 4096})
      for (const std::int64_t length : {1, 31, 8192, 10'000'000})
        for (const bool tiled : {false, true}) {
          const Reduction work = work_of(rows, columns, length, tiled);
          const Tiling tiling = tile(work, groups);
          SCOPED_TRACE(testing::Message() << rows << " x " << columns << " of " << length);
          EXPECT_EQ(tiling.tiled, tiled && rows >= 4 && columns >= 4);
          EXPECT_EQ(group_threads % tiling.lanes, 0);
          EXPECT_EQ(tiling.outers, 1);
          if (tiling.inners > 1) {
            EXPECT_LE(work.elements * tiling.inners, most_parts);
          }
          const std::int64_t units = tiling.tiled ? (rows + 3) / 4 * ((columns + 3) / 4) : work.elements;
          const std::int64_t busy = units * tiling.lanes * tiling.inners;
          const bool room = work.elements * tiling.inners * 2 <= most_parts;
          if (room) {
            EXPECT_GE(busy, std::min(groups * group_threads, units * length / 16) / 8) << "threads with work";
          }
        }
}

TEST(Tiling, ShortRowsShareGroups) {
  EXPECT_EQ(tile(work_of(1, 1 << 24, 32, false), 1024).lanes, 4);
  EXPECT_EQ(tile(work_of(1, 1 << 24, 2, false), 1024).lanes, 2);
  EXPECT_EQ(tile(work_of(1, 8192, 65536, false), 1024).lanes, 32);
  EXPECT_EQ(tile(work_of(1, 1, 65536, false), 1024).lanes, 256);
}

TEST(Tiling, EmulatedThreadsHandNothingOnWhereThereIsWorkForEach) {
  const auto emulated = [](Reduction work) {
    work.emulated = true;
    return tile(work, 16);
  };
  for (const bool tiled : {false, true}) {
    EXPECT_GT(tile(work_of(32, 32, 512, tiled), 16).lanes, 1);
    EXPECT_EQ(emulated(work_of(32, 32, 512, tiled)).lanes, 1);
  }
  EXPECT_EQ(emulated(work_of(4, 4, 512, false)).lanes, 4);
  EXPECT_EQ(emulated(work_of(1, 1, 65536, false)).lanes, 64);
  EXPECT_EQ(emulated(work_of(1, 1, 1, false)).lanes, 1);
}

}  // namespace
}  // namespace podium::judge
