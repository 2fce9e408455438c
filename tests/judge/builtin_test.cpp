// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// permutation of tuples, stable, finite, triangular, distinct: what they accept and what they never do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t seed = 21;

// One input x and the outputs and checks given; workload m, n.
std::string trial(const std::string& tensors, const std::string& checks, int m, int n) {
  const std::string sizes = "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }";
  return "podium: 1\ntitle: t\naxes: [m, n]\ntensors:\n" + tensors + "checks:\n" + checks +
         "workloads: { test: [" + sizes + "], quick: [{ m: 2, n: 2 }], bench: [{ m: 2, n: 2 }] }\n";
}

std::string pairs(int m, int n) {  // a stable sort of rows of few different keys
  return trial(
      "  k: { role: input, dtype: i32, shape: [m, n], fill: { integers: { low: -3, high: 3 } } }\n"
      "  v: { role: input, dtype: i64, shape: [m, n], fill: { sequence: { first: 0, step: 1 } } }\n"
      "  keys: { role: output, dtype: i32, shape: [m, n] }\n"
      "  order: { role: output, dtype: i64, shape: [m, n] }\n",
      "  ascends: { sorted: keys }\n"
      "  together: { permutation: [[keys, order], [k, v]] }\n"
      "  steady: { stable: [keys, order] }\n",
      m, n);
}

void sort_pairs(Judged& j) {
  const std::int64_t count = j.elements("k"), row = j.instance.tensors[0].extents.back();
  const auto* k = j.data<std::int32_t>("k");
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t at = 0; at < count; at += row)
    std::stable_sort(order.begin() + at, order.begin() + at + row,
                     [k](std::int64_t a, std::int64_t b) { return k[a] < k[b]; });
  for (std::int64_t at = 0; at < count; ++at) {
    j.data<std::int32_t>("keys")[at] = k[order[static_cast<std::size_t>(at)]];
    j.data<std::int64_t>("order")[at] = order[static_cast<std::size_t>(at)];
  }
}

TEST(Tuples, ArePermutedTogetherOrNotAtAll) {
  for (const int groups : {1, 7}) {
    Judged j(pairs(3, 500));
    j.device.most_groups = groups;
    j.evaluator.fill(seed);
    const auto verify = [&] { return j.evaluator.verify(seed, 0xa5); };  // 0xff is a key: -1
    sort_pairs(j);
    EXPECT_TRUE(verify().right) << verify().text;

    std::swap(j.data<std::int64_t>("order")[3], j.data<std::int64_t>("order")[499]);  // each multiset is kept
    EXPECT_THAT(verify().text, HasSubstr("(keys, order) does not hold the tuples of (k, v)"));
    sort_pairs(j);
    j.data<std::int64_t>("order")[1] = j.data<std::int64_t>("order")[0];
    EXPECT_THAT(verify().text, HasSubstr("does not hold the tuples"));
    EXPECT_TRUE(verify().written);
    j.poison(0xa5);
    EXPECT_FALSE(verify().right);
    EXPECT_FALSE(verify().written);
  }
}

TEST(Stable, EqualKeysKeepTheirOrder) {
  Judged j(pairs(2, 100));
  j.evaluator.fill(seed);
  sort_pairs(j);
  std::int32_t* keys = j.data<std::int32_t>("keys");
  std::int64_t* order = j.data<std::int64_t>("order");
  std::int64_t at = 101;
  while (keys[at] != keys[at + 1]) ++at;
  std::swap(order[at], order[at + 1]);  // still sorted, still the same pairs
  const Finding found = j.evaluator.verify(seed, 0xff);
  EXPECT_FALSE(found.right);
  EXPECT_THAT(found.text, testing::StartsWith("keys[1, " + std::to_string(at - 100) + "] is "));
  EXPECT_THAT(found.text, HasSubstr("expected ascending order among equals; 1 of 200 elements"));
}

TEST(Stable, RowsAndUnequalKeysAreNotComparedAndTiesOfPayloadFail) {
  Judged j(trial(
      "  x: { role: input, dtype: f32, shape: [m, n], fill: ones }\n"
      "  y: { role: output, dtype: f32, shape: [m, n] }\n"
      "  p: { role: output, dtype: u64, shape: [m, n] }\n",
      "  a: { sorted: y }\n  b: { stable: [y, p] }\n  c: { permutation: [y, x] }\n  d: { distinct: p }\n"
      "  e: { index: [i, j], value: \"p(i, j) * 0\", limit: 0 }\n",
      2, 2));
  j.evaluator.fill(seed);
  std::fill_n(j.data<float>("y"), 4, 1.0F);
  const auto right = [&](std::initializer_list<std::uint64_t> p) {
    std::copy(p.begin(), p.end(), j.data<std::uint64_t>("p"));
    return j.evaluator.verify(seed, 0xff).right;
  };
  EXPECT_TRUE(right({7, 9, 0, 1}));  // 9 before 0 stands across rows
  EXPECT_FALSE(right({9, 7, 0, 1}));
  EXPECT_FALSE(right({7, 7, 0, 1}));
  EXPECT_TRUE(right({0, 1ULL << 63, 1, 2}));  // as unsigned numbers
  EXPECT_FALSE(right({1ULL << 63, 0, 1, 2}));
}

std::string triangle(const std::string& type, const std::string& options, int m, int n) {
  return trial("  x: { role: input, dtype: " + type + ", shape: [2, m, n], fill: ones }\n" +
                   "  r: { role: output, dtype: " + type + ", shape: [2, m, n] }\n",
               "  zeros: { triangular: r, " + options + " }\n" +
                   "  same: { index: [i, j, k], value: \"r(i, j, k) * 0\", limit: 0 }\n",
               m, n);
}

template <class T>
void triangles(bool upper, bool unit, int m, int n) {
  Judged j(triangle(sizeof(T) == 4 ? "f32" : "i64",
                    std::string("part: ") + (upper ? "upper" : "lower") + (unit ? ", unit: true" : ""), m,
                    n));
  j.evaluator.fill(seed);
  T* r = j.data<T>("r");
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < n; ++k)
        r[(b * m + i) * n + k] = (upper ? k < i : k > i) ? T(0) : (unit && i == k) ? T(1) : T(5);
  EXPECT_TRUE(j.evaluator.verify(seed, 0xff).right) << j.evaluator.verify(seed, 0xff).text;
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < n; ++k) {
        T& element = r[(b * m + i) * n + k];
        const T kept = element;
        element = T(3);
        const bool fixed = (upper ? k < i : k > i) || (unit && i == k);
        EXPECT_EQ(j.evaluator.verify(seed, 0xff).right, !fixed) << b << i << k;
        element = kept;
      }
}

TEST(Triangular, EveryElementBeyondTheDiagonalIsZero) {
  for (const bool upper : {true, false})
    for (const bool unit : {true, false}) {
      triangles<float>(upper, unit, 3, 4);
      triangles<std::int64_t>(upper, unit, 3, 2);
      triangles<float>(upper, unit, 1, 1);
    }
}

TEST(Triangular, SaysWhatItFound) {
  Judged j(triangle("f32", "part: upper, unit: true", 3, 3));
  j.evaluator.fill(seed);
  float* r = j.data<float>("r");
  const float rows[] = {1, 2, 3, 0, 1, 2, -0.0F, 0, 1};
  for (int b = 0; b < 2; ++b) std::copy_n(rows, 9, r + 9 * b);
  EXPECT_TRUE(j.evaluator.verify(seed, 0xff).right);
  r[9 + 6] = 1e-30F;
  EXPECT_THAT(j.evaluator.verify(seed, 0xff).text,
              HasSubstr("r[1, 2, 0] is 1e-30, expected 0: r is unit upper triangular; 1 of 18"));
  r[9 + 6] = std::nanf("");
  EXPECT_FALSE(j.evaluator.verify(seed, 0xff).right);
  r[9 + 6] = 0;
  r[4] = 2;
  EXPECT_THAT(j.evaluator.verify(seed, 0xff).text, HasSubstr("r[0, 1, 1] is 2, expected 1"));
}

TEST(Finite, OneElementThatIsNot) {
  const std::string yaml = trial(
      "  x: { role: input, dtype: f16, shape: [m, n], fill: ones }\n"
      "  y: { role: output, dtype: f16, shape: [m, n] }\n",
      "  sane: { finite: y }\n  near: { index: [i, j], value: \"y(i, j) * 0 > 1\", limit: 0 }\n", 9, 99);
  for (const bool full : {true, false}) {
    Judged j(yaml, full);
    j.evaluator.fill(seed);
    auto* y = j.data<std::uint16_t>("y");
    std::fill_n(y, 891, std::uint16_t{0x7bff});  // the largest number
    EXPECT_TRUE(j.evaluator.verify(seed, 0xa5).right);
    for (const int bits : {0x7c00, 0xfc00, 0x7e00}) {
      y[890] = static_cast<std::uint16_t>(bits);
      const Finding found = j.evaluator.verify(seed, 0xa5);
      EXPECT_FALSE(found.right);
      EXPECT_THAT(found.text, HasSubstr("y[8, 98] is "));
      EXPECT_THAT(found.text, HasSubstr("expected finite numbers; 1 of 891 elements are not"));
    }
  }
}

template <class T>
void distinct(const std::string& type, int m, int n, int groups) {
  Judged j(
      trial("  x: { role: input, dtype: " + type +
                ", shape: [m, n], fill: zeros }\n  y: { role: output, dtype: " + type + ", shape: [m, n] }\n",
            "  each: { distinct: y }\n  same: { index: [i, j], value: \"y(i, j) * 0\", limit: 0 }\n", m, n));
  j.device.most_groups = groups;
  j.evaluator.fill(seed);
  T* y = j.data<T>("y");
  const auto reset = [&] {
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < n; ++k) y[i * n + k] = static_cast<T>((k * 7 + i) % n);
    if (n % 7 == 0)
      for (int k = 0; k < m * n; ++k) y[k] = static_cast<T>(k % n);
  };
  reset();
  EXPECT_TRUE(j.evaluator.verify(seed, 0xff).right) << j.evaluator.verify(seed, 0xff).text;
  if (n < 2) return;
  for (const auto& [from, to] : {std::pair{0, 1}, {0, n - 1}, {n / 2, n - 1}, {n - 2, n - 1}}) {
    if (from == to) continue;
    reset();
    T* row = y + (m - 1) * n;
    row[to] = row[from];
    const Finding found = j.evaluator.verify(seed, 0xff);
    EXPECT_FALSE(found.right);
    const std::string place = "y[" + std::to_string(m - 1) + ", ";
    EXPECT_THAT(found.text, HasSubstr(place + std::to_string(to) + "] is "));
    EXPECT_THAT(found.text, HasSubstr(" as is " + place + std::to_string(from) + "], expected distinct"));
    EXPECT_THAT(found.text, HasSubstr("; 1 of " + std::to_string(m * n) + " elements are not"));
  }
  std::fill_n(y, m * n, T(3));
  EXPECT_THAT(j.evaluator.verify(seed, 0xff).text,
              HasSubstr("; " + std::to_string(m * (n - 1)) + " of " + std::to_string(m * n)));
}

TEST(Distinct, EveryPairOfEqualsIsFoundWhateverTheOrderOfGroups) {
  for (const int groups : {1, 5}) {
    distinct<std::int32_t>("i32", 4, 1000, groups);
    distinct<std::uint64_t>("u64", 1, 333, groups);
    distinct<double>("f64", 7, 64, groups);
    distinct<std::uint8_t>("u8", 3, 250, groups);
    distinct<std::int64_t>("i64", 5, 1, groups);
    distinct<std::int64_t>("i64", 5, 2, groups);
  }
}

TEST(Distinct, LargeWholeNumbersAreToldApartZerosAreNotAndNanFails) {
  Judged whole(
      trial("  x: { role: input, dtype: u64, shape: [n], fill: zeros }\n"
            "  y: { role: output, dtype: u64, shape: [n] }\n",
            "  each: { distinct: y }\n  same: { index: [i], value: \"0 * (y(i) > 0)\", limit: 0 }\n", 1, 4));
  whole.evaluator.fill(seed);
  const std::uint64_t large = 1ULL << 63;
  const std::uint64_t near[] = {large, large + 1, large + 2, ~0ULL};  // equal as fp64 but the last
  std::copy_n(near, 4, whole.data<std::uint64_t>("y"));
  EXPECT_TRUE(whole.evaluator.verify(seed, 0xa5).right);

  Judged real(
      trial("  x: { role: input, dtype: f32, shape: [n], fill: zeros }\n"
            "  y: { role: output, dtype: f32, shape: [n] }\n",
            "  each: { distinct: y }\n  same: { index: [i], value: \"0 * (y(i) > 0)\", limit: 0 }\n", 1, 4));
  real.evaluator.fill(seed);
  float* y = real.data<float>("y");
  const auto text = [&](std::initializer_list<float> numbers) {
    std::copy(numbers.begin(), numbers.end(), y);
    const Finding found = real.evaluator.verify(seed, 0xa5);
    return found.right ? "right" : found.text;
  };
  EXPECT_EQ(text({0, 1e-45F, 1, -1}), text({1, 2, 3, 4}));
  EXPECT_THAT(text({0, 1, 2, -0.0F}), HasSubstr("y[3] is -0 as is y[0]"));
  EXPECT_THAT(text({0, 1, std::nanf(""), 2}), HasSubstr("y[2] is nan, expected distinct"));
}

TEST(Builtins, NothingToCheckIsRight) {
  Judged j(
      trial("  x: { role: input, dtype: f32, shape: [m, n], fill: ones }\n"
            "  y: { role: output, dtype: f32, shape: [m, n] }\n"
            "  p: { role: output, dtype: i32, shape: [m, n] }\n",
            "  a: { sorted: y }\n  b: { stable: [y, p] }\n  c: { permutation: [[y], [x]] }\n"
            "  d: { distinct: p }\n  e: { finite: y }\n  f: { triangular: y, part: lower }\n"
            "  g: { index: [i, j], value: \"p(i, j) * 0\", limit: 0 }\n",
            0, 5));
  j.evaluator.fill(seed);
  EXPECT_TRUE(j.evaluator.verify(seed, 0xff).right);
}

}  // namespace
}  // namespace podium::judge
