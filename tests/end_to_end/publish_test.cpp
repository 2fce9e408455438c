// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium publish` as a user runs it, on a run made up here; a script takes the place of the Python that
// makes pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "suite/base/descriptor.hpp"
#include "suite/base/file_text.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"
#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;
using testing::Not;

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
    for (int round = 0; round < 7; ++round)
      writer.append({.problem = "softmax",
                     .types = "f32",
                     .stage = "bench",
                     .workload = "n=1",
                     .contestant = "online",
                     .round = round,
                     .verdict = Verdict::right,
                     .median = {.value = 100 + 0.001 * round}});
    writer.finish(nlohmann::json::object());
  }
  // Says what it was called with, and ends with `status`; the server is Podium's own.
  void python(int status) {
    const auto file = scratch.write("publish/bin/python3",
                                    "#!/bin/sh\n[ \"$3\" = podium_site.serve ] && exec python3 \"$@\"\n"
                                    "echo \"python: $PYTHONPATH $*\"\ncat \"$4\" >" +
                                        copy() + "\nmkdir -p \"$6\"\necho pages >\"$6/index.html\"\nexit " +
                                        std::to_string(status) + "\n");
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

TEST_F(Publish, ServesPagesUntilItIsTold) {
  run("1");
  python(0);
  Command command({"publish", scratch.results().string(), "--serve", "18473"});
  const std::string fetch =
      "python3 -c 'import urllib.request as r; print(r.urlopen(\"http://127.0.0.1:18473/\").read())' "
      ">" +
      file("seen") + " 2>/dev/null";
  for (int i = 0; i < 600 && command.running() && std::system(fetch.c_str()) != 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_THAT(text_of(file("seen")), HasSubstr("pages"));
  kill(command.pid(), SIGINT);
  const Ended ended = command.wait();
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("http://127.0.0.1:18473/"));
}

TEST_F(Publish, SaysInOneSentenceThatThePortIsTaken) {
  run("1");
  python(0);
  const Descriptor other(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(other.get(), generic, size), 0);
  ASSERT_EQ(listen(other.get(), 1), 0);
  ASSERT_EQ(getsockname(other.get(), generic, &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const Ended ended = publish({"--serve", port});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("podium: publish: port " + port +
                                   " of 127.0.0.1: Address already in use; give another one: --serve PORT"));
  EXPECT_THAT(ended.err, Not(HasSubstr("Traceback")));
  EXPECT_THAT(ended.out, Not(HasSubstr("http://")));
}

TEST_F(Publish, WritesTheDocumentAloneWithoutPython) {
  run("1");
  const Ended ended = publish({"--document", file("document.json")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(nlohmann::json::parse(text_of(file("document.json")))["podium_site"], 1);
}

TEST_F(Publish, OfAComparisonToo) {
  run("1");
  run("2");
  python(0);
  const std::string before = file("results/h200/1"), after = file("results/h200/2");
  const Ended ended = podium({"compare", before, after, "--to", file("pages"), "--format", "csv"});
  EXPECT_THAT(ended.out, HasSubstr("--to " + file("pages"))) << ended.err;
  const auto document = nlohmann::json::parse(text_of(copy()));
  EXPECT_EQ(document["runs"].size(), 2u);
  EXPECT_EQ(document["comparison"]["before_run"], document["runs"][0]["id"]);
  EXPECT_EQ(document["comparison"]["after_run"], document["runs"][1]["id"]);
  EXPECT_TRUE(document["comparison"].contains("rows"));
  EXPECT_EQ(document["comparison"]["verdicts"].front(), "slower");  // the worst first
  EXPECT_EQ(document["comparison"]["verdicts"].size(), document["comparison"]["counts"].size());
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
