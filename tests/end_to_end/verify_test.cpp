// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium verify`: verdicts without times, and contestants under a tool.
#include <gtest/gtest.h>

#include <set>

#include "suite/record/provenance.hpp"
#include "suite/record/sources.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

const std::string wrong = source_dir() + "/tests/wrong/sum/one_off.gpu.cpp";

Ended verify(std::vector<std::string> more) {
  std::vector<std::string> arguments{"verify", "sum", "--device", "host", "--quiet"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return podium(arguments);
}

TEST(Verify, NamesEveryContestantAndNoTime) {
  const auto ended = verify({});
  EXPECT_EQ(ended.status, 0) << ended.err;
  for (const std::string name : {"naive", "serial", "threads", "two_stage"})
    EXPECT_NE(ended.out.find(name), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("right on 11 workloads"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("µs"), std::string::npos) << ended.out;
}

TEST(Verify, RecordsVerdictsWhereItIsAskedTo) {
  const Scratch scratch;
  const auto ended =
      verify({"--results", scratch.results().string(), "--contestant", "serial", "--contestant", wrong});
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_NE(ended.err.find("recorded in "), std::string::npos) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  const auto provenance = record::provenance_from(runs[0].provenance);
  EXPECT_GT(provenance.wall_seconds, 0);
  EXPECT_FALSE(provenance.secrets.empty());
  for (const auto& entry : runs[0].entries) EXPECT_TRUE(entry.microseconds.empty()) << entry.workload;
  EXPECT_NE(find(runs[0], "serial", "right"), nullptr);
  EXPECT_NE(find(runs[0], "one_off", "wrong"), nullptr);
  EXPECT_FALSE(record::read_sources(runs[0].folder, provenance).empty());
  const auto report = podium({"report", runs[0].folder.string()});
  EXPECT_NE(report.out.find("sum · f32 · verification"), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("verified, not timed"), std::string::npos) << report.out;
}

// All that `--full` and `--quick` verify is one board: a verification.
TEST(Verify, RecordsOneBoardWhateverIsVerified) {
  const Scratch scratch;
  const auto ended = verify({"--results", scratch.results().string(), "--contestant", "serial", "--quick"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  std::set<std::string> stages, boards;
  for (const auto& entry : runs[0].entries) {
    stages.insert(entry.stage);
    boards.insert(entry.types);
    EXPECT_GT(entry.checked.calls, 0) << entry.workload;
    EXPECT_EQ(entry.checked.elements, entry.checked.calls) << entry.workload << ": a sum is one element";
    EXPECT_EQ(entry.checked.compared, entry.checked.calls) << entry.workload;
    EXPECT_GT(entry.checked.bytes, 0) << entry.workload;
  }
  EXPECT_EQ(stages, (std::set<std::string>{"quick", "test"}));
  const auto report =
      nlohmann::json::parse(podium({"report", runs[0].folder.string(), "--format", "json"}).out);
  EXPECT_EQ(report["boards"].size(), boards.size());
  for (const auto& board : report["boards"]) EXPECT_EQ(board["stage"], "test") << board["types"];
  const auto shown = podium({"report", runs[0].folder.string()});
  EXPECT_NE(shown.out.find("verified on test and quick workloads;"), std::string::npos) << shown.out;
}

// A row that is right on some workloads says which it was not verified on.
TEST(Verify, ARowNamesWhatWasNotVerified) {
  const Scratch scratch;
  scratch.write("huge/problem.yaml", R"y(podium: 1
title: Huge
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0 } }
reference: { y: { index: [i], value: "x(i)" } }
sample: { i: 2 }
workloads: { test: [{ n: 2 }], quick: [{ n: 3 }], bench: [{ n: 1000000000000 }] }
)y");
  scratch.write("huge/loop.cpp",
                "// podium: { title: A loop }\n#include <podium/huge.hpp>\nnamespace {\n"
                "struct Contestant {\n  void run(const problem::Arguments& a, podium::Stream) {\n"
                "    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = a.x(i);\n  }\n};\n}  // namespace\n");
  const auto ended = podium(
      {"verify", "huge", "--problems", scratch.path().string(), "--device", "host", "--quiet", "--full"});
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_NE(ended.out.find("right on 2 workloads, without error; not verified on n=1000000000000"),
            std::string::npos)
      << ended.out;
}

// Also where there is no error, and of outputs and workloads whose errors are smaller than another's.
TEST(Verify, ARowSaysHowManyElementsWereLeftOut) {
  const Scratch scratch;
  scratch.write("ties/problem.yaml", R"y(podium: 1
title: Ties
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 8 } }
  z: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 8 } }
reference:
  near: { index: { i: n }, value: "i == 3" }
  y: { index: [i], value: "x(i)", unless: near }
  z: { index: [i], value: "x(i)", any: "i == 1" }
workloads: { test: [{ n: 1 }, { n: 3 }, { n: 40 }] }
)y");
  const auto contestant = [&](const std::string& name, const std::string& z) {
    scratch.write("ties/" + name + ".cpp",
                  "// podium: { title: Ties }\n#include <podium/ties.hpp>\nnamespace {\n"
                  "struct Contestant {\n  void run(const problem::Arguments& a, podium::Stream) {\n"
                  "    for (int i = 0; i < a.n; ++i) {\n      a.y(i) = a.x(i);\n      a.z(i) = " +
                      z + ";\n    }\n  }\n};\n}  // namespace\n");
  };
  contestant("exact", "a.x(i)");
  contestant("off", "a.n == 1 ? 1 + 0x1p-23f : a.x(i)");
  const auto ended = podium({"verify", "ties", "--problems", scratch.path().string(), "--device", "host",
                             "--quiet", "--contestant", "exact", "--contestant", "off"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("right on 3 workloads, without error; 3 elements excused or of any value"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("1 element verified; 3 elements excused or of any value"), std::string::npos)
      << ended.out;
}

// The largest error and its place, also when all is well: n=3's of three workloads, in the second element.
TEST(Verify, SaysWhereTheLargestErrorIs) {
  const Scratch scratch;
  scratch.write("near/problem.yaml", R"y(podium: 1
title: Near
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 8, growth: 0 } }
  z: { role: output, dtype: i32, shape: [n] }
reference: { y: { index: [i], value: "x(i)" }, z: { index: [i], value: "i" } }
workloads: { test: [{ n: 2 }, { n: 3 }, { n: 4 }] }
)y");
  const auto contestant = [&](const std::string& name, const std::string& y) {
    scratch.write("near/" + name + ".cpp",
                  "// podium: { title: Near }\n#include <podium/near.hpp>\nnamespace {\n"
                  "struct Contestant {\n  void run(const problem::Arguments& a, podium::Stream) {\n"
                  "    for (int i = 0; i < a.n; ++i) {\n      a.y(i) = " +
                      y + ";\n      a.z(i) = i;\n    }\n  }\n};\n}  // namespace\n");
  };
  contestant("exact", "a.x(i)");
  contestant("off", "1 + (a.n == 3 && i == 1 ? 4 : 1) * 0x1p-23f");
  const auto ended = podium({"verify", "near", "--problems", scratch.path().string(), "--device", "host",
                             "--quiet", "--contestant", "exact", "--contestant", "off"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("right on 3 workloads, without error"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find(
                "right on 3 workloads; n=3: largest error 0.5 of the limit at y[1]: 1.00000048, expected 1 "
                "within 9.537e-07; 3 elements verified"),
            std::string::npos)
      << ended.out;
}

TEST(Verify, TakesOnlyTheContestantsNamed) {
  const auto ended = verify({"--contestant", "serial"});
  EXPECT_EQ(ended.out.find("threads"), std::string::npos) << ended.out;
}

TEST(Verify, AWrongOneIsStatusOneWithItsEvidence) {
  const auto ended = verify({"--contestant", wrong});
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_NE(ended.out.find("wrong"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("n=1"), std::string::npos) << ended.out;
}

TEST(Verify, AContestantThatTakesTooMuchMemoryIsEnded) {
  const Scratch scratch;
  const auto hog = scratch.write("hog.cpp", R"(// podium: { title: Takes memory until it is stopped }
#include <podium/sum.hpp>
#include <cstring>
#include <cstdlib>
namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    for (;;)
      if (void* more = std::malloc(1 << 24)) std::memset(more, 1, 1 << 24);
  }
};
}  // namespace
)");
  const auto ended = verify({"--contestant", hog.string(), "--contestant", "serial", "--memory", "300"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.out.find("out of memory"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("more than 300 MiB of host memory"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("right on"), std::string::npos) << "the other one was not verified\n" << ended.out;
}

TEST(Verify, UnderAToolTheWorkerIsItsChild) {
  const auto ended = verify({"--contestant", "serial", "--under", "env PODIUM_SEEN=1"});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
}

TEST(Verify, WhatAToolReportsByItsStatusIsAFault) {
  const auto ended = verify({"--contestant", "serial", "--under", R"(sh -c '"$@"; exit 9' sh)"});
  EXPECT_EQ(ended.status, 1) << ended.out;
  EXPECT_NE(ended.out.find("sh exited with status 9"), std::string::npos) << ended.out;
}

TEST(Verify, AToolThatIsNotThereIsSaid) {
  const auto ended = verify({"--contestant", "serial", "--under", "no-such-tool"});
  EXPECT_EQ(ended.status, 1) << ended.out;
  EXPECT_NE((ended.out + ended.err).find("no-such-tool"), std::string::npos) << ended.out << ended.err;
}

}  // namespace
}  // namespace podium::test
