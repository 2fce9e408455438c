// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium doctor` says of devices, compilers and libraries, and the bundle that it packs.
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST(Doctor, NamesDevicesCompilersAndLibraries) {
  const auto ended = podium({"doctor"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.out, HasSubstr("host "));
  EXPECT_THAT(ended.out, HasSubstr("compiler for host: "));
  EXPECT_THAT(ended.out, HasSubstr("openmp"));
}

TEST(Doctor, PacksABundle) {
  const Scratch scratch;
  scratch.write("results/some-gpu/20260101T000000Z-0001/run.json", "{\"older\": 1}");
  scratch.write("results/some-gpu/20260102T000000Z-0002/run.json", "{\"newer\": 1}");
  scratch.write("results/some-gpu/20260102T000000Z-0002/entries.jsonl", "{\"entry\": 1}\n");
  const auto file = scratch.path() / "bundle.json";
  const auto ended = podium({"doctor", "--bundle", file.string(), "--results", scratch.results().string()});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("bundle.json: diagnostic bundle written"));

  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const json bundle = json::parse(text);
  EXPECT_THAT(bundle["made"].get<std::string>(), MatchesRegex("20..-..-..T..:..:..Z"));
  std::set<std::string> devices;
  for (const auto& device : bundle["devices"]) devices.insert(device["device"]);
  EXPECT_TRUE(devices.contains("host"));
  EXPECT_GE(bundle["sandbox"].size(), 5u);
  EXPECT_THAT(bundle["toolchain"].get<std::string>(), HasSubstr("backends:\n  host:"));

  std::map<std::string, json> commands;
  for (const auto& command : bundle["commands"]) commands[command["command"]] = command;
  ASSERT_TRUE(commands.contains("uname -srm"));
  EXPECT_EQ(commands["uname -srm"]["status"], 0);
  EXPECT_THAT(commands["uname -srm"]["output"].get<std::string>(), HasSubstr("Linux"));
  EXPECT_TRUE(commands.contains("rocminfo")) << "also where there is none, with the status that says so";
  EXPECT_THAT(bundle["files"]["/etc/os-release"].get<std::string>(), HasSubstr("NAME"));

  ASSERT_EQ(bundle["runs"].size(), 2u);
  EXPECT_EQ(bundle["runs"][0]["run"], "some-gpu/20260102T000000Z-0002") << "the newest first";
  EXPECT_EQ(bundle["runs"][0]["entries.jsonl"], "{\"entry\": 1}\n");
  EXPECT_EQ(bundle["runs"][1]["run.json"], "{\"older\": 1}");

  std::array<char, 256> host{};
  ASSERT_EQ(gethostname(host.data(), host.size() - 1), 0);
  if (std::string(host.data()).size() > 2) {
    EXPECT_THAT(text, Not(HasSubstr(host.data())));
  }
}

// Published runs lie in folders of any name, which say nothing of when they began.
TEST(Doctor, ABundlesRunsAreThoseThatStartedLast) {
  const Scratch scratch;
  const auto run = [&](const std::string& folder, const std::string& json) {
    scratch.write("results/" + folder + "/run.json", json);
  };
  run("gpu/20260105T000000Z-0001", "{\"started\": \"2026-01-05T00:00:00Z\"}");
  run("gpu/20260106T000000Z-0001", "{\"started\": \"2026-01-06T00:00:00Z\"}");
  run("gpu/20260107T000000Z-0001", "{\"started\": \"2026-01-07T");  // cut off: its folder says when
  run("gpu/20260108T000000Z-0001", "{\"started\": 1}");
  run("published/hip1", "{\"started\": \"2026-01-01T00:00:00Z\"}");
  run("published/cuda1", "{\"started\": \"2026-01-05T12:00:00Z\"}");
  run("published/steps", "no JSON");
  run("gpu/copied", "[]");
  const auto file = scratch.path() / "bundle.json";
  ASSERT_EQ(podium({"doctor", "--bundle", file.string(), "--results", scratch.results().string()}).status, 0);

  std::vector<std::string> runs;
  for (const json bundle = json::parse(std::ifstream(file)); const auto& one : bundle["runs"])
    runs.push_back(one["run"]);
  EXPECT_THAT(runs, testing::ElementsAre("gpu/20260108T000000Z-0001", "gpu/20260107T000000Z-0001",
                                         "gpu/20260106T000000Z-0001", "published/cuda1",
                                         "gpu/20260105T000000Z-0001"));
}

TEST(Doctor, ABundleHoldsCalibrationsTestsAndNamedFiles) {
  const Scratch scratch;
  scratch.write("results/some-gpu/calibration.json", "{\"copy\": 1}");
  scratch.write("build/toolchain.yaml", "podium: 1\n");
  scratch.write("build/Testing/Temporary/LastTest.log", std::string(2 << 20, 'x') + "the last line\n");
  scratch.write("verify.txt", "vector_add/f32  naive  right\n");
  const auto file = scratch.path() / "bundle.json", rows = scratch.path() / "verify.txt";
  setenv("PODIUM_TOOLCHAIN", (scratch.path() / "build/toolchain.yaml").c_str(), 1);
  const auto ended = podium({"doctor", "--bundle", file.string(), "--with", rows.string(), "--results",
                             (scratch.path() / "results").string()});
  unsetenv("PODIUM_TOOLCHAIN");
  ASSERT_EQ(ended.status, 0) << ended.err;

  const json bundle = json::parse(std::ifstream(file));
  EXPECT_EQ(bundle["calibrations"]["some-gpu"], "{\"copy\": 1}");
  EXPECT_THAT(bundle["tests"].get<std::string>(), MatchesRegex("x+the last line\n"));
  EXPECT_LE(bundle["tests"].get<std::string>().size(), std::size_t{1} << 20);
  EXPECT_EQ(bundle["with"].size(), 1u);
  EXPECT_EQ(bundle["with"].begin().value(), "vector_add/f32  naive  right\n");
}

TEST(Doctor, AFileThatTheBundleShallHoldAndThatIsNotThereIsSaid) {
  const auto ended =
      podium({"doctor", "--bundle", "/tmp/never-written.json", "--with", "/nowhere/verify.txt"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("--with /nowhere/verify.txt: not a file"));
}

TEST(Doctor, ABundleThatCannotBeWrittenIsSaid) {
  const auto ended = podium({"doctor", "--bundle", "/nowhere/bundle.json"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("/nowhere/bundle.json"));
}

}  // namespace
}  // namespace podium::test
