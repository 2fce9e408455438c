// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run on disk: what was finished survives kills, full disks and damage, and damage is named.
#include "suite/record/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "suite/base/error.hpp"
#include "suite/record/metrics.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Entry sample_entry(int round = 0) {
  return {.problem = "softmax",
          .types = "f32",
          .stage = "quick",
          .workload = "rows=512,cols=4096",
          .contestant = "online",
          .twin = true,
          .emulated = true,
          .round = round,
          .verdict = Verdict::right,
          .text = "y[3, 4]: 0.31 of the limit",
          .microseconds = {1.5, 2.25, 0.1},
          .judge_microseconds = {2.5, 3.25, 1.1},
          .median = {.value = 1.5, .low = 0.1, .high = 2.25},
          .worst = 0.31,
          .left_out = 12,
          .bytes = 16777216,
          .flops = 1e7,
          .written = 3e6,
          .blocking = true,
          .canaries = {20.5, 19},
          .stopped = "narrow",
          .seeds = {0, 0xffffffffffffffff, 0x0123456789abcdef}};
}

class Record : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "podium-record-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path run() const { return folder_ / "device" / "run"; }
  static std::string text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void put(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  static std::string message(const auto& action) {
    try {
      action();
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }

  fs::path folder_;
};

// Runs `action` in a child, so that its limits, uid and mounts die with it; returns what it printed.
std::string in_child(const auto& action) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::ostringstream said;
    try {
      action(said);
    } catch (const std::exception& e) {
      said << e.what();
    }
    const std::string text = said.str();
    _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

TEST_F(Record, ColumnsAndCallsTogetherComeBack) {
  Entry entry = sample_entry();
  entry.measured[hot] = {.samples = {1.25, 1.5, 1}, .median = {.value = 1.25, .low = 1, .high = 1.5}};
  entry.measured[graph].text = "not capturable: it waits inside the call";
  entry.together = {.calls = 8, .microseconds = {12, 13}, .judge_microseconds = {162, 163}};
  const nlohmann::json json = to_json(entry);
  EXPECT_FALSE(json.contains("end_to_end")) << "nothing was measured";
  const Entry read = entry_from(json);
  EXPECT_EQ(read.measured[hot].samples, entry.measured[hot].samples);
  EXPECT_EQ(read.measured[hot].median.value, 1.25);
  EXPECT_EQ(read.measured[hot].median.low, 1);
  EXPECT_EQ(read.measured[hot].median.high, 1.5);
  EXPECT_EQ(read.measured[graph].text, entry.measured[graph].text);
  EXPECT_TRUE(read.measured[graph].samples.empty());
  EXPECT_EQ(read.together.calls, 8);
  EXPECT_EQ(read.together.microseconds, entry.together.microseconds);
  EXPECT_EQ(read.together.judge_microseconds, entry.together.judge_microseconds);
}

// Entries of before there were such times.
TEST_F(Record, EntriesWithoutColumnsAreRead) {
  const nlohmann::json json = to_json(sample_entry());
  for (const char* key : {"hot", "graph", "end_to_end", "together", "energy"})
    EXPECT_FALSE(json.contains(key)) << key;
  const Entry read = entry_from(json);
  EXPECT_TRUE(read.measured[hot].samples.empty());
  EXPECT_EQ(read.together.calls, 0);
  auto wrong = json;
  wrong["graph"] = 3;
  EXPECT_THAT(message([&] { entry_from(wrong); }), HasSubstr("graph"));
}

TEST_F(Record, AnEntryComesBackWhole) {
  const Entry got = entry_from(nlohmann::json::parse(to_json(sample_entry(4)).dump()));
  EXPECT_EQ(to_json(got), to_json(sample_entry(4)));
  EXPECT_THAT(got.microseconds, ElementsAre(1.5, 2.25, 0.1));
  EXPECT_THAT(got.seeds, ElementsAre(0u, 0xffffffffffffffffu, 0x0123456789abcdefu));
  EXPECT_TRUE(got.twin && got.emulated && got.blocking);
  EXPECT_EQ(got.round, 4);
  EXPECT_EQ(got.worst, 0.31);
  EXPECT_EQ(got.left_out, 12);
}

TEST_F(Record, NumbersThatJsonLacksComeBack) {
  Entry entry = sample_entry();
  entry.worst = std::numeric_limits<double>::infinity();
  entry.microseconds = {std::nan(""), -std::numeric_limits<double>::infinity()};
  const Entry got = entry_from(nlohmann::json::parse(to_json(entry).dump()));
  EXPECT_EQ(got.worst, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(got.microseconds[0]));
  EXPECT_EQ(got.microseconds[1], -std::numeric_limits<double>::infinity());
}

// Of another Podium.
TEST_F(Record, AVerdictThatNobodyKnowsStaysAsItIs) {
  auto json = to_json(sample_entry());
  json["verdict"] = "disqualified";
  const Entry got = entry_from(json);
  EXPECT_TRUE(failed(got.verdict));
  EXPECT_FALSE(declined(got.verdict));
  EXPECT_EQ(got.verdict.word(), "disqualified");
  EXPECT_EQ(to_json(got), json);
}

TEST_F(Record, WrongFieldsAreNamed) {
  const auto with = [](const char* key, const nlohmann::json& value) {
    auto json = to_json(sample_entry());
    json[key] = value;
    return message([&] { entry_from(json); });
  };
  EXPECT_THAT(with("round", "three"), HasSubstr("'round' is string, expected a whole number"));
  EXPECT_THAT(with("round", 1e10), HasSubstr("'round'"));
  EXPECT_THAT(with("round", 10000000000), HasSubstr("'round'"));
  EXPECT_THAT(with("median", nullptr), HasSubstr("'median' is null, expected a number"));
  EXPECT_THAT(with("microseconds", {1, "fast"}), HasSubstr("'microseconds'"));
  EXPECT_THAT(with("seeds", {"xyz"}), HasSubstr("'seeds' holds 'xyz'"));
  EXPECT_THAT(with("twin", 1), HasSubstr("'twin'"));
  EXPECT_THAT(with("verdict", 1), HasSubstr("'verdict'"));
  EXPECT_THAT(with("schema", schema + 1), HasSubstr("schema 3, expected 1 to 2"));
  EXPECT_THAT(message([] { entry_from(nlohmann::json::array()); }), HasSubstr("expected an object"));
  EXPECT_THAT(message([] { entry_from({{"schema", 1}}); }), HasSubstr("'problem' is missing"));
}

TEST_F(Record, ARunComesBack) {
  Writer writer(run(), {{"driver", "580"}, {"started", "2025-01-31T13:45:00Z"}});
  writer.append(sample_entry(0));
  writer.append(sample_entry(1));
  writer.finish({{"wall_seconds", 12}, {"started", "2025-01-31T13:46:00Z"}});
  const auto got = read(run());
  EXPECT_EQ(got.provenance.at("driver"), "580");
  EXPECT_EQ(got.provenance.at("wall_seconds"), 12);
  EXPECT_EQ(got.provenance.at("started"), "2025-01-31T13:46:00Z");
  EXPECT_EQ(got.provenance.at("schema"), schema);
  ASSERT_EQ(got.entries.size(), 2u);
  EXPECT_EQ(to_json(got.entries[1]), to_json(sample_entry(1)));
  EXPECT_FALSE(fs::exists(run() / "run.json.tmp"));
}

// What a contestant that reads the record of the running run could use: nothing of it is there, nor open.
TEST_F(Record, SeedsAreThereWhenTheRunHasEnded) {
  const mode_t before = umask(022);
  const auto mode = [](const fs::path& file) {
    return static_cast<unsigned>(fs::status(file).permissions());
  };
  Writer writer(run(), {{"order_seed", "00000000deadbeef"}});
  Entry entry = sample_entry();
  entry.text = "y[3] is 4";
  entry.again = "podium verify softmax --seed 0123456789abcdef --call 7";
  writer.append(entry);
  for (const char* file : {"entries.jsonl", "run.json"}) {
    for (const char* secret : {"0123456789abcdef", "ffffffffffffffff", "--seed", "again", "deadbeef"})
      EXPECT_THAT(text(run() / file), Not(HasSubstr(secret))) << file;
    EXPECT_EQ(mode(run() / file), 0600u) << file;
  }
  EXPECT_EQ(mode(run()), 0700u);
  EXPECT_THAT(read(run()).entries.at(0).seeds, testing::IsEmpty());

  writer.finish({{"order_seed", "00000000deadbeef"}});
  umask(before);
  const auto got = read(run());
  EXPECT_EQ(got.entries.at(0).seeds, entry.seeds);
  EXPECT_EQ(got.entries.at(0).text, "y[3] is 4; again: " + entry.again);
  EXPECT_EQ(got.provenance.at("order_seed"), "00000000deadbeef");
  for (const char* file : {"entries.jsonl", "run.json"}) EXPECT_EQ(mode(run() / file), 0644u) << file;
  EXPECT_EQ(mode(run()), 0755u);
}

TEST_F(Record, TheEndOfARunChangesSeedsAndTextsAlone) {
  Writer writer(run(), {});
  for (int round = 0; round < 3; ++round) {
    Entry entry = sample_entry(round);
    if (round == 1) entry.again = "podium verify softmax --seed 0123456789abcdef --call 7";
    writer.append(entry);
  }
  const auto lines = [&] {
    auto all = nlohmann::json::array();
    for (auto line : read_lines(run())) {
      line.erase("seeds");
      std::string said = line.at("text");
      line["text"] = said.substr(0, said.find("; again: "));
      all.push_back(std::move(line));
    }
    return all;
  };
  const auto appended = lines();
  const std::string before = text(run() / "entries.jsonl");
  writer.finish(nlohmann::json::object());
  EXPECT_NE(text(run() / "entries.jsonl"), before);
  EXPECT_EQ(lines(), appended);
}

TEST_F(Record, EntriesWithoutSeedsStayIfTheEndCannotBeWritten) {
  const std::string said = in_child([&](std::ostream& out) {
    signal(SIGXFSZ, SIG_IGN);
    Writer writer(run(), {{"kept", "yes"}});
    for (int round = 0; round < 20; ++round) writer.append(sample_entry(round));
    const rlimit small{.rlim_cur = 1000, .rlim_max = 1000};
    setrlimit(RLIMIT_FSIZE, &small);
    out << message([&] { writer.finish({{"kept", "too"}}); }) << "; " << read(run()).entries.size()
        << read(run()).provenance.at("kept").get<std::string>();
  });
  EXPECT_THAT(said,
              AllOf(HasSubstr("entries.jsonl: cannot be written: File too large"), HasSubstr("; 20too")));
}

TEST_F(Record, EntriesAreThereBeforeTheRunEnds) {  // another process reads them
  Writer writer(run(), {});
  writer.append(sample_entry(0));
  EXPECT_EQ(read(run()).entries.size(), 1u);
}

TEST_F(Record, TextOfAnyBytesStaysOneLine) {
  Writer writer(run(), {});
  Entry entry = sample_entry();
  entry.text = "a\nb\x1b[31m\xff\xfe\"{";
  writer.append(entry);
  writer.append(sample_entry());
  const auto got = read(run());
  ASSERT_EQ(got.entries.size(), 2u);
  EXPECT_THAT(got.entries[0].text, AllOf(HasSubstr("a\nb\x1b[31m"), Not(HasSubstr("\xff"))));
}

TEST_F(Record, TextNamesNoFolderOfTheMachine) {
  Writer writer(run(), {});
  Entry entry = sample_entry();
  entry.text = "/home/someone/kernels/x.cu:3: error: no";
  writer.append(entry);
  EXPECT_EQ(read(run()).entries.at(0).text, "x.cu:3: error: no");
}

TEST_F(Record, ACutLastLineIsLeftOut) {
  {
    Writer writer(run(), {});
    for (int round = 0; round < 3; ++round) writer.append(sample_entry(round));
  }
  const std::string whole = text(run() / "entries.jsonl");
  const std::size_t line = whole.size() / 3;
  for (std::size_t size = 0; size <= whole.size(); size += 7) {
    put(run() / "entries.jsonl", whole.substr(0, size));
    EXPECT_EQ(read(run()).entries.size(), size / line) << size;
  }
}

TEST_F(Record, GarbageInTheMiddleIsAnErrorWithItsLine) {
  {
    Writer writer(run(), {});
  }
  const std::string line = to_json(sample_entry()).dump() + "\n";
  const auto reading = [&](const std::string& content) {
    put(run() / "entries.jsonl", content);
    return message([&] { read(run()); });
  };
  EXPECT_EQ(reading(line + line), "no error");
  EXPECT_THAT(reading(line + line.substr(0, 40) + "\n" + line), HasSubstr("entries.jsonl:2: is not JSON"));
  EXPECT_THAT(reading("\n" + line), HasSubstr("entries.jsonl:1:"));
  EXPECT_THAT(reading(line + line + "[1, 2]\n"), HasSubstr("entries.jsonl:3: entry: found array"));
  EXPECT_THAT(reading(line + "{}\n"), HasSubstr("entries.jsonl:2: entry: field 'schema' is missing"));
  EXPECT_THAT(reading(line + std::string(100, '\0') + "\n"), HasSubstr("entries.jsonl:2: is not JSON"));
}

TEST_F(Record, AnotherSchemaIsRefused) {
  {
    Writer writer(run(), {});
  }
  put(run() / "run.json", R"({"schema": 99})");
  EXPECT_THAT(message([&] { read(run()); }), HasSubstr("schema 99, expected 1"));
  put(run() / "run.json", "{}");
  EXPECT_THAT(message([&] { read(run()); }), HasSubstr("'schema' is missing"));
  put(run() / "run.json", "{");
  EXPECT_THAT(message([&] { read(run()); }), HasSubstr("run.json: is not JSON"));
}

TEST_F(Record, AFolderWithoutARunIsNamed) {
  EXPECT_THAT(message([&] { read(folder_); }), AllOf(HasSubstr("run.json"), HasSubstr("cannot be read")));
}

TEST_F(Record, AFolderThatHoldsARunIsLeftAlone) {
  {
    Writer writer(run(), {{"mine", 1}});
    writer.append(sample_entry());
  }
  EXPECT_THAT(message([&] { Writer(run(), {{"mine", 2}}); }), HasSubstr("already holds a run"));
  EXPECT_EQ(read(run()).entries.size(), 1u);
  EXPECT_EQ(read(run()).provenance.at("mine"), 1);
}

TEST_F(Record, AFolderThatCannotBeMadeIsNamed) {
  put(folder_ / "device", "a file");
  EXPECT_THAT(message([&] { Writer(run(), {}); }),
              AllOf(HasSubstr("device/run"), HasSubstr("cannot be created")));
}

TEST_F(Record, AReadOnlyFolderIsOneSentence) {
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  const std::string said = in_child([&](std::ostream& out) {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && setuid(nobody) != 0) out << "no other uid";
    Writer(run(), {});
    out << "no error";
  });
  EXPECT_THAT(said, AllOf(HasSubstr("cannot be created: Permission denied"), HasSubstr("--results")));
}

// Appends until it fails, twice, then once more with room: each line in the file must be whole.
void fill_up(const fs::path& folder, std::ostream& out, const auto& make_room) {
  Writer writer(folder, {});
  int written = 0;
  std::string first, second;
  for (; written < 100000 && first.empty(); ++written) try {
      writer.append(sample_entry(written));
    } catch (const Error& e) {
      first = e.what();
      --written;
    }
  try {
    writer.append(sample_entry());
  } catch (const Error& e) {
    second = e.what();
  }
  const std::size_t kept = read(folder).entries.size();
  make_room();
  writer.append(sample_entry());
  writer.finish({{"done", true}});
  out << first << "\n"
      << second << "\nkept " << (kept == static_cast<std::size_t>(written) ? "all" : "other") << ", then "
      << (read(folder).entries.size() == kept + 1 ? "one more" : "other");
}

TEST_F(Record, WhatWasFinishedSurvivesAFileSizeLimit) {
  const std::string said = in_child([&](std::ostream& out) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    const rlimit small{.rlim_cur = 10000, .rlim_max = old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    fill_up(run(), out, [&] { setrlimit(RLIMIT_FSIZE, &old); });
  });
  EXPECT_THAT(said,
              AllOf(HasSubstr("could not be written: File too large"), HasSubstr("kept all, then one more")));
}

TEST_F(Record, WhatWasFinishedSurvivesAFullDisk) {
  const std::string said = in_child([&](std::ostream& out) {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", folder_.c_str(), "tmpfs", 0, "size=64k") != 0) {
      out << "no mounts";
      return;
    }
    put(folder_ / "ballast", std::string(40960, 'x'));  // entries are written twice
    fill_up(run(), out, [&] { fs::remove(folder_ / "ballast"); });
  });
  if (said == "no mounts") GTEST_SKIP() << "a small tmpfs needs root and mount namespaces";
  EXPECT_THAT(said, AllOf(HasSubstr("softmax of online could not be written: No space left on device"),
                          HasSubstr("make room"), HasSubstr("kept all, then one more")));
}

TEST_F(Record, AFullDiskAtTheStartLeavesNoHalfRun) {
  const std::string said = in_child([&](std::ostream& out) {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", folder_.c_str(), "tmpfs", 0, "size=64k") != 0) {
      out << "no mounts";
      return;
    }
    put(folder_ / "ballast", std::string(65536, 'x'));
    out << message([&] { Writer(run(), {{"much", std::string(100000, 'x')}}); });
    out << (fs::exists(run() / "entries.jsonl") || fs::exists(run() / "run.json.tmp") ? " left over"
                                                                                      : " clean");
  });
  if (said == "no mounts") GTEST_SKIP() << "a small tmpfs needs root and mount namespaces";
  EXPECT_THAT(said,
              AllOf(HasSubstr("run.json: cannot be written: No space left on device"), HasSubstr(" clean")));
}

TEST_F(Record, FinishThatFailsKeepsTheOldProvenance) {
  const std::string said = in_child([&](std::ostream& out) {
    signal(SIGXFSZ, SIG_IGN);
    Writer writer(run(), {{"kept", "yes"}});
    const rlimit small{.rlim_cur = 1000, .rlim_max = 1000};
    setrlimit(RLIMIT_FSIZE, &small);
    out << message([&] { writer.finish({{"kept", std::string(5000, 'x')}}); }) << "; "
        << read(run()).provenance.at("kept").get<std::string>();
  });
  EXPECT_THAT(said, AllOf(HasSubstr("run.json: cannot be written: File too large"), HasSubstr("; yes")));
}

TEST_F(Record, EntriesSurviveKill) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Writer writer(run(), {});
    for (int round = 0;; ++round) {
      writer.append(sample_entry(round));
      if (write(ready[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte = 0;
  for (int i = 0; i < 20; ++i) ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[1]);
  std::size_t acknowledged = 20;
  while (::read(ready[0], &byte, 1) == 1) ++acknowledged;
  close(ready[0]);
  const auto entries = record::read(run()).entries;
  EXPECT_GE(entries.size(), acknowledged);
  for (const Entry& entry : entries) EXPECT_THAT(entry.seeds, testing::IsEmpty());
}

}  // namespace
}  // namespace podium::record
