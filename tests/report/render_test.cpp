// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What files and programs get of a run, to the letter.
#include "suite/report/render.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"
#include "suite/report/format.hpp"
#include "suite/report/long_table.hpp"
#include "tests/paths.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using sample::everything;

TEST(Markdown, Everything) {
  EXPECT_EQ(fmt::format("\n{}", markdown(report_of(everything().get()))), R"(
# NVIDIA H200 (sm_90)

| | |
| --- | --- |
| device | NVIDIA H200 (sm_90) |
| memory | 139.8 GiB |
| last-level cache | 60.0 MiB |
| multiprocessors | 132 |
| copy, measured | 4000 GB/s read and written |
| driver | 580.1, CUDA 13.0 |
| processor | Some CPU |
| kernel | Linux 6.1 |
| compiler | cuda: nvcc 13.0 -O3 -std=c++17 |
| Podium | 0.1.0, commit 0123456789ab |
| date | 2025-01-31T13:45:00Z |
| command | podium run softmax --full |
| rounds | 7 |
| sandbox | uid, seccomp |
| attested | yes |
| wall time | 100 s |

Times are medians of the rounds' medians, caches cold, every timed call checked; `±` is the farther end of the 95 % interval of the median in percent. A rank such as 2–3 is a span: the measurement does not tell these rows apart. `err/tol` is the largest error found over its limit.

## All problems

| contestant | problems | boards | workloads | win rate | fast_1 | fast_1.5 | fast_2 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| half | 1 | 1 | 1 | 100.0 % | 100.0 % | 0.0 % | 0.0 % |
| online | 1 | 1 | 2 | 100.0 % | 100.0 % | 0.0 % | 0.0 % |
| sealed | 1 | 1 | 2 | 50.0 % | 50.0 % | 0.0 % | 0.0 % |
| broken | 1 | 1 | 2 | 0.0 % | 0.0 % | 0.0 % | 0.0 % |
| two_pass | 1 | 1 | 2 | 0.0 % | 0.0 % | 0.0 % | 0.0 % |
| wrong | 1 | 1 | 2 | 0.0 % | 0.0 % | 0.0 % | 0.0 % |

- win rate: share of workloads on which the contestant is shown to be faster than the baseline. fast_p: share on which its mean speed-up is above p. Wrong or unfinished ones count as lost

## softmax · f32 · bench

Row-wise softmax: 2 workloads; 7 rounds; differences below 0.2 % do not count.

| rank | contestant | kind | vs cudnn (95 %) | time\* | ± | GB/s | TFLOP/s | % SOL | err/tol | notes | title |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |
| 1 | online | portable | 1.143× (1.143–1.143) | 437.3 µs | 0.0 % | 2287 | 1.143 | 57.2 | 0.25 |  | One block a row, one pass |
| 2–3? | cudnn | cuda | baseline | 500.0 µs | 0.0 % | 2000 | 1.000 | 50.0 | 0.25 |  | cuDNN |
| 2–3? | two_pass | portable | 0.988× (0.976–1.000) | 506.5 µs | 2.3 % | 1974 | 0.9872 | 49.4 | 0.12 |  | Two passes |
| 4 | sealed | cuda, sealed | 0.884× (0.884–0.884) | 565.7 µs | 0.0 % | 1768 | 0.8839 | 44.2 | 0.12 |  | A launch list |
| – | half |  | – | – |  | – | – | – | 0.12 | not supported |  |
| – | emulated |  | verified, not timed (emulated) |  |  |  |  |  |  |  |  |
| – | broken |  | did not compile: broken.cu:12: error: expected ';' before '}' token |  |  |  |  |  |  |  |  |
| – | wrong |  | wrong: y\[3, 4\] is 0.5, expected 0.25 \[31m(limit 1e-6) |  |  |  |  |  |  |  |  |
| – | nolib |  | missing library: flashinfer was not found |  |  |  |  |  |  |  |  |

| contestant | rows=4096,cols=32768 | rows=8192,cols=8192 |
| --- | ---: | ---: |
| online | 450.0 µs ±0.0 % | 425.0 µs ±0.0 % |
| cudnn | 500.0 µs ±0.0 % | 500.0 µs ±0.0 % |
| two_pass | 503.0 µs ±4.6 % | 510.0 µs ±1.0 % |
| sealed | 400.0 µs ±0.0 % | 800.0 µs ±0.0 % |
| half | 490.0 µs ±1.0 % | – |

- half is not ranked: not supported: rows=8192,cols=8192: \`when: cols > 9000\` does not hold
- ? neither a difference nor equality is shown, more rounds would decide: cudnn / two_pass
- \* geometric mean over the workloads, as are the rates beside it
- % SOL: least time by the device's measured rates of memory, over the time
)");
}

TEST(Markdown, SaysWhatTheJudgeChecked) {
  sample::Run run = everything();
  EXPECT_THAT(render(run.get(), "md"), testing::Not(testing::HasSubstr("| checked |")))
      << "of an older Podium";
  run.entry({.contestant = "online",
             .verdict = Verdict::right,
             .checked = {.calls = 3, .elements = 300, .compared = 30, .examined = 2, .bytes = 2048}});
  EXPECT_THAT(render(run.get(), "md"),
              testing::HasSubstr(
                  "| checked | 3 calls: 300 elements of outputs for poison and infinities, 30 of these with "
                  "a reference; 2 by the problem's checks; 2.000 KiB of guards and inputs for changes |"));
}

TEST(Json, IsWhatTheBoardsAre) {
  const auto json = nlohmann::json::parse(render(everything().get(), "json"));
  EXPECT_EQ(json.at("schema"), record::schema);
  EXPECT_EQ(json.at("provenance").at("commit"), "0123456789ab");
  const auto& rows = json.at("boards").at(0).at("rows");
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(rows[0].at("contestant"), "online");
  EXPECT_EQ(rows[0].at("rank"), 1);
  EXPECT_EQ(rows[0].at("standing"), "ranked");
  EXPECT_NEAR(rows[0].at("score"), 1.1433, 1e-4);
  EXPECT_EQ(rows[0].at("workloads").at(1).at("median_us"), 425);
  EXPECT_EQ(rows[4].at("standing"), "unranked");
  EXPECT_TRUE(rows[4].at("rank").is_null());
  EXPECT_TRUE(rows[4].at("score").is_null());
  EXPECT_EQ(rows[4].at("workloads").at(1).at("declined"), "`when: cols > 9000` does not hold");
  EXPECT_EQ(rows[6].at("verdict"), "did not compile");
  EXPECT_EQ(rows[8].at("standing"), "declined");
}

TEST(Csv, HasOneLineARowAndWorkload) {
  std::istringstream lines(render(everything().get(), "csv"));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 1u + 6 * 2 + 3);
  EXPECT_EQ(all[0],
            "device,problem,types,stage,workload,contestant,kind,tier,standing,rank,last,score,score_low,"
            "score_high,"
            "median_us,low_us,high_us,gb_per_s,tflop_per_s,sol,sol_raw,hot_us,graph_us,end_to_end_us,steady_"
            "us,constructor_us,skew_us,"
            "worst_error,"
            "blocking,verdict,text,clock_mhz,temperature_c,power_w,energy_uj,watts,bus_gb_per_s,link_percent,"
            "sm_active_percent,memory_bandwidth_percent,tensor_active_percent,title,author,run,series,within_"
            "device_percent,"
            "between_devices_percent");
  EXPECT_THAT(all[1], testing::StartsWith(
                          "nvidia-h200-sm_90-140g,softmax,f32,bench,\"rows=4096,cols=32768\",online,portable,"
                          "native,ranked,1,1,1.1433"));
  EXPECT_THAT(all[13],
              testing::EndsWith(",broken,,,failed,,,,,,,,,,,,,,,,,,,0,0,did not compile,"
                                "broken.cu:12: error: expected ';' before '}' token,,,,,,,,,,,,,,0,,"));
  EXPECT_THAT(all[14],
              testing::EndsWith("\"y[3, 4] is 0.5, expected 0.25 [31m(limit 1e-6)\",,,,,,,,,,,,,,0,,"));
}

TEST(Csv, ColumnsAreThoseOfTheDocuments) {
  const std::string page = text_of(std::filesystem::path(test::source_dir()) / "docs/exports.md");
  std::string rows;
  for (const auto& column : long_table(report_of(everything().get())).columns)
    rows += fmt::format("| `{}` | {} | {} |\n", column.name, column.type, column.meaning);
  EXPECT_TRUE(page.find("| --- | --- | --- |\n" + rows + "\n") != page.npos)
      << "docs/exports.md must hold this table:\n"
      << rows;
}

TEST(Csv, WhatASpreadsheetWouldRunIsText) {
  sample::Run run = everything();
  run.provenance().contestants[0].title = "=HYPERLINK(\"http://x\")";
  run.provenance().contestants[0].author = "+1";
  run.provenance().contestants[1].author = "@SUM(A1)";
  run.provenance().contestants[2].author = "-1+2";
  const std::string csv = render(run.get(), "csv");
  EXPECT_THAT(csv, testing::HasSubstr(",\"'=HYPERLINK(\"\"http://x\"\")\",+1,,0,,\n"));
  EXPECT_THAT(csv, testing::HasSubstr(",'@SUM(A1),,0,,\n"));
  EXPECT_THAT(csv, testing::HasSubstr(",'-1+2,,0,,\n"));
}

TEST(Latex, EscapesWhatContestantsWrote) {
  EXPECT_EQ(latex_escaped("a_b & {c} 5% $x$ #1 ~ ^ \\input{/etc/passwd} <|>"),
            "a\\_b \\& \\{c\\} 5\\% \\$x\\$ \\#1 \\textasciitilde{} \\textasciicircum{} "
            "\\textbackslash{}input\\{/etc/passwd\\} \\textless{}\\textbar{}\\textgreater{}");
  EXPECT_EQ(latex_escaped("a--b---c ``d'' bf16-f32"), "a-{}-b-{}-{}-c `{}`d'{}' bf16-f32");
  EXPECT_EQ(latex_escaped("one\nline"), "one line");
}

TEST(Render, RefusesAnUnknownFormat) {
  try {
    render(sample::Run().get(), "html");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "--format: found \"html\", expected one of table, md, json, csv, latex, benchmark, t4");
  }
}

class Environment : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : names) unsetenv(name);
  }
  void TearDown() override { SetUp(); }
  static constexpr const char* names[] = {"COLUMNS", "TERM", "LC_ALL", "LC_CTYPE", "LANG"};
};

TEST_F(Environment, SaysWidthAndCharacters) {
  EXPECT_TRUE(terminal_style().unicode);
  setenv("COLUMNS", "77", 1);
  EXPECT_EQ(terminal_style().columns, 77u);
  setenv("LANG", "de_DE.UTF-8@euro", 1);
  EXPECT_TRUE(terminal_style().unicode);
  setenv("LC_ALL", "de_DE.ISO-8859-1", 1);
  EXPECT_FALSE(terminal_style().unicode);
  setenv("LC_ALL", "C.utf8", 1);
  EXPECT_TRUE(terminal_style().unicode);
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(terminal_style().unicode);
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "podium-report-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static std::string text(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::filesystem::path folder_;
};

TEST_F(Files, AreWrittenBesideTheRun) {
  const auto run = everything().get();
  write(run, folder_ / "a" / "b");
  EXPECT_EQ(text(folder_ / "a" / "b" / "report.md"), render(run, "md"));
  EXPECT_EQ(text(folder_ / "a" / "b" / "report.json"), render(run, "json"));
  EXPECT_EQ(text(folder_ / "a" / "b" / "report.csv"), render(run, "csv"));
}

TEST_F(Files, OnlyBenchResultsArePublished) {
  publish(report_of(everything().get()), folder_);
  EXPECT_EQ(text(folder_ / "README.md"), render(everything().get(), "md"));
  sample::Run quick;
  quick.provenance().boards[0].stage = "quick";
  quick.baseline(3, "rows=4096,cols=32768", "quick");
  EXPECT_THROW(publish(report_of(quick.get()), folder_ / "quick"), Error);
  EXPECT_THROW(publish(report_of(sample::Run().verified("online").get()), folder_ / "quick"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "quick"));
}

}  // namespace
}  // namespace podium::report
