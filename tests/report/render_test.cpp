// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What people and programs see of a run, to the letter.
#include "suite/report/render.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "suite/base/error.hpp"
#include "suite/report/format.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using sample::around;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string second = "rows=8192,cols=8192";

// One of everything on two workloads.
sample::Run everything() {
  sample::Run run;
  run.provenance().boards[0].workloads.push_back(second);
  run.verified("cudnn").baseline(500).baseline(500, second);
  run.verified("online")
      .timed({"online", std::vector(7, 450.)})
      .timed({"online", std::vector(7, 425.), second});
  run.timed({"two_pass", {499, 503, 511, 480, 520, 505, 500}}).timed({"two_pass", around(510), second});
  run.timed({"sealed", std::vector(7, 400.)}).timed({"sealed", std::vector(7, 800.), second});
  run.timed({"half", around(490)});
  run.entry({.stage = "bench",
             .workload = second,
             .contestant = "half",
             .round = 0,
             .verdict = "not supported",
             .text = "`when: cols > 9000` does not hold"});
  run.verified("emulated", true);
  run.failed("broken", "did not compile", "broken.cu:12: error: expected ';' before '}' token");
  run.failed("wrong", "wrong", "y[3, 4] is 0.5,\nexpected 0.25 \x1b[31m(limit 1e-6)");
  run.failed("nolib", "missing library", "flashinfer was not found");
  return run;
}

std::string shown(const sample::Run& run, Style style = {}) {
  return fmt::format("\n{}", terminal(report_of(run.get()), style));
}

TEST(Terminal, Everything) {
  EXPECT_EQ(shown(everything()), R"(
NVIDIA H200 (sm_90)

softmax · f32 · bench · Row-wise softmax
2 workloads; 7 rounds; differences below 0.2 % do not count

rank  contestant  kind          vs cudnn (95 %)          time*      ±  GB/s  TFLOP/s  % light  err/tol  notes
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
1     online      portable      1.143× (1.143–1.143)  437.3 µs  0.0 %  2287    1.143     57.2     0.25
2–3?  cudnn       cuda          baseline              500.0 µs  0.0 %  2000    1.000     50.0     0.25
2–3?  two_pass    portable      0.988× (0.976–1.000)  506.5 µs  2.3 %  1974   0.9872     49.4     0.12
4     sealed      cuda, sealed  0.884× (0.884–0.884)  565.7 µs  0.0 %  1768   0.8839     44.2     0.12
–     half                      –                            –            –        –        –     0.12  not supported
–     emulated                  verified, not timed (emulated)
–     broken                    did not compile: broken.cu:12: error: expected ';' before '}' token
–     wrong                     wrong: y[3, 4] is 0.5, expected 0.25 [31m(limit 1e-6)
–     nolib                     missing library: flashinfer was not found

contestant  rows=4096,cols=32768  rows=8192,cols=8192
─────────────────────────────────────────────────────
online           450.0 µs ±0.0 %      425.0 µs ±0.0 %
cudnn            500.0 µs ±0.0 %      500.0 µs ±0.0 %
two_pass         503.0 µs ±4.6 %      510.0 µs ±1.0 %
sealed           400.0 µs ±0.0 %      800.0 µs ±0.0 %
half             490.0 µs ±1.0 %                    –

* geometric mean over the workloads, as are the rates beside it
? neither told apart nor shown equal, more rounds would tell: cudnn / two_pass
half is not ranked: not supported: rows=8192,cols=8192: `when: cols > 9000` does not hold
% light: least traffic at the device's measured copy rate, over the time
)");
}

TEST(Terminal, ATieOnOneWorkload) {
  EXPECT_EQ(shown(sample::Run()
                      .baseline(500)
                      .timed({"online", around(499.5)})
                      .timed({"two_pass", std::vector(7, 500.5)})),
            R"(
NVIDIA H200 (sm_90)

softmax · f32 · bench · Row-wise softmax
workload rows=4096,cols=32768; 7 rounds; differences below 0.2 % do not count

rank  contestant  kind      vs cudnn (95 %)           time      ±  GB/s  TFLOP/s  % light  err/tol  title
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
1–3?  online      portable  1.001× (0.994–1.008)  499.5 µs  1.0 %  2002    1.001     50.1     0.12  One block a row, on…
1–3?  cudnn       cuda      baseline              500.0 µs  0.0 %  2000    1.000     50.0     0.12  cuDNN
1–3?  two_pass    portable  0.999× (0.999–0.999)  500.5 µs  0.0 %  1998   0.9990     50.0     0.12  Two passes

? neither told apart nor shown equal, more rounds would tell: online / cudnn, online / two_pass
% light: least traffic at the device's measured copy rate, over the time
)");
}

TEST(Terminal, OneContestantInPlainAscii) {
  EXPECT_EQ(shown(sample::Run().timed({"online", around(250)}), {.columns = 120, .unicode = false}), R"(
NVIDIA H200 (sm_90)

softmax | f32 | bench | Row-wise softmax
workload rows=4096,cols=32768; 7 rounds; differences below 1 % do not count

rank  contestant  kind          time      ~  GB/s  TFLOP/s  % light  err/tol  title
-------------------------------------------------------------------------------------------------------
1     online      portable  250.0 us  1.0 %  4000    2.000    100.0     0.12  One block a row, one pass

no speed-up: the baseline cudnn was not timed
% light: least traffic at the device's measured copy rate, over the time
)");
}

TEST(Terminal, TooFewRoundsOfAQuickRun) {
  sample::Run run;
  run.provenance().boards[0].stage = "quick";
  run.provenance().rounds = 3;
  EXPECT_EQ(shown(run.timed({"online", around(3.7, 3), "rows=4096,cols=32768", "quick"})
                      .timed({"cudnn", around(3.9, 3), "rows=4096,cols=32768", "quick"})),
            R"(
NVIDIA H200 (sm_90)

softmax · f32 · quick · Row-wise softmax
workload rows=4096,cols=32768; 3 rounds

contestant  kind      vs cudnn (95 %)           time      ±    GB/s  TFLOP/s  % light  err/tol  notes
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────
online      portable  1.054× (1.054–1.054)  3.700 µs  1.0 %  270270    135.1   6756.8     0.12  faster than copying
cudnn       cuda      baseline              3.900 µs  1.0 %  256410    128.2   6410.3     0.12  faster than copying

quick workloads: ranked among themselves, not to be compared with bench
no ranks: they take 7 rounds (--rounds 7)
% light: least traffic at the device's measured copy rate, over the time
)");
}

TEST(Terminal, VerificationOnly) {
  sample::Run run;
  run.provenance().boards[0].stage = "";
  run.provenance().boards[0].workloads.clear();
  EXPECT_EQ(
      shown(run.verified("online").verified("emulated", true).failed("wrong", "hung", "no answer in 30 s")),
      R"(
NVIDIA H200 (sm_90)

softmax · f32 · verification · Row-wise softmax
verified on test workloads; nothing is timed or ranked

contestant  kind
────────────────────────────────────────
emulated              verified, not timed (emulated)
online      portable  verified, not timed
wrong                 hung: no answer in 30 s
)");
}

TEST(Terminal, NoRowsAndNoBoards) {
  EXPECT_EQ(shown(sample::Run()), R"(
NVIDIA H200 (sm_90)

softmax · f32 · bench · Row-wise softmax
workload rows=4096,cols=32768; 0 rounds

no contestant has an entry
)");
  EXPECT_EQ(shown(sample::Run(record::Provenance{})), R"(
unknown device
no board has an entry
)");
}

TEST(Terminal, NothingIsWiderThanTheTerminal) {
  for (std::size_t columns = 40; columns <= 200; columns += 3) {
    std::istringstream lines(shown(everything(), {.columns = columns}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(width(line), columns) << line;
  }
}

TEST(Terminal, NarrowOnesKeepRankNameAndSpeedUp) {
  const std::string text = shown(everything(), {.columns = 60});
  EXPECT_THAT(text, AllOf(HasSubstr("rank"), HasSubstr("online"), HasSubstr("1.143×")));
}

TEST(Terminal, ContestantsTextCannotSteerIt) {
  sample::Run run;
  run.failed("evil", "threw",
             "\x1b]0;title\x07 \xc2\x9b"
             "2J\r\n\n  1  evil  100×");
  const std::string text = shown(run);
  EXPECT_EQ(text.find_first_of("\x1b\x07\r"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("evil        threw: ]0;title 2J 1 evil 100×\n"));
}

TEST(Terminal, BlockingAndFasterThanCopyingAreNoted) {
  sample::Run run;
  run.timed({"online", std::vector(7, 100.)});
  auto record = run.get();
  record.entries[3].blocking = true;
  EXPECT_THAT(terminal(report_of(record), {}),
              AllOf(HasSubstr("blocking, faster than copying"), HasSubstr("launch latency")));
}

TEST(Terminal, ABaselineThatFailedIsSaid) {
  const std::string text =
      shown(sample::Run().timed({"online", around(250)}).failed("cudnn", "crashed", "signal 11"));
  EXPECT_THAT(text, AllOf(HasSubstr("no speed-up: the baseline cudnn was not timed"),
                          HasSubstr("cudnn       cuda"), HasSubstr("crashed: signal 11")));
}

TEST(Terminal, AnUnfinishedRunIsSaid) {
  auto record = sample::Run().baseline(500).timed({"online", around(250)}).get();
  record.entries.pop_back();
  const std::string text = terminal(report_of(record), {});
  EXPECT_THAT(text, AllOf(HasSubstr("unfinished: 6 of 7 rounds are complete"),
                          HasSubstr("no ranks: they take 7 rounds")));
}

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
| rounds | 7, order from seed 0000000000000000 |
| sandbox | uid, seccomp |
| attested | yes |
| wall time | 100 s |

Times are medians of the rounds' medians, caches cold, every timed call checked; `±` is the farther end of the 95 % interval of the median in percent. A rank such as 2–3 is a span: the measurement does not tell these rows apart. `err/tol` is the largest error found over its limit.

## softmax · f32 · bench

Row-wise softmax: 2 workloads; 7 rounds; differences below 0.2 % do not count.

| rank | contestant | kind | vs cudnn (95 %) | time\* | ± | GB/s | TFLOP/s | % light | err/tol | notes | title |
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

- \* geometric mean over the workloads, as are the rates beside it
- ? neither told apart nor shown equal, more rounds would tell: cudnn / two_pass
- half is not ranked: not supported: rows=8192,cols=8192: \`when: cols > 9000\` does not hold
- % light: least traffic at the device's measured copy rate, over the time
)");
}

TEST(Json, IsWhatTheBoardsAre) {
  const auto json = nlohmann::json::parse(render(everything().get(), "json"));
  EXPECT_EQ(json.at("schema"), 1);
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
            "median_us,low_us,high_us,gb_per_s,tflop_per_s,light,hot_us,graph_us,end_to_end_us,worst_error,"
            "blocking,verdict,text,clock_mhz,temperature_c,power_w,energy_uj,watts,sm_active_percent,"
            "memory_bandwidth_percent,tensor_active_percent");
  EXPECT_THAT(all[1], testing::StartsWith(
                          "nvidia-h200-sm_90-140g,softmax,f32,bench,\"rows=4096,cols=32768\",online,portable,"
                          "native,ranked,1,1,1.1433"));
  EXPECT_THAT(all[13], testing::EndsWith(",broken,,,failed,,,,,,,,,,,,,,,0,0,did not compile,"
                                         "broken.cu:12: error: expected ';' before '}' token,,,,,,,,"));
  EXPECT_THAT(all[14], testing::EndsWith("\"y[3, 4] is 0.5, expected 0.25 [31m(limit 1e-6)\",,,,,,,,"));
}

TEST(Render, RefusesAnUnknownFormat) {
  try {
    render(sample::Run().get(), "html");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "--format html: expected table, md, json or csv");
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
  publish(everything().get(), folder_);
  EXPECT_EQ(text(folder_ / "README.md"), render(everything().get(), "md"));
  sample::Run quick;
  quick.provenance().boards[0].stage = "quick";
  quick.baseline(3, "rows=4096,cols=32768", "quick");
  EXPECT_THROW(publish(quick.get(), folder_ / "quick"), Error);
  EXPECT_THROW(publish(sample::Run().verified("online").get(), folder_ / "quick"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "quick"));
}

}  // namespace
}  // namespace podium::report
