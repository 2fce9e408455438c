// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structure in terms and ranges of references, parts in use, and the faults of both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A ragged batch; ROWS: the reference of y, one number a sequence.
std::string ragged(const std::string& reference, const std::string& sizes = "{ batch: 40, longest: 9 }") {
  return R"y(podium: 1
title: t
axes: [batch, longest]
structure:
  length: { dtype: u8, shape: [batch], private: true, compute: "for (b : batch) out(b) = random.below(longest + 1);" }
  offsets: { dtype: i32, shape: [batch + 1], compute: "for (b : batch) out(b + 1) = out(b) + length(b);" }
  scale: { dtype: f32, shape: [batch, 2], compute: "for (b : batch) { out(b, 0) = random.uniform(); out(b, 1) = 0.1 * b; }" }
tensors:
  x: { role: input, dtype: f32, shape: [batch * longest], used: "offsets(batch)", fill: normal }
  y: { role: output, dtype: f64, shape: [batch], tolerance: { ulp: 4, growth: "1 + max(0, max(length))", accumulate: f64, scale: magnitude } }
  z: { role: output, dtype: f64, shape: [batch * longest, 2], used: "offsets(batch)", tolerance: { ulp: 4, growth: 0 } }
reference:
  y: )y" +
         reference +
         R"y(
  z: { index: [e, d], value: "scale(segment(offsets, e), d) * x(e)" }
sample: { b: 5, e: 7 }
workloads: { test: [)y" +
         sizes + R"y(] }
)y";
}

const std::string row_sums =
    R"w({ index: [b], reduce: { over: { s: ["offsets(b)", "offsets(b + 1)"] }, op: sum, term: "x(s)" } })w";
const std::string all_of =
    R"w({ index: [b], reduce: { over: { s: "length(b)" }, op: sum, term: "x(offsets(b) + s)" } })w";
const std::string nested =
    R"w({ index: [b], reduce: { over: { a: "length(b)", s: [a, "length(b)"] }, op: sum, term: "x(offsets(b) + s)" } })w";

std::vector<std::int64_t> numbers(const Judged& j, std::size_t structure) {
  std::vector<std::int64_t> all;
  for (const std::uint64_t word : *j.instance.structure[structure].words)
    all.push_back(static_cast<std::int64_t>(word));
  return all;
}

// Writes what plain loops make of the structure; `weight(k, n)`: of element k of n in its sequence.
template <class Weight>
void solve(Judged& j, const Weight& weight) {
  const auto length = numbers(j, 0), offsets = numbers(j, 1);
  const float* const x = j.data<float>("x");
  double* const y = j.data<double>("y");
  double* const z = j.data<double>("z");
  for (std::size_t b = 0; b < length.size(); ++b) {
    y[b] = 0;
    for (std::int64_t k = 0; k < length[b]; ++k) {
      const auto e = static_cast<std::size_t>(offsets[b] + k);
      y[b] += weight(k, length[b]) * static_cast<double>(x[e]);
      for (std::size_t d = 0; d < 2; ++d)
        z[2 * e + d] =
            std::bit_cast<double>((*j.instance.structure[2].words)[2 * b + d]) * static_cast<double>(x[e]);
    }
  }
}

TEST(Structure, RangesThatDifferFromRowToRow) {
  for (const bool full : {true, false}) {
    for (const std::string& reference : {row_sums, all_of}) {
      Judged j(ragged(reference), full);
      j.evaluator.fill(5);
      j.poison(0xff);
      solve(j, [](std::int64_t, std::int64_t) { return 1.0; });
      const Finding finding = j.evaluator.verify(5, 0xff);
      EXPECT_TRUE(finding.right) << finding.text;
    }
    Judged j(ragged(nested), full);
    j.evaluator.fill(5);
    j.poison(0xff);
    solve(j, [](std::int64_t k, std::int64_t) { return static_cast<double>(k + 1); });
    const Finding finding = j.evaluator.verify(5, 0xff);
    EXPECT_TRUE(finding.right) << finding.text;
  }
}

TEST(Structure, LongRowsAreSplitAndStillRight) {
  Judged j(ragged(row_sums, "{ batch: 2, longest: 255 }"));
  j.device.most_groups = 64;
  j.evaluator.fill(5);
  solve(j, [](std::int64_t, std::int64_t) { return 1.0; });
  EXPECT_TRUE(j.evaluator.verify(5, 0xff).right);
  j.data<double>("y")[1] += 1;
  EXPECT_FALSE(j.evaluator.verify(5, 0xff).right);
}

TEST(Structure, OnlyThePartInUseIsVerified) {
  Judged j(ragged(row_sums));
  const std::int64_t used = numbers(j, 1).back();
  ASSERT_GT(used, 0);
  ASSERT_LT(used, 40 * 9);
  EXPECT_EQ(j.elements("x"), used);
  EXPECT_EQ(j.elements("z"), 2 * used);
  EXPECT_EQ(j.instance.tensors[2].whole_extent, 40 * 9);
  EXPECT_EQ(j.instance.tensors[2].whole_bytes, 40 * 9 * 2 * 8);
  // 4 bytes an x, 8 a y and a z; offsets and scale, not length, which is private
  EXPECT_DOUBLE_EQ(j.instance.bytes, 4 * used + 8 * 40 + 16 * used + 4 * 41 + 4 * 80);
  j.evaluator.fill(5);
  solve(j, [](std::int64_t, std::int64_t) { return 1.0; });
  EXPECT_TRUE(j.evaluator.verify(5, 0xff).right);
  j.data<double>("z")[2 * used - 1] += 1;  // the last one in use
  const Finding finding = j.evaluator.verify(5, 0xff);
  EXPECT_FALSE(finding.right);
  EXPECT_THAT(finding.text, HasSubstr("z[" + std::to_string(used - 1) + ", 1]"));
}

TEST(Structure, NothingInUse) {
  Judged j(ragged(row_sums, "{ batch: 3, longest: 0 }"));
  j.evaluator.fill(5);
  solve(j, [](std::int64_t, std::int64_t) { return 1.0; });
  const Finding finding = j.evaluator.verify(5, 0xff);
  EXPECT_TRUE(finding.right) << finding.text;
  Judged none(ragged(row_sums, "{ batch: 0, longest: 7 }"));
  none.evaluator.fill(5);
  EXPECT_TRUE(none.evaluator.verify(5, 0xff).right);
}

TEST(Structure, TheSameSeedIsTheSameStructure) {
  const problem::Problem problem = problem::parse("trial", ragged(row_sums), "p.yaml");
  const auto lengths = [&](std::uint64_t seed) {
    return *problem::instantiate(problem, problem.choices[0], problem.workloads[0], seed).structure[0].words;
  };
  EXPECT_EQ(lengths(1), lengths(1));
  EXPECT_NE(lengths(1), lengths(2));
  EXPECT_FALSE(problem::instantiate(problem, problem.choices[0], problem.workloads[0]).structured());
}

std::string error_of(const std::string& yaml) {
  Judged j(yaml);
  j.evaluator.fill(3);
  try {
    j.evaluator.verify(3, 0xff);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Structure, FaultsOfTerms) {
  EXPECT_THAT(error_of(ragged(R"w({ index: [b], value: "offsets(b + 2)" })w")),
              AllOf(HasSubstr("kernels/trial/problem.yaml:13: found reference y to read offsets[41]"),
                    HasSubstr("expected indices within its shape [41]")));
  EXPECT_THAT(error_of(ragged(R"w({ index: [b], value: "segment(offsets, -1 - b)" })w")),
              HasSubstr("problem.yaml:13: found reference y to look for segment(offsets, -"));
  EXPECT_THAT(error_of(ragged(R"w({ index: [b], value: "x(offsets(batch))" })w")),
              HasSubstr("problem.yaml:13: found reference y to read x["));
}

TEST(Structure, PackedAsTheDtypeStoresIt) {
  Judged j(R"y(podium: 1
title: t
axes: [n]
structure:
  a: { dtype: i64, shape: [], compute: "out() = -3;" }
  b: { dtype: i16, shape: [2], compute: "out(0) = -2; out(1) = 515;" }
  c: { dtype: bool, shape: [2], compute: "out(1) = 1;" }
  d: { dtype: f32, shape: [1], compute: "out(0) = 1.5;" }
  e: { dtype: f64, shape: [1], compute: "out(0) = -0.1;" }
  f: { dtype: u64, shape: [1], compute: "out(0) = 4503599627370496 * 1024;" }
tensors: { y: { role: output, dtype: f64, shape: [1], tolerance: { ulp: 1 } } }
reference: { y: { index: [i], value: "a() + b(0) + b(1) + c(1) + d(0) + e(0)" } }
workloads: { test: [{ n: 1 }] }
)y");
  const auto packed = [&](std::size_t s) {
    std::vector<int> bytes;
    std::vector<std::byte> packed(static_cast<std::size_t>(j.instance.structure[s].bytes));
    j.instance.structure[s].pack(packed.data());
    for (const std::byte byte : packed) bytes.push_back(static_cast<int>(byte));
    return bytes;
  };
  EXPECT_THAT(packed(0), testing::ElementsAre(0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff));
  EXPECT_THAT(packed(1), testing::ElementsAre(0xfe, 0xff, 3, 2));
  EXPECT_THAT(packed(2), testing::ElementsAre(0, 1));
  EXPECT_THAT(packed(3), testing::ElementsAre(0, 0, 0xc0, 0x3f));
  EXPECT_EQ(packed(4).size(), 8u);
  EXPECT_THAT(packed(5), testing::ElementsAre(0, 0, 0, 0, 0, 0, 0, 0x40));
  j.data<double>("y")[0] = -3 - 2 + 515 + 1 + 1.5 - 0.1;
  const Finding finding = j.evaluator.verify(3, 0xff);
  EXPECT_TRUE(finding.right) << finding.text;
}

}  // namespace
}  // namespace podium::judge
