// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Elements that may hold anything: neither compared nor missed, whatever they hold; all others as ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "suite/base/error.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t seed = 5;
constexpr std::uint8_t poison = 0xa5;
constexpr int batch = 4, most = 8;  // row b has b + 1 elements that somebody reads

std::string ragged(const std::string& dtype, const std::string& more, const std::string& any,
                   const std::string& rest = "") {
  return "podium: 1\ntitle: t\naxes: [batch, most]\nstructure:\n"
         "  length: { dtype: i32, shape: [batch], compute: \"for (b : batch) out(b) = b + 1;\" }\n"
         "tensors:\n  x: { role: input, dtype: i32, shape: [batch, most], fill: sequence }\n"
         "  y: { role: output, dtype: " +
         dtype + ", shape: [batch, most]" + more +
         " }\nreference:\n  y: { index: [b, t], value: \"x(b, t) % 7\", any: \"" + any + "\" }\n" + rest +
         "workloads: { test: [{ batch: 4, most: 8 }], quick: [{ batch: 4, most: 8 }] }\n";
}
const std::string behind = "t >= length(b)";

// All that is read is right, all else as memory was.
template <class T>
void write_used(T* y) {
  std::memset(y, poison, batch * most * sizeof(T));
  for (int b = 0; b < batch; ++b)
    for (int t = 0; t <= b; ++t) y[b * most + t] = static_cast<T>((b * most + t) % 7);
}

class Any : public testing::TestWithParam<bool> {};  // emulated as a GPU's program

TEST_P(Any, NothingWrittenNanAndGarbageAreRight) {
  Judged j(ragged("f32", ", tolerance: { ulp: 0 }", behind, "checks: { sane: { finite: y } }\n"), true, 0, 0,
           GetParam());
  j.evaluator.fill(seed);
  float* y = j.data<float>("y");
  write_used(y);
  const Finding silent = j.evaluator.verify(seed, poison);
  EXPECT_TRUE(silent.right) << silent.text;
  EXPECT_TRUE(silent.written);
  EXPECT_EQ(silent.text, "y: no error in 10 verified elements; 22 of all 32 may hold anything");
  y[1] = std::nanf("");
  y[7] = INFINITY;
  y[most + 2] = -1e30F;
  EXPECT_TRUE(j.evaluator.verify(seed, poison).right);
}

TEST_P(Any, WhatIsReadIsHeldAsEver) {
  Judged j(ragged("f32", ", tolerance: { ulp: 0 }", behind, "checks: { sane: { finite: y } }\n"), true, 0, 0,
           GetParam());
  j.evaluator.fill(seed);
  float* y = j.data<float>("y");
  write_used(y);
  std::memset(&y[3 * most + 3], poison, sizeof(float));
  const Finding unwritten = j.evaluator.verify(seed, poison);
  EXPECT_FALSE(unwritten.right);
  EXPECT_FALSE(unwritten.written);
  EXPECT_THAT(unwritten.text, HasSubstr("1 of 10 verified elements wrong; 1 of all 32 elements hold the byte "
                                        "0xa5 that memory was set to before the call, the first y[3, 3]"));
  y[3 * most + 3] = std::nanf("");
  EXPECT_THAT(j.evaluator.verify(seed, poison).text, HasSubstr("y[3, 3] is nan"));
}

TEST_P(Any, OfBytesAndOfOtherLayouts) {
  Judged bytes(ragged("i8", "", behind), true, 0, 0, GetParam());
  bytes.evaluator.fill(seed);
  auto* small = bytes.data<signed char>("y");
  write_used(small);
  EXPECT_TRUE(bytes.evaluator.verify(seed, poison).right);
  std::memset(small, poison, batch * most);
  EXPECT_FALSE(bytes.evaluator.verify(seed, poison).written) << "all that is read holds the poison";

  Judged strided(ragged("f32", ", strides: [most + 1, 1], tolerance: { ulp: 0 }", behind), true, 0, 0,
                 GetParam());
  strided.evaluator.fill(seed);
  float* y = strided.data<float>("y");
  std::memset(y, poison, (3 * (most + 1) + most) * sizeof(float));
  for (int b = 0; b < batch; ++b)
    for (int t = 0; t <= b; ++t) y[b * (most + 1) + t] = static_cast<float>((b * most + t) % 7);
  EXPECT_TRUE(strided.evaluator.verify(seed, poison).right);
  y[most + 1] = 3;
  EXPECT_THAT(strided.evaluator.verify(seed, poison).text, HasSubstr("y[1, 0] is 3, expected 1"));
}

TEST_P(Any, OfPairsThatShareAByte) {
  Judged j(ragged("e2m1", ", tolerance: { ulp: 4 }", "t >= 2"), true, 0, 0, GetParam());
  j.evaluator.fill(seed);
  auto* y = j.data<unsigned char>("y");
  std::memset(y, poison, batch * most / 2);
  for (int b = 0; b < batch; ++b) y[b * most / 2] = 0x22;  // 1 and 1
  const Finding found = j.evaluator.verify(seed, poison);
  EXPECT_TRUE(found.right) << found.text;
  EXPECT_THAT(found.text, HasSubstr("24 of all 32 may hold anything"));
}

// In a sample what was not written is suspicious, and would crowd out what is read.
TEST_P(Any, IsNotSuspiciousInASample) {
  std::string yaml = ragged("f32", ", tolerance: { ulp: 0 }", "t >= 2 * length(b)", "sample: { t: 2 }\n");
  Judged j(yaml, false, 0, 0, GetParam());
  j.evaluator.fill(seed);
  float* y = j.data<float>("y");
  std::memset(y, poison, batch * most * sizeof(float));
  for (int b = 0; b < batch; ++b)
    for (int t = 0; t < 2 * (b + 1); ++t) y[b * most + t] = static_cast<float>((b * most + t) % 7);
  EXPECT_TRUE(j.evaluator.verify(seed, poison).right);
  for (const int wrong : {3 * most + 4, 3 * most + 5}) {
    const float was = y[wrong];
    std::memset(&y[wrong], poison, sizeof(float));
    for (std::uint64_t draw = 0; draw < 20; ++draw)
      EXPECT_FALSE(j.evaluator.verify(draw, poison).right) << "what is not written always joins the sample";
    y[wrong] = was;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Any, testing::Bool(),
                         [](const auto& info) { return info.param ? "Emulated" : "Host"; });

TEST(AnyFault, IsTheProblemsAndSaysWhere) {
  const auto fault_of = [](const std::string& any) -> std::string {
    try {
      Judged j(ragged("f32", ", tolerance: { ulp: 0 }", any));
      j.evaluator.fill(seed);
      write_used(j.data<float>("y"));
      return j.evaluator.verify(seed, poison).text;
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(fault_of("t >= length(b + 1)"),
              HasSubstr("trial/problem.yaml:10: found any of y to read length(4) in workload batch=4,most=8, "
                        "expected whole indices within its part in use [4]"));
  EXPECT_THAT(
      fault_of("t % (b - 1)"),
      AllOf(HasSubstr("trial/problem.yaml:10: found any of y to compute "),
            HasSubstr(" % 0 in workload batch=4,most=8, expected whole numbers and a divisor other than 0")));
}

}  // namespace
}  // namespace podium::judge
