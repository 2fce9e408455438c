// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A problem that does not run on the device: rows that say so, wherever it would have been.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Requirement : public testing::Test {
 protected:
  Requirement() {
    for (const auto& [name, required] :
         {std::pair{"needs_fp8", "features: [fp8]"}, {"runs", "backends: [host]"}}) {
      scratch.write(std::string("problems/") + name + "/problem.yaml",
                    "podium: 1\ntitle: Twice\naxes: [n]\nrequires: { " + std::string(required) +
                        " }\ntensors:\n  x: { role: input, dtype: f32, shape: [n], fill: sequence }\n"
                        "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\n"
                        "reference: { y: { index: [i], value: \"2 * x(i)\" } }\n"
                        "workloads: { test: [{ n: 4 }], quick: [{ n: 1000 }] }\nbaseline: { host: loop }\n");
      scratch.write(std::string("problems/") + name + "/loop.cpp",
                    "// podium: { title: A loop }\n#include <podium/" + std::string(name) +
                        ".hpp>\nnamespace {\nstruct Contestant {\n"
                        "  void run(const problem::Arguments& a, podium::Stream) {\n"
                        "    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = 2 * a.x(i);\n  }\n};\n}\n");
    }
  }
  Ended run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--problems", (scratch.path() / "problems").string()});
    return podium(arguments);
  }
  Scratch scratch;
  const std::string why =
      "needs_fp8/problem.yaml:4: requires.features: found the CPU, which has no matrix units, "
      "expected fp8";
};

TEST_F(Requirement, VerifySaysWhyAndGoesOn) {
  const Ended ended = run({"verify", "--device", "host", "--quiet"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("needs_fp8/fixed  loop  not supported  "));
  EXPECT_THAT(ended.out, HasSubstr(why));
  EXPECT_THAT(ended.out, HasSubstr("right on 1 workload"));
  EXPECT_THAT(ended.err, HasSubstr("podium: needs_fp8 does not run here: "));
}

TEST_F(Requirement, NothingVerifiedIsNoSuccess) {
  const Ended ended = run({"verify", "needs_fp8", "--device", "host", "--quiet"});
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr(why));
  EXPECT_THAT(ended.err, HasSubstr("podium: nothing was verified: no requested contestant runs here; "
                                   "their rows say why\n"));
}

TEST_F(Requirement, BuildSaysWhy) {
  const Ended ended = run({"build", "--backend", "host"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("needs_fp8/fixed loop: not available: "));
  EXPECT_THAT(ended.out, HasSubstr(why));
  EXPECT_THAT(ended.out, HasSubstr("1 contestant for host: "));
}

TEST_F(Requirement, TheTableHasItsRows) {
  const Ended ended = run({"run", "--device", "host", "--quick", "--rounds", "3", "--quiet", "--results",
                           scratch.results().string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto at = ended.out.find("needs_fp8 · fixed");
  ASSERT_NE(at, std::string::npos) << ended.out;
  EXPECT_THAT(ended.out.substr(at), HasSubstr("not supported"));
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  const auto* entry = find(runs[0], "loop", "not supported");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->problem, "needs_fp8");
  EXPECT_THAT(why, testing::EndsWith(entry->text));  // records hold no paths
}

TEST_F(Requirement, CheckAndShowTakeTheFileAsItIs) {
  const std::string file = (scratch.path() / "problems/needs_fp8").string();
  EXPECT_EQ(podium({"check", file}).status, 0);
  EXPECT_THAT(run({"show", "problem", "needs_fp8"}).out, HasSubstr("requires features: fp8\n"));
  EXPECT_THAT(run({"show", "problem", "runs"}).out, Not(HasSubstr("requires features")));
}

}  // namespace
}  // namespace podium::test
