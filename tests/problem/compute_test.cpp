// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The language of `compute`, held against plain loops, and the sentences for its mistakes.
#include "suite/problem/compute/compute.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>

#include "suite/problem/compute/random.hpp"
#include "suite/problem/model/instance.hpp"
#include "tests/processor_time.hpp"

namespace podium::problem {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

struct Trial {
  std::vector<std::int64_t> extents{5};
  Dtype dtype = Dtype::i32;
  std::uint64_t seed = 1;
  std::uint32_t stream = 0;

  // n = 5, scale = 0.5, length = {3, 1, 4, 1, 5}, weight = {{0.25, 0.5}}
  std::vector<std::uint64_t> words(const std::string& text) const {
    ComputeNames names;
    names.numbers = {{"n", false}, {"scale", true}};
    names.structure = {{"length", {1, false}}, {"weight", {2, true}}};
    names.out = {extents.size(), info(dtype).floating};
    StructureInstance length, weight, out;
    length.name = "length", length.extents = {5}, length.elements = 5, length.used = 5;
    length.words = std::make_shared<std::vector<std::uint64_t>>(std::vector<std::uint64_t>{3, 1, 4, 1, 5});
    weight.name = "weight", weight.dtype = Dtype::f64, weight.extents = {1, 2}, weight.elements = 2;
    weight.words = std::make_shared<std::vector<std::uint64_t>>(
        std::vector{std::bit_cast<std::uint64_t>(0.25), std::bit_cast<std::uint64_t>(0.5)});
    out.dtype = dtype, out.extents = extents, out.name = "it";
    out.elements = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    ComputeInputs inputs;
    inputs.numbers = {{"n", 5}, {"scale", 0.5}};
    inputs.structure = {{"length", &length}, {"weight", &weight}};
    inputs.seed = seed, inputs.stream = stream;
    std::vector<std::uint64_t> result;
    Compute({text, {"p.yaml", 10}}, names).run(inputs, out, result);
    return result;
  }
  std::vector<std::int64_t> whole(const std::string& text) const {
    std::vector<std::int64_t> numbers;
    for (const std::uint64_t word : words(text)) numbers.push_back(static_cast<std::int64_t>(word));
    return numbers;
  }
  std::string error(const std::string& text) const {
    try {
      words(text);
    } catch (const ComputeError& error) {
      return error.at().file + ":" + std::to_string(error.at().line) + ": " + error.what();
    }
    return "accepted";
  }
};

TEST(Compute, LoopsAndEarlierStructure) {
  EXPECT_THAT(Trial{{6}}.whole("out(0) = 0; for (b : n) out(b + 1) = out(b) + ceil_div(length(b), 2);"),
              ElementsAre(0, 2, 3, 5, 6, 9));
  EXPECT_THAT(Trial{}.whole("for (b : [1, 3]) out(b) = b;"), ElementsAre(0, 1, 2, 0, 0));
  EXPECT_THAT(Trial{}.whole("for (b : [3, 1]) out(b) = b; for (b : 0) out(b) = 1;"),
              ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(Trial{{}}.whole("out() = sum(length) + max(length) * 100 + min(length) * 1000;"),
              ElementsAre(1514));
  EXPECT_THAT((Trial{{2, 3}}.whole("for (i : 2) for (j : 3) out(i, j) = 10 * i + j;")),
              ElementsAre(0, 1, 2, 10, 11, 12));
  EXPECT_THAT(Trial{{0}}.whole("for (b : 0) out(b) = 1;"), ElementsAre());
}

TEST(Compute, BranchesLocalsAndJumps) {
  EXPECT_THAT(
      Trial{}.whole("for (b : n) if (length(b) > 2) out(b) = 1; else if (length(b) == 1) { out(b) = -1; }"),
      ElementsAre(1, -1, 1, -1, 1));
  EXPECT_THAT(Trial{}.whole("auto i = 0; while (1) { if (i == 2) { i += 1; continue; } if (i >= n) break; "
                            "out(i) += i; i = i + 1; }"),
              ElementsAre(0, 1, 0, 3, 4));
  EXPECT_THAT(
      Trial{{1}}.whole("auto total = 0; for (i : n) { for (j : n) { if (j > i) break; total += 1; } } "
                       "out(0) = total;"),
      ElementsAre(15));
  EXPECT_THAT(Trial{{2}}.whole("for (i : 2) { auto x = i; x *= 3; x -= 1; out(i) = x; }"),
              ElementsAre(-1, 2));
}

TEST(Compute, ArithmeticIsThatOfCpp) {
  const auto one = [](const std::string& expression) {
    return Trial{{1}, Dtype::i64}.whole("out(0) = " + expression + ";")[0];
  };
  EXPECT_EQ(one("7 / 2"), 3);
  EXPECT_EQ(one("-7 / 2"), -3);
  EXPECT_EQ(one("-7 % 3"), -1);
  EXPECT_EQ(one("1 + 2 * 3 - 4"), 3);
  EXPECT_EQ(one("(1 + 2) * -(3 - 4)"), 3);
  EXPECT_EQ(one("10 - 4 - 3"), 3);
  EXPECT_EQ(one("2 < 3 && !(3 <= 2) || 0"), 1);
  EXPECT_EQ(one("1 == 1.0"), 1);
  EXPECT_EQ(one("3 != 3"), 0);
  EXPECT_EQ(one("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(one("floor(7 / 2.0)"), 3);
  EXPECT_EQ(one("ceil(scale * n)"), 3);
  EXPECT_EQ(one("4 * scale"), 2);
  EXPECT_EQ(one("min(3, 1, 2) + max(10, 30, 20)"), 31);
  EXPECT_EQ(one("abs(-4)"), 4);
  EXPECT_EQ(one("ceil_div(7, 2)"), 4);
  EXPECT_EQ(one("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(one("floor(sqrt(16) + log2(8) + pow(2, 3) + exp(0) + log(1))"), 16);
  EXPECT_EQ(one("floor(8 * (weight(0, 0) + weight(0, 1)))"), 6);
  EXPECT_EQ(one("9007199254740991 * 1024"), 9007199254740991 * 1024);
  EXPECT_EQ(one("1 > 0 && 1 / 1 >= 1"), 1);
  EXPECT_EQ(one("0 && 1 / 0"), 0);  // the right side is not computed
}

TEST(Compute, SegmentHoldsItsElements) {
  // length is no offsets; out is not named by segment: a table of its own.
  ComputeNames names;
  names.structure = {{"offsets", {1, false}}};
  names.out = {1, false};
  StructureInstance offsets, out;
  offsets.name = "offsets", offsets.extents = {6}, offsets.elements = 6;
  offsets.words = std::make_shared<std::vector<std::uint64_t>>(std::vector<std::uint64_t>{0, 2, 2, 3, 3, 7});
  out.extents = {7}, out.elements = 7;
  ComputeInputs inputs;
  inputs.structure = {{"offsets", &offsets}};
  std::vector<std::uint64_t> found;
  Compute({"for (e : 7) out(e) = segment(offsets, e);", {"p.yaml", 1}}, names).run(inputs, out, found);
  EXPECT_THAT(found, ElementsAre(0, 0, 2, 4, 4, 4, 4));
  EXPECT_THROW(Compute({"out(0) = segment(offsets, 7);", {"p.yaml", 1}}, names).run(inputs, out, found),
               ComputeError);
}

TEST(Compute, RoundsToTheDtype) {
  EXPECT_EQ(std::bit_cast<double>((Trial{{1}, Dtype::f32}.words("out(0) = 0.1;")[0])),
            static_cast<double>(0.1f));
  EXPECT_EQ(std::bit_cast<double>((Trial{{1}, Dtype::f64}.words("out(0) = 0.1 + 0.2;")[0])), 0.1 + 0.2);
  EXPECT_EQ(std::bit_cast<double>((Trial{{1}, Dtype::f32}.words("out(0) = 3;")[0])), 3.0);
  EXPECT_THAT((Trial{{2}, Dtype::u8}.whole("out(0) = 255; out(1) = 0;")), ElementsAre(255, 0));
  EXPECT_THAT((Trial{{2}, Dtype::i8}.whole("out(0) = -128; out(1) = 127;")), ElementsAre(-128, 127));
}

TEST(Compute, SameSeedSameNumbers) {
  const std::string text = "for (b : n) out(b) = random.below(1000000);";
  EXPECT_EQ((Trial{{5}, Dtype::i32, 7, 2}.words(text)), (Trial{{5}, Dtype::i32, 7, 2}.words(text)));
  EXPECT_NE((Trial{{5}, Dtype::i32, 7, 2}.words(text)), (Trial{{5}, Dtype::i32, 8, 2}.words(text)));
  EXPECT_NE((Trial{{5}, Dtype::i32, 7, 2}.words(text)), (Trial{{5}, Dtype::i32, 7, 3}.words(text)));
}

TEST(Compute, DrawsAreWhatTheyClaim) {
  constexpr int count = 40000;
  const auto drawn = [](const std::string& expression) {
    return Trial{{count}, Dtype::i64}.whole("for (b : 40000) out(b) = " + expression + ";");
  };
  const auto below = drawn("random.below(10)");
  EXPECT_THAT(below, Each(AllOf(Ge(0), Le(9))));
  for (int k = 0; k < 10; ++k)
    EXPECT_NEAR(std::count(below.begin(), below.end(), k), count / 10.0, 5 * std::sqrt(count / 10.0)) << k;
  const auto uniform = drawn("floor(1e9 * random.uniform())");
  EXPECT_NEAR(std::accumulate(uniform.begin(), uniform.end(), 0.0) / count, 0.5e9,
              5 * 1e9 / std::sqrt(12.0 * count));
  const auto normal = drawn("floor(1e6 * random.normal())");
  double square = 0;
  for (const auto x : normal) square += 1e-12 * static_cast<double>(x) * static_cast<double>(x);
  EXPECT_NEAR(square / count, 1, 5 * std::sqrt(2.0 / count));
}

// k^-s over its sum, for exponents below, at and above 1, and for 0, which is uniform.
TEST(Compute, ZipfFollowsItsPowerLaw) {
  constexpr int count = 40000, numbers = 20;
  for (const double exponent : {0.0, 0.5, 1.0, 1.7, 4.0}) {
    const auto drawn = Trial{{count}, Dtype::i64}.whole("for (b : 40000) out(b) = random.zipf(" +
                                                        std::to_string(exponent) + ", 20);");
    double total = 0;
    for (int k = 1; k <= numbers; ++k) total += std::pow(k, -exponent);
    for (int k = 1; k <= numbers; ++k) {
      const double expected = count * std::pow(k, -exponent) / total;
      EXPECT_NEAR(std::count(drawn.begin(), drawn.end(), k), expected, 5 * std::sqrt(expected) + 1)
          << exponent << " " << k;
    }
    EXPECT_THAT(drawn, Each(AllOf(Ge(1), Le(numbers))));
  }
  EXPECT_THAT((Trial{{3}}.whole("for (b : 3) out(b) = random.zipf(1, 1);")), ElementsAre(1, 1, 1));
}

TEST(Compute, PermutationHoldsEachOnce) {
  auto drawn = Trial{{1000}}.whole("random.permutation(out);");
  EXPECT_FALSE(std::is_sorted(drawn.begin(), drawn.end()));
  std::sort(drawn.begin(), drawn.end());
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(drawn[static_cast<std::size_t>(k)], k);
  EXPECT_THAT(Trial{{0}}.whole("random.permutation(out);"), ElementsAre());
  EXPECT_THAT(Trial{{1}}.whole("random.permutation(out);"), ElementsAre(0));
  // all six orders of three, equally often
  std::map<std::vector<std::int64_t>, int> orders;
  for (std::uint64_t seed = 0; seed < 3000; ++seed)
    ++orders[Trial{{3}, Dtype::u8, seed}.whole("random.permutation(out);")];
  ASSERT_EQ(orders.size(), 6u);
  for (const auto& [order, times] : orders) EXPECT_NEAR(times, 500, 5 * std::sqrt(500.0));
}

// One number of each of `count` equal parts: part j of [low, high) is [j w / count, (j + 1) w / count).
TEST(Compute, AscendingDrawsOneOfEachPart) {
  EXPECT_THAT(Trial{{7}}.whole("random.ascending(out, 2, 4, 10, 14);"), ElementsAre(0, 0, 10, 11, 12, 13, 0));
  EXPECT_THAT((Trial{{2, 3}}.whole("for (i : 2) random.ascending(out, 3 * i, 3, -5 * i, 3 - 5 * i);")),
              ElementsAre(0, 1, 2, -5, -4, -3));
  EXPECT_THAT(Trial{{2}}.whole("random.ascending(out, 2, 0, 5, 5);"), ElementsAre(0, 0));
  const std::int64_t width = 23, count = 5;
  std::vector<std::map<std::int64_t, int>> drawn(count);
  constexpr int trials = 3000;
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const auto numbers = Trial{{5}, Dtype::u8, seed}.whole("random.ascending(out, 0, 5, 100, 123);");
    for (std::size_t j = 0; j < 5; ++j) ++drawn[j][numbers[j]];
  }
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int64_t begin = j * width / count, end = (j + 1) * width / count;
    const auto& part = drawn[static_cast<std::size_t>(j)];
    EXPECT_EQ(part.begin()->first, 100 + begin);
    EXPECT_EQ(part.rbegin()->first, 100 + end - 1);
    for (const auto& [number, times] : part)
      EXPECT_NEAR(times, double(trials) / double(end - begin),
                  5 * std::sqrt(double(trials) / double(end - begin)))
          << number;
  }
  const auto wide = Trial{{1000}, Dtype::i64}.whole("random.ascending(out, 0, 1000, 0, 9007199254740991);");
  EXPECT_TRUE(std::is_sorted(wide.begin(), wide.end()));
  EXPECT_GT(wide[999], 9007199254740991 / 1000 * 999 - 1000);
  const auto real = Trial{{3}, Dtype::f32}.words("random.ascending(out, 0, 3, -1, 2);");
  EXPECT_THAT(real, ElementsAre(std::bit_cast<std::uint64_t>(-1.0), 0, std::bit_cast<std::uint64_t>(1.0)));
}

TEST(Compute, MistakesInTheText) {
  const auto error = [](const std::string& text) { return Trial{}.error(text); };
  EXPECT_EQ(error(""),
            "p.yaml:10: found nothing, expected statements, as in \"for (b : batch) out(b) = 1;\"");
  EXPECT_THAT(error("out(0) = lenght(0);"),
              AllOf(HasSubstr("p.yaml:10: unknown function: found \"lenght\", expected "),
                    HasSubstr("(nearest: \"length\")")));
  EXPECT_THAT(error("out(0) = scal;"),
              HasSubstr("unknown name: found \"scal\", expected one of out, n, scale, "
                        "length, weight (nearest: \"scale\")"));
  EXPECT_EQ(error("out(0) = 1"), "p.yaml:10: found the end, expected \";\" behind a statement");
  EXPECT_EQ(error("out(0, 1) = 1;"), "p.yaml:10: found out with 2 indices, expected 1");
  EXPECT_EQ(error("out(0) = weight(1);"), "p.yaml:10: found weight with 1 index, expected 2");
  EXPECT_EQ(error("n = 1;"), "p.yaml:10: found a value for n, expected one for out or a name made by auto");
  EXPECT_EQ(error("auto n = 1;"),
            "p.yaml:10: found \"n\", which is in use here already, expected a new name");
  EXPECT_EQ(error("for (out : n) ;"),
            "p.yaml:10: found \"out\", which is in use here already, expected a new name");
  EXPECT_THAT(error("auto class = 1;"), HasSubstr("a C++ keyword"));
  EXPECT_EQ(error("{ auto i = 1; } out(0) = i;").substr(0, 38), "p.yaml:10: unknown name: found \"i\", ex");
  EXPECT_EQ(error("break;"), "p.yaml:10: found \"break\" outside of a loop, expected it inside");
  EXPECT_EQ(error("{ out(0) = 1;"), "p.yaml:10: found the end, expected \"}\"");
  EXPECT_EQ(
      error("out(0) = random.blow(3);"),
      "p.yaml:10: unknown function of random: found \"blow\", expected one of below, normal, uniform, zipf "
      "(nearest: \"below\")");
  EXPECT_EQ(error("random.shuffle(out);"),
            "p.yaml:10: found \"shuffle\", expected \"random.permutation(out);\" or \"random.ascending(out, "
            "first, count, "
            "low, high);\"");
  EXPECT_EQ(error("random.ascending(out, 0, 1, 2);"),
            "p.yaml:10: found \")\", expected \",\" in random.ascending(out, first, count, low, high)");
  EXPECT_THAT(error("random.ascending(out, 0, 1, 2, 3, 4);"),
              HasSubstr("found \",\", expected \"random.perm"));
  EXPECT_EQ(error("out(0) = random.ascending(out, 0, 1, 2, 3);"),
            "p.yaml:10: found random.ascending in an expression, expected it as a statement");
  EXPECT_EQ(error("out(0) = ceil_div(1);"),
            "p.yaml:10: found ceil_div with 1 argument, expected 2 arguments");
  EXPECT_EQ(error("out(0) = sum(n);"), "p.yaml:10: found \"n\" in sum(…), expected structure computed above");
  EXPECT_EQ(error("\n\nout(0) = ];"), "p.yaml:12: found \"]\", expected a number, a name or \"(\"");
  EXPECT_THAT(error("out(0) = " + std::string(60, '(') + "1;"), HasSubstr("more than 48 deep"));
  EXPECT_THAT(error(std::string(60, '{')), HasSubstr("more than 48 deep"));
  EXPECT_THAT(error("out(0) = " + std::string(60, '!') + "1;"), HasSubstr("more than 48 deep"));
}

TEST(Compute, MistakesInTheNumbers) {
  const auto error = [](const std::string& text, Dtype dtype = Dtype::i32) {
    return Trial{{5}, dtype}.error(text);
  };
  EXPECT_EQ(error("for (b : n)\n  out(b + 1) = 1;"),
            "p.yaml:11: found out(5), expected indices within its shape [5]");
  EXPECT_EQ(error("out(0) = length(-1);"),
            "p.yaml:10: found length(-1), expected indices within its shape [5]");
  EXPECT_EQ(error("out(0) = 256;", Dtype::u8), "p.yaml:10: found 256, expected what u8 holds: 0 to 255");
  EXPECT_EQ(error("out(0) = -1;", Dtype::u32),
            "p.yaml:10: found -1, expected what u32 holds: 0 to 4294967295");
  EXPECT_THAT(error("out(0) = -1;", Dtype::u64), HasSubstr("found -1, expected what u64 holds: 0 to"));
  EXPECT_EQ(error("out(0) = 2;", Dtype::boolean), "p.yaml:10: found 2, expected what bool holds: 0 to 1");
  EXPECT_EQ(error("out(0) = 2147483648;"),
            "p.yaml:10: found 2147483648, expected what i32 holds: -2147483648 to 2147483647");
  EXPECT_EQ(error("out(0) = 2.5;"),
            "p.yaml:10: found 2.5, expected a whole number; floor() or ceil() make one");
  EXPECT_THAT(error("out(0) = sqrt(-1);"),
              HasSubstr("nan, expected a whole number; floor() or ceil() make one"));
  EXPECT_EQ(error("out(0) = 1e39;", Dtype::f32),
            "p.yaml:10: found 1e+39, expected a finite number that f32 holds");
  EXPECT_THAT(error("out(0) = 0 * (1 / 0.0);", Dtype::f64),
              HasSubstr("expected a finite number that f64 holds"));
  EXPECT_EQ(error("out(0) = 1 / (n - 5);"), "p.yaml:10: found 1 divided by 0, expected another divisor");
  EXPECT_EQ(error("out(0) = 9007199254740991 * 9007199254740991;"),
            "p.yaml:10: found a whole number beyond 64 bits, expected one within");
  EXPECT_EQ(error("out(0) = random.below(0);"), "p.yaml:10: found random.below(0), expected at least 1");
  EXPECT_EQ(error("out(0) = random.zipf(-1, 5);"),
            "p.yaml:10: found random.zipf(-1, 5), expected an exponent of 0 to 100 and at least 1 number");
  EXPECT_EQ((Trial{{300}, Dtype::u8}.error("random.permutation(out);")),
            "p.yaml:10: found 300 elements, expected at most as many as u8 has numbers");
  EXPECT_EQ(error("random.ascending(out, 2, 4, 0, 9);"),
            "p.yaml:10: found 4 elements from 2 on, expected some of its 5");
  EXPECT_THAT(error("random.ascending(out, -1, 4, 0, 9);"), HasSubstr("found 4 elements from -1 on"));
  EXPECT_THAT(error("random.ascending(out, 9223372036854775807, 4, 0, 9);"), HasSubstr("expected "));
  EXPECT_THAT(error("random.ascending(out, 0, -1, 0, 9);"), HasSubstr("found -1 elements from 0 on"));
  EXPECT_EQ(
      error("random.ascending(out, 0, 4, 0, 3);"),
      "p.yaml:10: found 4 numbers of [0, 3) to be drawn, expected at least as many there, all of which i32 "
      "holds");
  EXPECT_THAT(error("random.ascending(out, 0, 4, 9, 3);"),
              HasSubstr("found 4 numbers of [9, 3) to be drawn"));
  EXPECT_EQ(error("random.ascending(out, 0, 4, 250, 256);", Dtype::u8), "accepted");
  EXPECT_EQ(error("random.ascending(out, 0, 4, -128, 128);", Dtype::i8), "accepted");
  EXPECT_THAT(error("random.ascending(out, 0, 4, -129, 0);", Dtype::i8), HasSubstr("all of which i8 holds"));
  EXPECT_THAT(error("random.ascending(out, 0, 4, 250, 257);", Dtype::u8), HasSubstr("all of which u8 holds"));
  EXPECT_THAT(error("random.ascending(out, 0, 4, -1, 9);", Dtype::u8), HasSubstr("all of which u8 holds"));
  EXPECT_THAT(error("random.ascending(out, 0, 4, 0, 16777218);", Dtype::f32),
              HasSubstr("all of which f32 holds"));
}

// An endless loop is over within seconds.
TEST(Compute, EveryLoopEnds) {
  const auto start = processor_time();
  EXPECT_EQ(Trial{}.error("while (1) ;"),
            "p.yaml:10: found more than 100000000 steps, expected fewer; does every loop end?");
  EXPECT_EQ(Trial{}.error("for (i : 9007199254740991) ;"),
            "p.yaml:10: found more than 100000000 steps, expected fewer; does every loop end?");
  EXPECT_EQ(Trial{}.error("for (i : 100000000) out(0) = sum(length);"),
            "p.yaml:10: found more than 100000000 steps, expected fewer; does every loop end?");
  EXPECT_LT(processor_time() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace podium::problem
