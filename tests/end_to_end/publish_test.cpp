// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium publish` as a user runs it, on a run made up here; a script takes the place of the Python that
// makes pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "suite/base/file_text.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"
#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

class Publish : public testing::Test {
 protected:
  Publish() { setenv("PODIUM_PREFIX", scratch.path().c_str(), 1); }
  ~Publish() override { unsetenv("PODIUM_PREFIX"); }

  void run(const std::string& name) {
    record::Provenance provenance{
        .started = "2025-01-31T13:45:00Z",
        .device = {.backend = "cuda", .product = "NVIDIA H200", .architecture = "sm_90"}};
    record::Writer writer(scratch.results() / "h200" / name, to_json(provenance));
    writer.append({.problem = "softmax",
                   .stage = "test",
                   .workload = "n=1",
                   .contestant = "online",
                   .verdict = Verdict::right});
    writer.finish(nlohmann::json::object());
  }
  // Says what it was called with, and ends with `status`.
  void python(int status) {
    const auto file =
        scratch.write("publish/bin/python3", "#!/bin/sh\necho \"python: $PYTHONPATH $*\"\ncat \"$4\" >" +
                                                 copy() + "\nexit " + std::to_string(status) + "\n");
    fs::permissions(file, fs::perms::owner_all);
  }
  std::string copy() const { return (scratch.path() / "copy.json").string(); }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  Ended publish(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"publish", scratch.results().string()});
    return podium(arguments);
  }
  Scratch scratch;
};

TEST_F(Publish, HandsTheDocumentToThePagesPython) {
  run("1");
  python(0);
  const Ended ended = publish({"--to", file("pages")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("site -s -m podium_site /"));
  EXPECT_THAT(ended.out, HasSubstr("--to " + file("pages")));
  EXPECT_EQ(nlohmann::json::parse(text_of(copy()))["runs"].size(), 1u);
}

TEST_F(Publish, WritesTheDocumentAloneWithoutPython) {
  run("1");
  const Ended ended = publish({"--document", file("document.json")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(nlohmann::json::parse(text_of(file("document.json")))["podium_site"], 1);
}

TEST_F(Publish, SaysWhatIsMissing) {
  run("1");
  const Ended ended = publish({"--to", file("pages")});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("run scripts/setup --publish"));
  EXPECT_EQ(publish({}).status, 2);
}

TEST_F(Publish, FailsWhereNoPagesWereMade) {
  run("1");
  python(1);
  const Ended ended = publish({"--to", file("pages")});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("no pages were made in " + file("pages")));
}

TEST_F(Publish, PublishesTheRestWhereOneRunCannotBeRead) {
  run("1");
  run("2");
  scratch.write("results/h200/2/entries.jsonl", "{\n");
  const Ended ended = publish({"--document", file("document.json")});
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("left out: "));
  EXPECT_EQ(nlohmann::json::parse(text_of(file("document.json")))["runs"].size(), 1u);
}

}  // namespace
}  // namespace podium::test
