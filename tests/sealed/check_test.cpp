// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A launch list is held against code: what fits passes, and each thing that does not is a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/error.hpp"
#include "suite/compile/sealed_check.hpp"
#include "tests/sealed/written_code.hpp"

namespace podium::compile {
namespace {

using protocol::SealedProgram;
using testing::ElementsAre;
using testing::HasSubstr;
using Kind = SealedProgram::Argument::Kind;

// One launch of `sums` with an address and an i32, of a block of 256.
struct Case {
  Manifest::Launch stated{.kernel = "sums",
                          .block = {{.text = "256"}},
                          .arguments = {{.kind = Manifest::Argument::Kind::tensor, .text = "x"},
                                        {.kind = Manifest::Argument::Kind::number, .text = "i32(n)"}},
                          .at = {"a.sealed.cu", 7}};
  SealedProgram::Launch launch{.kernel = "sums",
                               .grid = {4, 1, 1},
                               .block = {256, 1, 1},
                               .arguments = {{.kind = Kind::tensor}, {.bytes = 4, .bits = 1}}};
  written::Kernel kernel{.name = "sums", .arguments = {8, 4}, .most_threads = 256};
  std::string architecture = "sm_90";
  std::vector<MadeCode> codes = {};
  Resolved resolved = {};

  std::string verdict() {
    if (codes.empty())
      codes.push_back(made_code(*language_of("a.sealed.cu"), written::cubin(90, {kernel}), architecture));
    resolved = {};
    resolved.lists.push_back(
        {.axes = {}, .parameters = {}, .scratch = {}, .prepare = {}, .launches = {launch}});
    resolved.origins.push_back({.workload = "test workload n=1", .prepare = {}, .launches = {&stated}});
    problem::Mistakes mistakes;
    fit(resolved, codes, architecture, mistakes);
    try {
      mistakes.raise();
      return "fits";
    } catch (const Error& e) {
      return e.what();
    }
  }
};

TEST(Check, WhatFitsPasses) {
  EXPECT_EQ(Case().verdict(), "fits");
  Case prepared;
  prepared.launch.block = {8, 8, 4};
  EXPECT_EQ(prepared.verdict(), "fits");
}

TEST(Check, AKernelThatIsNotThere) {
  Case c;
  c.kernel.name = "sum";
  EXPECT_THAT(c.verdict(), HasSubstr("a.sealed.cu:7: kernel: found \"sums\", expected sum"));
  Case mangled;
  mangled.kernel.name = "_Z4sumsPfi";
  EXPECT_THAT(mangled.verdict(), HasSubstr("write extern \"C\" before it"));
}

TEST(Check, OtherArguments) {
  Case few;
  few.kernel.arguments = {8, 4, 8};
  EXPECT_THAT(few.verdict(),
              HasSubstr("a.sealed.cu:7: kernel 'sums': found 2 arguments, expected 3, of 8, 4, 8 bytes"));
  Case wide;
  wide.kernel.arguments = {8, 8};
  EXPECT_THAT(wide.verdict(), HasSubstr("found argument 2, i32(n), of 4 bytes, expected 8"));
  Case hidden;
  hidden.kernel.hidden = 128;
  EXPECT_THAT(hidden.verdict(), HasSubstr("takes 128 bytes of arguments besides those it lists"));
}

TEST(Check, OtherBlocks) {
  Case large;
  large.launch.block = {257, 1, 1};
  EXPECT_THAT(large.verdict(),
              HasSubstr("found a block of 257 threads in the test workload n=1, expected at most 256"));
  Case required;
  required.kernel.block = {128, 1, 1};
  EXPECT_THAT(
      required.verdict(),
      HasSubstr("found a block of [256, 1, 1] threads in the test workload n=1, expected [128, 1, 1]"));
  Case cluster;
  cluster.kernel.cluster = {8, 1, 1};
  EXPECT_THAT(cluster.verdict(), HasSubstr("found a grid of [4, 1, 1] blocks in the test workload n=1, "
                                           "expected multiples of its cluster, [8, 1, 1]"));
}

TEST(Check, AnotherArchitecture) {
  Case c;
  c.codes = {made_code(*language_of("a.sealed.cu"), written::cubin(90, {c.kernel}), "sm_90")};
  c.architecture = "sm_100";
  EXPECT_THAT(c.verdict(), HasSubstr("found code for sm_90, expected it for sm_100"));
  c.codes = {made_code(*language_of("a.sealed.cu"), written::amd("gfx942", {c.kernel}), "gfx942")};
  EXPECT_THAT(c.verdict(), HasSubstr("found code for gfx942, expected it for sm_100"));
  c.architecture = "gfx942";
  EXPECT_EQ(c.verdict(), "fits");
}

TEST(Check, OfSeveralCodeObjectsTheOneWithTheKernel) {
  Case c;
  c.codes = {made_code(*language_of("a.sealed.yaml"),
                       written::cubin(90, {{.name = "other", .arguments = {}}}), "sm_90"),
             made_code(*language_of("a.sealed.yaml"), written::cubin(90, {c.kernel}), "sm_90")};
  c.launch.code = -1;
  EXPECT_EQ(c.verdict(), "fits");
  EXPECT_EQ(c.resolved.lists[0].launches[0].code, 1);
  c.launch.code = 0;
  EXPECT_THAT(c.verdict(), HasSubstr("expected other, which are the kernels of its code"));
}

TEST(Check, TritonsBlockAndTrailingArgumentsComeFromItsCode) {
  Case c;
  c.stated.block.clear();
  const std::string about = R"({"symbol": "sums_0", "threads": 128, "shared": 40, "trailing": 2})";
  c.codes = {made_code(*language_of("a.sealed.py"),
                       about + "\n" + written::cubin(90, {{.name = "sums_0", .arguments = {8, 4, 8, 8}}}),
                       "sm_90")};
  EXPECT_EQ(c.verdict(), "fits");
  const auto& launch = c.resolved.lists[0].launches[0];
  EXPECT_EQ(launch.kernel, "sums_0");
  EXPECT_THAT(launch.block, ElementsAre(128, 1, 1));
  EXPECT_EQ(launch.shared, 40u);
  ASSERT_EQ(launch.arguments.size(), 4u);
  EXPECT_EQ(launch.arguments[3], (SealedProgram::Argument{.kind = Kind::number, .bytes = 8, .bits = 0}));
  // Three more than stated are one too many.
  c.codes = {made_code(*language_of("a.sealed.py"),
                       about + "\n" + written::cubin(90, {{.name = "sums_0", .arguments = {8, 4, 8, 8, 8}}}),
                       "sm_90")};
  EXPECT_THAT(c.verdict(), HasSubstr("found 4 arguments, expected 5"));
  EXPECT_THROW(made_code(*language_of("a.sealed.py"), "no description", "sm_90"), Error);
}

}  // namespace
}  // namespace podium::compile
