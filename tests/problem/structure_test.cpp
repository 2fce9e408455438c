// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structure in the file and in formulas, with the sentences for its mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/problem/formula/dependent_range.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/problem/sample.hpp"
#include "tests/processor_time.hpp"

namespace podium::problem {
namespace {

using testing::HasSubstr;

const std::string file = R"y(podium: 1
title: t
axes: [n, most]
structure:
  length: { dtype: i32, shape: [n], compute: "for (b : n) out(b) = 1 + random.below(most);" }
  offsets: { dtype: i32, shape: [n + 1], private: true, compute: "for (b : n) out(b + 1) = out(b) + length(b);" }
  table: { dtype: i32, shape: [n * most], used: "offsets(n)", compute: "random.permutation(out);" }
tensors:
  x: { role: input, dtype: f32, shape: [n * most, 3], used: "offsets(n)", fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, growth: "max(length)" } }
reference:
  y: { index: [i], reduce: { over: { e: ["offsets(i)", "offsets(i + 1)"], k: 3 }, op: sum, term: "x(e, k)" } }
cost: { flops: "sum(length) + length(n - 1) - min(length) + (length(0) > 0 ? 1 : 0)" }
conditions: ["max(length) <= most"]
workloads: { test: [{ n: 7, most: 5 }] }
)y";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = file;
  EXPECT_NE(text.find(from), text.npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

Instance instance(const std::string& text, std::uint64_t seed) {
  const Problem problem = parse("p", text, "p.yaml");
  return instantiate(problem, problem.choices[0], problem.workloads[0], seed);
}

std::string error(const std::string& text) {
  try {
    instance(text, 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Structure, CostsAndPartsInUseFollowIt) {
  const Instance made = instance(file, 3);
  ASSERT_EQ(made.structure.size(), 3u);
  std::vector<double> length;
  for (int b = 0; b < 7; ++b) length.push_back(made.structure[0].number(b));
  double total = 0;
  for (const double one : length) {
    EXPECT_GE(one, 1);
    EXPECT_LE(one, 5);
    total += one;
  }
  EXPECT_EQ(made.structure[1].number(7), total);
  EXPECT_EQ(made.structure[2].used, total);
  EXPECT_EQ(made.tensors[0].extents, (std::vector<std::int64_t>{static_cast<std::int64_t>(total), 3}));
  EXPECT_EQ(made.tensors[0].bytes, total * 12);
  EXPECT_EQ(made.tensors[0].whole_extent, 35);
  EXPECT_EQ(made.tensors[0].whole_bytes, 35 * 12);
  EXPECT_EQ(made.flops, total + length[6] - *std::min_element(length.begin(), length.end()) + 1);
  EXPECT_EQ(made.bytes, total * 12 + 7 * 4 + 7 * 4 + total * 4);  // x, y, length, table
}

TEST(Structure, IsLeftOpenUntilItIsComputed) {
  const Problem problem = parse("p", file, "p.yaml");
  const Instance open = instantiate(problem, problem.choices[0], problem.workloads[0]);
  EXPECT_FALSE(open.structured());
  EXPECT_EQ(open.structure[2].extents, std::vector<std::int64_t>{35});
  EXPECT_EQ(open.tensors[0].bytes, 35 * 12);
  EXPECT_EQ(open.flops, 0);
  EXPECT_THROW(evaluate(problem, open, {"length(0)", {"p.yaml", 1}}), Error);
  const Instance made = instantiate(problem, problem.choices[0], problem.workloads[0], 3);
  EXPECT_EQ(evaluate(problem, made, {"length(n - 1)", {"p.yaml", 1}}), made.structure[0].number(6));
  EXPECT_EQ(evaluate(problem, made, {"offsets(length(0) * 0 + 1)", {"p.yaml", 1}}),
            made.structure[0].number(0));
  // sums and maxima are over the part in use: distinct page numbers among 35
  EXPECT_LE(evaluate(problem, made, {"max(table)", {"p.yaml", 1}}), 34);
  EXPECT_EQ(evaluate(problem, made, {"max(1, length(0), 100)", {"p.yaml", 1}}), 100);
}

TEST(Structure, MistakesInTheFile) {
  EXPECT_EQ(mistakes_of(file), "accepted");
  EXPECT_THAT(
      mistakes_of(changed("dtype: i32, shape: [n]", "dtype: bf16, shape: [n]")),
      HasSubstr("p.yaml:5: structure.length.dtype: not a dtype of structure: found \"bf16\", expected one of "
                "f64, f32, i64"));
  EXPECT_EQ(mistakes_of(changed("[n * most, 3]", "[\"offsets(n)\", 3]")),
            "p.yaml:9: tensors.x.shape[0]: found structure in a shape, expected axes, parameters and "
            "constants; give "
            "the most there can be, and say used for the part in use");
  EXPECT_THAT(mistakes_of(changed("shape: [n + 1]", "shape: [\"length(0)\"]")),
              HasSubstr("p.yaml:6: structure.offsets.shape[0]: found structure in a shape"));
  EXPECT_THAT(mistakes_of(changed("random.permutation(out);", "random.permutate(out);")),
              HasSubstr("p.yaml:7: structure.table.compute: found \"permutate\""));
  EXPECT_THAT(mistakes_of(changed("out(b) + length(b)", "out(b) + table(b)")),
              HasSubstr("p.yaml:6: structure.offsets.compute: unknown function: found \"table\""));
  EXPECT_THAT(mistakes_of(changed("  length: {", "  x: {")),
              HasSubstr("found \"x\", which line 5 uses for a structure"));
  EXPECT_THAT(mistakes_of(changed("compute: \"random", "comput: \"random")),
              HasSubstr("p.yaml:7: structure.table: unknown key: found \"comput\""));
  EXPECT_THAT(mistakes_of(changed("private: true", "private: 3")),
              HasSubstr("p.yaml:6: structure.offsets.private: "));
  EXPECT_THAT(
      mistakes_of(changed("used: \"offsets(n)\", fill", "used: \"offsets\", fill")),
      HasSubstr(
          "p.yaml:9: tensors.x.used: found \"offsets\", expected an element or a sum, as in offsets(0) or "
          "sum(offsets)"));
  EXPECT_THAT(mistakes_of(changed("used: \"offsets(n)\", fill", "used: \"offsets(n, 1)\", fill")),
              HasSubstr("found \"offsets(n, 1)\", expected 1 index of offsets"));
  EXPECT_THAT(mistakes_of(changed("used: \"offsets(n)\", fill", "used: \"offset(n)\", fill")),
              HasSubstr("unknown function: found \"offset\""));
  EXPECT_THAT(mistakes_of(changed("x(e, k)\"", "x(e, k) * length(e, k)\"")),
              HasSubstr("p.yaml:12: reference.y.reduce.term: found length with 2 indices, expected 1"));
  EXPECT_THAT(mistakes_of(changed("{ e: [\"offsets(i)\"", "{ e: [\"offsets(k)\"")),
              HasSubstr("p.yaml:12: reference.y.reduce.over.e[0]: in \"offsets(k)\" found \"k\", expected "
                        "one of i, most, n"));
  EXPECT_THAT(
      mistakes_of(changed("reference:\n", "reference:\n  z: { index: { r: n, q: r }, value: \"0\" }\n")),
      HasSubstr(
          "p.yaml:12: reference.z.index.q: found the index r in a range, expected axes, constants, "
          "parameters and structure; only the ranges of a loop (over, along) may use indices outside of it"));
  EXPECT_THAT(
      mistakes_of(changed("{ e: [\"offsets(i)\"", "{ e: [\"offsets(i) + sum(length)\"")),
      HasSubstr("p.yaml:12: reference.y.reduce.over.e[0]: in \"offsets(i) + sum(length)\" found length "
                "without indices, expected an element, as in length(0)"));
  EXPECT_THAT(mistakes_of(changed("\"offsets(i + 1)\"]", "\"offsets(i, 1)\"]")),
              HasSubstr("p.yaml:12: reference.y.reduce.over.e[1]: found offsets with 2 indices, expected 1"));
  EXPECT_THAT(
      mistakes_of(changed("\"offsets(i)\", \"offsets(i + 1)\"]", "0, \"segment(offsets, i)\"]")),
      HasSubstr("found the range [0, segment(offsets, i)], whose length is known only on the device"));
  EXPECT_THAT(mistakes_of(changed("axes: [n, most]", "axes: { n: , most: \"max(length)\" }")),
              HasSubstr("p.yaml:3: axes.most: "));
  EXPECT_THAT(
      mistakes_of(changed("  table: { dtype: i32, shape: [n * most]", "  table: { dtype: i32, shape: []")),
      HasSubstr("p.yaml:7: structure.table.used: found used of a single number"));
  EXPECT_THAT(mistakes_of("podium: 1\ntitle: t\nstructure: []\n"),
              HasSubstr("p.yaml:3: structure: found a list, expected a map"));
}

TEST(Structure, OrdersSayHowLongTheirLinesGet) {
  const auto ordered = [](const std::string& range) {
    return changed("reference:\n", "reference:\n  z: { index: { i: n, r: most }, order: { along: { e: " +
                                       range + " }, by: \"x(e, 0)\" } }\n");
  };
  EXPECT_EQ(mistakes_of(ordered("[\"offsets(i)\", \"offsets(i + 1)\"]")),
            "p.yaml:12: reference.z.order.along: found the range of e to follow structure, expected its most "
            "values "
            "beside it, as in { low: \"offsets(i)\", high: \"offsets(i + 1)\", most: 64 }; a line is sorted "
            "in memory "
            "of that size");
  EXPECT_EQ(mistakes_of(ordered("{ low: \"offsets(i)\", high: \"offsets(i + 1)\", most: \"max(length)\" }")),
            "accepted");
  EXPECT_EQ(mistakes_of(ordered("\"offsets(n)\"")), "accepted");
}

TEST(Structure, LengthsOfRangesThatFollowIt) {
  const auto most = [](const std::string& range, std::optional<std::uint64_t> seed) {
    const Problem problem = parse("p", changed(R"y(["offsets(i)", "offsets(i + 1)"])y", range), "p.yaml");
    const Instance made = seed ? instantiate(problem, problem.choices[0], problem.workloads[0], *seed)
                               : instantiate(problem, problem.choices[0], problem.workloads[0]);
    double longest = 0;
    for (int b = 0; seed && b < 7; ++b) longest = std::max(longest, made.structure[0].number(b));
    const auto found = most_values(problem.references[0], 0, scope_of(problem, made));
    return std::pair<double, double>(found, longest);
  };
  const std::vector<std::string> ranges{
      R"y(["offsets(i)", "offsets(i + 1)"])y", R"y("length(i)")y",
      R"y({ low: "offsets(i)", high: "offsets(i + 1)", most: "max(length)" })y"};
  for (std::uint64_t seed = 1; seed < 6; ++seed)
    for (const std::string& range : ranges) {
      const auto [found, longest] = most(range, seed);
      EXPECT_EQ(found, longest) << range;  // 7 rows: each is tried
    }
  EXPECT_EQ(most(ranges[1], std::nullopt).first, 4096);    // not computed: a guess
  EXPECT_EQ(most(R"y("length(i / 2)")y", 1).first, 4096);  // `/` is C++'s there
}

TEST(Structure, RangesThatFollowManyIndicesAreTriedInTime) {
  const auto most = [](const std::string& over, const std::string& sum) {
    const Problem problem = parse("p",
                                  R"y(podium: 1
title: t
axes: [n]
structure:
  o: { dtype: i32, shape: [n + 1], compute: "for (i : n) out(i + 1) = out(i) + 1;" }
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f32, shape: [n, n, n, n, n, n], tolerance: { ulp: 1 } }
reference:
  y: { index: [a, b, c, d, e, f], reduce: { over: { )y" +
                                      over + "u: [\"o(a) + b + c + d + e + f + " + sum +
                                      "\", \"o(a) + b + c + d + e + f + 2 + " + sum +
                                      R"y("] }, op: sum, term: "x(0)" } }
workloads: { test: [{ n: 20 }] }
)y",
                                  "p.yaml");
    const Reference& reference = problem.references[0];
    return most_values(reference, reference.over.size() - 1,
                       scope_of(problem, instantiate(problem, problem.choices[0], problem.workloads[0], 1)));
  };
  const auto began = processor_time();
  EXPECT_EQ(most("", "0"), 2);
  EXPECT_EQ(most("g: n, h: n, i: n, j: n, k: n, ", "g + h + i + j + k"), 4096);  // not all: a guess
  EXPECT_LT(processor_time() - began, std::chrono::seconds(2));
}

TEST(Structure, PartsInUseOfLayouts) {
  const auto made = [](const std::string& tensor, const std::string& sizes = "{ n: 3, most: 200 }") {
    return instance(R"y(podium: 1
title: t
axes: [n, most]
structure:
  count: { dtype: i32, shape: [], compute: "out() = n;" }
tensors:
  x: )y" + tensor + R"y(
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference: { y: { index: [i], value: "1.0" } }
workloads: { test: [)y" +
                        sizes + "] }\n",
                    1)
        .tensors[0];
  };
  // rows of 7 at a distance of 10
  const auto rows =
      made("{ role: input, dtype: f32, shape: [most, 7], strides: [10, 1], used: count(), fill: normal }");
  EXPECT_EQ(rows.extents, (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(rows.elements, 21);
  EXPECT_EQ(rows.content, 84);
  EXPECT_EQ(rows.storage, 27);
  EXPECT_EQ(rows.bytes, 108);
  EXPECT_EQ(rows.whole_extent, 200);
  EXPECT_EQ(rows.whole_bytes, (199 * 10 + 7) * 4);
  EXPECT_EQ(whole_view_of(rows).extents, (std::vector<std::int64_t>{200, 7}));
  EXPECT_EQ(whole_view_of(rows).strides, (std::vector<std::int64_t>{10, 1}));
  // columns: the part in use reaches to the end of what is allocated
  const auto columns =
      made("{ role: input, dtype: f32, shape: [most, 7], strides: [1, 200], used: count(), fill: normal }");
  EXPECT_EQ(columns.bytes, (2 + 6 * 200 + 1) * 4);
  EXPECT_EQ(columns.whole_bytes, 200 * 7 * 4);
  // whole tiles of 128 rows and 4 columns
  const auto scales =
      made("{ role: input, dtype: e8m0, shape: [most, 6], layout: scales_128x4, used: count(), fill: ones }");
  EXPECT_EQ(scales.content, 18);
  EXPECT_EQ(scales.bytes, 128 * 8);
  EXPECT_EQ(scales.whole_bytes, 256 * 8);
  EXPECT_EQ(whole_view_of(scales).extents, (std::vector<std::int64_t>{2, 2, 32, 4, 4}));
  EXPECT_EQ(whole_view_of(scales).strides, view_of(scales).strides);
  const std::string pairs = "{ role: input, dtype: e2m1, shape: [most], used: count(), fill: ones }";
  EXPECT_EQ(made(pairs, "{ n: 4, most: 200 }").bytes, 2);
  EXPECT_EQ(made(pairs, "{ n: 4, most: 200 }").whole_bytes, 100);
  try {
    made(pairs);
    ADD_FAILURE() << "three elements of e2m1 in use";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("p.yaml:7: tensors.x.used: in the test workload n=3,most=200 (line 10) "
                          "found the shape [3] of e2m1, expected a last extent that is even"));
  }
  // a permutation is of the part in use
  const auto shuffled = made("{ role: input, dtype: i32, shape: [most], used: count(), fill: permutation }");
  EXPECT_EQ(shuffled.fill_row, 3);
  // nothing allocated, nothing in use
  const auto none =
      made("{ role: input, dtype: f32, shape: [most, 7], used: count(), fill: normal }", "{ n: 0, most: 0 }");
  EXPECT_EQ(none.bytes, 0);
  EXPECT_EQ(none.whole_bytes, 0);
}

TEST(Structure, MistakesInItsNumbers) {
  EXPECT_EQ(error(file), "accepted");
  EXPECT_EQ(error(changed("1 + random.below(most)", "length")).substr(0, 31),
            "p.yaml:5: structure.length.comp");
  EXPECT_EQ(error(changed("out(b) = 1 + random.below(most)", "out(b + 1) = 1")),
            "p.yaml:5: structure.length.compute: in the test workload n=7,most=5 (line 15) found out(7), "
            "expected "
            "indices within its shape [7]");
  EXPECT_EQ(error(changed("used: \"offsets(n)\", fill", "used: \"offsets(n) + 35\", fill")).substr(0, 68),
            "p.yaml:9: tensors.x.used: in the test workload n=7,most=5 (line 15) ");
  EXPECT_THAT(
      error(changed("used: \"offsets(n)\", fill", "used: \"offsets(n + 1)\", fill")),
      HasSubstr(
          "in \"offsets(n + 1)\" found offsets(8), expected whole indices within its part in use, which "
          "has 8 along axis 0"));
  EXPECT_THAT(error(changed("max(length) <= most", "max(length) < 1")),
              HasSubstr("found that \"max(length) < 1\" does not hold"));
  EXPECT_THAT(
      error(changed("shape: [n * most], used", "shape: [200000000], used")),
      HasSubstr("structure.table.shape: in the test workload n=7,most=5 (line 15) found 200000000 elements, "
                "expected at most 134217728: structure is small data"));
}

}  // namespace
}  // namespace podium::problem
