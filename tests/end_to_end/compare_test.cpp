// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium compare` on runs made up here: found by folder or commit, exit status for a gate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"
#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

class Compare : public testing::Test {
 protected:
  // Seven rounds of one contestant at `time` µs each.
  void run(const std::string& device, const std::string& name, const std::string& commit, double time,
           const std::string& revision = "problem.yaml") {
    record::Provenance provenance{.commit = commit,
                                  .started = "2025-01-31T13:45:00Z",
                                  .device = {.backend = "cuda", .product = device, .architecture = "sm_90"},
                                  .boards = {{.problem = "softmax",
                                              .types = "f32",
                                              .stage = "bench",
                                              .sha256 = record::sha256(revision),
                                              .workloads = {"n=1"}}}};
    record::Writer writer(scratch.path() / "results" / device / name, to_json(provenance));
    for (int round = 0; round < 7; ++round)
      writer.append({.problem = "softmax",
                     .types = "f32",
                     .stage = "bench",
                     .workload = "n=1",
                     .contestant = "online",
                     .round = round,
                     .verdict = Verdict::right,
                     .median = {.value = time + 0.001 * round}});
  }
  Ended compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    arguments.insert(arguments.end(), {"--results", (scratch.path() / "results").string()});
    return podium(arguments);
  }
  std::string folder(const std::string& device, const std::string& name) {
    return (scratch.path() / "results" / device / name).string();
  }
  Scratch scratch;
};

TEST_F(Compare, TwoFoldersAreAGate) {
  run("h200", "1", "aaaa1", 100);
  run("h200", "2", "bbbb2", 110);
  const Ended worse = compare({folder("h200", "1"), folder("h200", "2")});
  EXPECT_EQ(worse.status, 1) << worse.err;
  EXPECT_THAT(worse.out, HasSubstr("1 row: 1 slower"));
  const Ended better = compare({folder("h200", "2"), folder("h200", "1")});
  EXPECT_EQ(better.status, 0) << better.err;
  EXPECT_THAT(better.out, HasSubstr("1 row: 1 faster"));
  EXPECT_EQ(compare({folder("h200", "1"), folder("h200", "2"), "--margin", "15"}).status, 0);
}

TEST_F(Compare, CommitsNameTheNewestRunOfADevice) {
  run("h200", "20250101T000000Z-0001", "aaaa1", 500);
  run("h200", "20250102T000000Z-0001", "aaaa1", 100);
  run("h200", "20250103T000000Z-0001", "bbbb2", 50);
  run("b200", "20250103T000000Z-0001", "bbbb2", 10);
  scratch.write("results/h200/notes/README", "no run");
  const Ended ended = compare({"aaaa", "bbbb2"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("0.500")) << "100 µs before, 50 after";
}

TEST_F(Compare, WhatCannotBeFoundIsASentence) {
  run("h200", "1", "aaaa1", 100);
  run("b200", "1", "aaaa1", 100);
  EXPECT_THAT(
      compare({"cccc", "aaaa"}).err,
      HasSubstr("compare: found cccc, expected a run's folder (results/<device>/<run>) or the commit"));
  EXPECT_THAT(compare({"aaaa", "aaaa"}).err,
              HasSubstr("compare: aaaa was run on b200 and other devices; name the run's folder, as in "));
  EXPECT_THAT(compare({folder("b200", "1"), folder("h200", "1")}).err,
              HasSubstr("expected two of one device"));
  EXPECT_EQ(compare({"cccc", "aaaa"}).status, 2);
  EXPECT_THAT(compare({scratch.path().string(), "aaaa"}).err, HasSubstr("run.json: cannot be read"));
}

TEST_F(Compare, RunsThatDoNotCompareAreRefused) {
  run("h200", "1", "aaaa1", 100);
  run("h200", "2", "bbbb2", 110, "another problem.yaml");
  const Ended refused = compare({folder("h200", "1"), folder("h200", "2")});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, HasSubstr("measured different revisions of softmax"));
  EXPECT_EQ(compare({folder("h200", "1"), folder("h200", "2"), "--problem", "sum"}).status, 2);
}

}  // namespace
}  // namespace podium::test
