// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The form order against std::stable_sort: ties, negative numbers, NaN and infinities, long and ragged lines.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* orders = R"y(tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: normal }
  k: { role: input, dtype: i32, shape: [m, n], fill: { integers: { low: -4, high: 4 } } }
  up: { role: output, dtype: i32, shape: [m, n] }
  down: { role: output, dtype: i64, shape: [m, n] }
  few: { role: output, dtype: i32, shape: [m, 3] }
  odd: { role: output, dtype: i32, shape: [m, n] }
  ragged: { role: output, dtype: i32, shape: [m, n] }
reference:
  special: { index: { i: m, j: n }, value: "j % 5 == 1 ? log(-1.0) : j % 5 == 2 ? -infinity : j % 5 == 3 ? infinity : j % 2 == 0 ? -0.0 : 0.0" }
  up: { index: [i, r], order: { along: { j: n }, by: "x(i, j)" } }
  down: { index: [i, r], order: { along: { j: n }, by: "k(i, j)", descending: true } }
  few: { index: [i, q], order: { along: { j: n }, by: "x(i, j)", descending: true } }
  odd: { index: [i, r], order: { along: { j: n }, by: "special(i, j)", descending: true } }
  ragged: { index: [i, r], order: { along: { j: { low: "min(i, n)", high: n } }, by: "-k(i, j)" } }
sample: { i: 2, r: 6 }
)y";

// Order with NaN last; std::stable_sort keeps ties.
std::vector<std::int64_t> ranked(std::int64_t low, std::int64_t high, bool descending,
                                 const std::function<double(std::int64_t)>& key) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(high - low));
  std::iota(all.begin(), all.end(), low);
  std::stable_sort(all.begin(), all.end(), [&](std::int64_t a, std::int64_t b) {
    const double x = key(a), y = key(b);
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
    return descending ? x > y : x < y;
  });
  return all;
}

void expect_orders(Judged& judged) {
  const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
  for (std::int64_t i = 0; i < m; ++i) {
    const float* x = judged.data<float>("x") + i * n;
    const std::int32_t* k = judged.data<std::int32_t>("k") + i * n;
    const auto special = [](std::int64_t j) {
      return j % 5 == 1 ? NAN : j % 5 == 2 ? -INFINITY : j % 5 == 3 ? INFINITY : j % 2 == 0 ? -0.0f : 0.0f;
    };
    const auto put = [&](auto* out, std::int64_t ranks, const std::vector<std::int64_t>& from) {
      for (std::int64_t r = 0; r < ranks; ++r)
        out[i * ranks + r] = static_cast<std::remove_reference_t<decltype(*out)>>(
            r < static_cast<std::int64_t>(from.size()) ? from[static_cast<std::size_t>(r)] : -1);
    };
    put(judged.data<std::int32_t>("up"), n, ranked(0, n, false, [&](auto j) { return x[j]; }));
    put(judged.data<std::int64_t>("down"), n, ranked(0, n, true, [&](auto j) { return k[j]; }));
    put(judged.data<std::int32_t>("few"), 3, ranked(0, n, true, [&](auto j) { return x[j]; }));
    put(judged.data<std::int32_t>("odd"), n, ranked(0, n, true, special));
    put(judged.data<std::int32_t>("ragged"), n,
        ranked(std::min(i, n), n, false, [&](auto j) { return -k[j]; }));
  }
}

class OrderForm : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(OrderForm, AgreesWithAStableSort) {
  const auto [m, n] = GetParam();
  const std::string test = "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }";
  for (const bool full : {true, false})
    for (const int groups : {1, 7})
      agrees(
          problem_of(orders, test), full, groups, expect_orders,
          m * n < 2 ? std::function<void(Judged&)>() : [](Judged& judged) {
            auto* down = judged.data<std::int64_t>("down");
            std::swap(down[0], down[judged.elements("down") - 1]);
          });
}
INSTANTIATE_TEST_SUITE_P(Sizes, OrderForm,
                         testing::Values(std::pair{1, 1}, std::pair{0, 7}, std::pair{2, 0}, std::pair{3, 16},
                                         std::pair{1, 17}, std::pair{5, 33}, std::pair{40, 25},
                                         std::pair{3, 3000}));

TEST(OrderForm, LongLines) {
  const std::string yaml = problem_of(R"y(tensors:
  k: { role: input, dtype: i32, shape: [m, n], fill: { integers: { low: -99, high: 99 } } }
  y: { role: output, dtype: i32, shape: [m, n] }
reference:
  y: { index: [i, r], order: { along: { j: n }, by: "k(i, j)" } }
)y",
                                      "{ m: 2, n: 1048575 }");
  agrees(
      yaml, true, 5,
      [](Judged& judged) {
        const std::int64_t n = judged.instance.axes[1];
        for (std::int64_t i = 0; i < 2; ++i) {
          const std::int32_t* k = judged.data<std::int32_t>("k") + i * n;
          const auto sorted = ranked(0, n, false, [&](auto j) { return k[j]; });
          std::copy(sorted.begin(), sorted.end(), judged.data<std::int32_t>("y") + i * n);
        }
      },
      [](Judged& judged) {  // two ties swapped: not stable
        auto* y = judged.data<std::int32_t>("y");
        std::swap(y[500], y[501]);
      });
}

TEST(OrderForm, ALineLongerThanStatedIsTheProblemsFault) {
  const auto yaml = [](const std::string& most) {
    return problem_of(R"y(tensors:
  k: { role: input, dtype: i32, shape: [n], fill: sequence }
  y: { role: output, dtype: i32, shape: [m, n] }
reference:
  y: { index: [i, r], order: { along: { j: { low: 0, high: "k(i)", most: )y" +
                          most + " } }, by: \"-k(j)\" } }\n",
                      "{ m: 6, n: 8 }");
  };
  EXPECT_THAT(fault_of(yaml("4")),
              AllOf(HasSubstr("problem.yaml:8: found reference y to sort a line of 5 elements in workload "
                              "m=6,n=8, expected at most 4; state a larger `most` beside the range of j")));
  EXPECT_EQ(fault_of(yaml("n")), "no error");
}

}  // namespace
}  // namespace podium::judge
