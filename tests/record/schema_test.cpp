// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The documented format of results: what is written keeps to it, and so do the runs of every version there
// was (tests/record/runs), which are still read.
#include "suite/record/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "suite/base/file_text.hpp"
#include "suite/record/metrics.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"
#include "suite/record/sources.hpp"
#include "tests/json_schema.hpp"
#include "tests/paths.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<fs::path> runs_of_old() {
  std::vector<fs::path> runs;
  for (const auto& run : fs::directory_iterator(test::source_dir() + "/tests/record/runs"))
    runs.push_back(run.path());
  std::ranges::sort(runs);
  return runs;
}

// Everything that a run can hold.
Provenance full_run() {
  const ContestantRecord contestant{.problem = "softmax",
                                    .name = "online",
                                    .kind = "portable",
                                    .tier = "sealed",
                                    .file = "online.gpu.cpp",
                                    .sha256 = sha256("online"),
                                    .text_sha256 = sha256("text"),
                                    .runtime = "CPython 3.11.2",
                                    .included = {{"tiles.hpp", sha256("tiles")}}};
  return {.started = "2025-01-31T13:45:00Z",
          .compilers = {{.backend = "cuda", .version = "nvcc", .flags = {"-O3"}}},
          .contestants = {contestant},
          .boards = {{.problem = "softmax",
                      .sha256 = sha256("problem"),
                      .workloads = {"n=1"},
                      .contestants = {"online"},
                      .series = 1,
                      .files = {{"reference.py", sha256("reference")}},
                      .empty_call = 1,
                      .judge_overhead = 2,
                      .tolerance = 3}},
          .sandbox = {"uid"},
          .sandbox_without = {{"landlock", "this kernel has none"}},
          .calibrated = "2025-01-31T13:45:00Z",
          .arithmetic = {{"fma_f32", 1e12}},
          .wall_seconds = 3,
          .secrets = {1, 2},
          .segments = {{.started = "2025-01-31T13:45:00Z", .replaced = {contestant}}}};
}

Entry full_entry() {
  Entry entry{.problem = "softmax",
              .contestant = "online",
              .printed = "Traceback",
              .microseconds = {1, 2},
              .judge_microseconds = {3, 4},
              .fill_microseconds = {1, 1},
              .check_microseconds = {1, 1},
              .reference_microseconds = {1, 1},
              .clock_mhz = {1000, 1000},
              .reference_mhz = 1000,
              .excused = "wrong: y[0]",
              .judged = true,
              .worst = std::numeric_limits<double>::infinity(),
              .exact = 1e-7,
              .left_out = 3,
              .checked = {.calls = 5, .elements = 4, .compared = 3, .examined = 2, .bytes = 1},
              .written = 4,
              .seeds = {1},
              .together = {.calls = 2, .microseconds = {2}, .judge_microseconds = {3}},
              .telemetry = {.source = "NVML",
                            .end = {.sm_clock_mhz = 1,
                                    .memory_clock_mhz = 2,
                                    .temperature_c = 3,
                                    .power_w = 4,
                                    .throttle = {"power cap"}},
                            .counters = Counters{.seconds = 1,
                                                 .sm_active_percent = 1,
                                                 .sm_occupancy_percent = 2,
                                                 .tensor_active_percent = 3,
                                                 .memory_bandwidth_percent = 4}},
              .segment = 1,
              .series = 1,
              .set_aside = "its round was begun anew"};
  for (const Metric* metric : metrics()) {
    if (metric->form == Form::samples)
      entry.measured[*metric] = {.samples = {1}, .median = {1, 1, 1}};
    else
      entry.measured[*metric].numbers[std::string(metric->key)] = 1;
  }
  return entry;
}

std::set<std::string> fields_of(const FormOf& form) {
  std::set<std::string> names;
  for (const FieldOf& field : form.fields) names.insert(field.name);
  return names;
}

TEST(Schema, EveryFormThatIsHeldIsThereAndSaysWhatItHolds) {
  for (const auto* forms : {&run_forms(), &entry_forms()}) {
    const json root = json::parse(schema_of(*forms, "title"));
    for (const FormOf& form : *forms) {
      EXPECT_NE(form.says, "") << form.name;
      EXPECT_EQ(fields_of(form).size(), form.fields.size()) << form.name << " has a field twice";
      for (const FieldOf& field : form.fields) {
        std::string holds = field.holds;
        std::erase_if(holds, [](char c) { return c == '[' || c == ']' || c == '{' || c == '}'; });
        EXPECT_TRUE(root["definitions"].contains(holds)) << form.name << "." << field.name << ": " << holds;
        EXPECT_NE(field.says, "") << form.name << "." << field.name;
        EXPECT_GE(field.since, oldest_schema);
        EXPECT_LE(field.since, schema);
      }
    }
  }
}

std::set<std::string> names_in(const json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

TEST(Schema, NamesEveryFieldThatIsWritten) {
  EXPECT_EQ(names_in(to_json(full_run())), fields_of(run_forms().front()));
  EXPECT_EQ(names_in(to_json(full_entry())), fields_of(entry_forms().front()));
}

TEST(Schema, IsDocumentedFieldByField) {
  const std::string document = text_of(test::source_dir() + "/docs/results.md");
  EXPECT_THAT(document, testing::HasSubstr(scalars_table()));
  for (const auto* forms : {&run_forms(), &entry_forms()})
    EXPECT_TRUE(document.find(tables_of(*forms)) != document.npos)
        << "docs/results.md must hold these tables:\n"
        << tables_of(*forms);
}

TEST(OldRuns, AreRead) {
  const auto runs = runs_of_old();
  std::set<int> versions;
  for (const fs::path& folder : runs) {
    const record::Run run = read(folder);
    versions.insert(run.provenance.at("schema").get<int>());
    const Provenance provenance = provenance_from(run.provenance);
    EXPECT_FALSE(provenance.contestants.empty()) << folder;
    EXPECT_FALSE(provenance.boards.empty()) << folder;
    EXPECT_GE(run.entries.size(), 5U) << folder;
    for (const Entry& entry : run.entries)
      EXPECT_TRUE(entry.round < 0 || failed(entry.verdict) || entry.median.value > 0) << folder;
    const auto sources = read_sources(folder, provenance);
    EXPECT_EQ(sources.empty(), run.provenance.at("schema") == 1) << folder;
  }
  std::set<int> all;
  for (int version = oldest_schema; version <= schema; ++version) all.insert(version);
  EXPECT_EQ(versions, all) << "tests/record/runs has a run of every version";
}

#ifdef PODIUM_HAS_VALIJSON
class Held : public testing::Test {
 protected:
  const test::JsonSchema run_{schema_of(run_forms(), "run")}, entry_{schema_of(entry_forms(), "entry")};
};

TEST_F(Held, WhatIsWritten) {
  EXPECT_EQ(run_.held_against(to_json(full_run())), "");
  EXPECT_EQ(run_.held_against(to_json(Provenance{.started = "2025-01-31T13:45:00Z"})), "");
  EXPECT_EQ(entry_.held_against(to_json(full_entry())), "");
  EXPECT_EQ(entry_.held_against(to_json(Entry{.problem = "p", .contestant = "c"})), "");
  Entry unmeasured = full_entry();
  for (const Metric* metric : metrics()) unmeasured.measured[*metric] = {.text = "not asked for"};
  EXPECT_EQ(entry_.held_against(to_json(unmeasured)), "");
}

TEST_F(Held, RunsOfEveryVersion) {
  for (const fs::path& folder : runs_of_old()) {
    EXPECT_EQ(run_.held_against(read_provenance(folder)), "") << folder;
    for (const json& line : read_lines(folder)) EXPECT_EQ(entry_.held_against(line), "") << folder;
  }
}

TEST_F(Held, WhatIsNoneIsRefused) {
  const auto run = [&](const char* pointer, const json& value) {
    json changed = to_json(full_run());
    changed[json::json_pointer(pointer)] = value;
    return run_.held_against(changed);
  };
  EXPECT_NE(run("/unknown", 1), "");
  EXPECT_NE(run("/schema", schema + 1), "");
  EXPECT_NE(run("/boards/0/sha256", "abc"), "");
  EXPECT_NE(run("/boards/0/surplus", 1), "");
  EXPECT_NE(run("/contestants/0/included/tiles.hpp", 7), "");
  EXPECT_NE(run("/order_seed", "1"), "");
  EXPECT_NE(run("/segments/0/wall_seconds", "long"), "");
  json without = to_json(full_run());
  without.erase("stopping");
  EXPECT_NE(run_.held_against(without), "") << "version 2 needs it";
  without["schema"] = 1;
  EXPECT_EQ(run_.held_against(without), "") << "version 1 does not";
  json entry = to_json(full_entry());
  entry["microseconds"][0] = "fast";
  EXPECT_NE(entry_.held_against(entry), "");
  entry["microseconds"][0] = -1;
  EXPECT_NE(entry_.held_against(entry), "");
  entry["microseconds"][0] = 1;
  EXPECT_EQ(entry_.held_against(entry), "");
  entry["stage"] = "fast";
  EXPECT_NE(entry_.held_against(entry), "");
  entry.erase("verdict");
  EXPECT_NE(entry_.held_against(entry), "");
}
#else
TEST(Held, AgainstTheSchemas) { GTEST_SKIP() << test::needs_valijson; }
#endif

TEST(Sources, AreKeptOnceAndReadAgain) {
  const fs::path folder = fs::temp_directory_path() / ("podium-sources-" + std::to_string(getpid()));
  {
    Writer writer(folder, to_json(Provenance{}));
    const std::string text = "// SPDX-License-Identifier: MIT\nint main() {}\n", helper = "#pragma once\n";
    const Provenance provenance{
        .contestants = {{.problem = "p",
                         .name = "a",
                         .file = "a.cpp",
                         .sha256 = sha256("with its code objects"),
                         .text_sha256 = sha256(text),
                         .included = {{"../q/tiles.hpp", sha256(helper)}, {"other.hpp", sha256("other")}}}},
        .boards = {{.problem = "p", .sha256 = sha256("podium: 1\n")}}};
    for (const std::string& one : {text, helper, text, std::string("podium: 1\n")}) writer.keep(one);
    const auto sources = read_sources(folder, provenance);
    ASSERT_EQ(sources.size(), 3U) << "other.hpp was not kept";
    EXPECT_EQ(sources.at(sha256(text)).file, "a.cpp");
    EXPECT_EQ(sources.at(sha256(text)).text, text);
    EXPECT_EQ(sources.at(sha256(helper)).file, "tiles.hpp");
    EXPECT_EQ(sources.at(sha256("podium: 1\n")).file, "problem.yaml");
    EXPECT_EQ(license_of(text), "MIT");
    write_file(folder / "sources" / sha256(text), "int main() { return 1; }\n");
    EXPECT_ANY_THROW(read_sources(folder, provenance)) << "it does not have the hash that names it";
  }
  fs::remove_all(folder);
}

TEST(Sources, NameTheirLicence) {
  EXPECT_EQ(license_of("/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */\n"),
            "Apache-2.0 WITH LLVM-exception");
  EXPECT_EQ(license_of("# SPDX-License-Identifier:\tBSD-3-Clause \r\nx"), "BSD-3-Clause");
  EXPECT_EQ(license_of("// SPDX-License-Identifier:"), "");
  EXPECT_EQ(license_of("no licence"), "");
}

TEST(Sources, OfAContestantAreThoseThatItNamesAndThoseThatTheseName) {
  const std::map<std::string, std::string> included{
      {"tiles.hpp", "1"}, {"../q/lanes.hpp", "2"}, {"tiles_of_old.hpp", "3"}, {"helper.py", "4"}};
  const std::map<std::string, std::string> texts{{"1", "#include \"../q/lanes.hpp\""}, {"2", ""}};
  const auto text_of = [&](const std::string& sha256) {
    const auto found = texts.find(sha256);
    return found == texts.end() ? nullptr : &found->second;
  };
  using Names = std::map<std::string, std::string>;
  EXPECT_EQ(named_files("#include \"tiles.hpp\"", included, text_of),
            (Names{{"tiles.hpp", "1"}, {"../q/lanes.hpp", "2"}}));
  EXPECT_EQ(named_files("from helper import x", included, text_of), (Names{{"helper.py", "4"}}));
  EXPECT_EQ(named_files("my_tiles tiles2", included, text_of), Names{});
}

}  // namespace
}  // namespace podium::record
