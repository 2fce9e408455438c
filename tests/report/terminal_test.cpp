// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What people see of a run on a terminal, to the letter.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "suite/report/format.hpp"
#include "suite/report/render.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using sample::around;
using sample::everything;
using testing::AllOf;
using testing::HasSubstr;

std::string shown(const sample::Run& run, Style style = {}) {
  return fmt::format("\n{}", terminal(report_of(run.get()), style));
}

TEST(Terminal, Everything) {
  EXPECT_EQ(shown(everything()), R"(
NVIDIA H200 (sm_90)

softmax · f32 · bench · Row-wise softmax
2 workloads; 7 rounds; differences below 0.2 % do not count

rank  contestant  kind          vs cudnn (95 %)          time*      ±  GB/s  TFLOP/s  % SOL  err/tol  notes
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────
1     online      portable      1.143× (1.143–1.143)  437.3 µs  0.0 %  2287    1.143   57.2     0.25
2–3?  cudnn       cuda          baseline              500.0 µs  0.0 %  2000    1.000   50.0     0.25
2–3?  two_pass    portable      0.988× (0.976–1.000)  506.5 µs  2.3 %  1974   0.9872   49.4     0.12
4     sealed      cuda, sealed  0.884× (0.884–0.884)  565.7 µs  0.0 %  1768   0.8839   44.2     0.12
–     half                      –                            –            –        –      –     0.12  not supported
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

half is not ranked: not supported: rows=8192,cols=8192: `when: cols > 9000` does not hold
? neither a difference nor equality is shown, more rounds would decide: cudnn / two_pass
* geometric mean over the workloads, as are the rates beside it
% SOL: least time by the device's measured rates of memory, over the time

all problems

contestant  problems  boards  workloads  win rate   fast_1  fast_1.5  fast_2
────────────────────────────────────────────────────────────────────────────
half               1       1          1   100.0 %  100.0 %     0.0 %   0.0 %
online             1       1          2   100.0 %  100.0 %     0.0 %   0.0 %
sealed             1       1          2    50.0 %   50.0 %     0.0 %   0.0 %
broken             1       1          2     0.0 %    0.0 %     0.0 %   0.0 %
two_pass           1       1          2     0.0 %    0.0 %     0.0 %   0.0 %
wrong              1       1          2     0.0 %    0.0 %     0.0 %   0.0 %

win rate: share of workloads on which the contestant is shown to be faster than the baseline. fast_p: share on which
  its mean speed-up is above p. Wrong or unfinished ones count as lost
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

rank  contestant  kind      vs cudnn (95 %)           time      ±  GB/s  TFLOP/s  % SOL  err/tol  title
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
1–3?  online      portable  1.001× (0.994–1.008)  499.5 µs  1.0 %  2002    1.001   50.1     0.12  One block a row, one …
1–3?  cudnn       cuda      baseline              500.0 µs  0.0 %  2000    1.000   50.0     0.12  cuDNN
1–3?  two_pass    portable  0.999× (0.999–0.999)  500.5 µs  0.0 %  1998   0.9990   50.0     0.12  Two passes

? neither a difference nor equality is shown, more rounds would decide: online / cudnn, online / two_pass
% SOL: least time by the device's measured rates of memory, over the time

all problems

contestant  problems  boards  workloads  win rate   fast_1  fast_1.5  fast_2
────────────────────────────────────────────────────────────────────────────
online             1       1          1     0.0 %  100.0 %     0.0 %   0.0 %
two_pass           1       1          1     0.0 %    0.0 %     0.0 %   0.0 %

win rate: share of workloads on which the contestant is shown to be faster than the baseline. fast_p: share on which
  its mean speed-up is above p. Wrong or unfinished ones count as lost
)");
}

TEST(Terminal, OneContestantInPlainAscii) {
  EXPECT_EQ(shown(sample::Run().timed({"online", around(250)}), {.columns = 120, .unicode = false}), R"(
NVIDIA H200 (sm_90)

softmax | f32 | bench | Row-wise softmax
workload rows=4096,cols=32768; 7 rounds; differences below 1 % do not count

rank  contestant  kind          time      ~  GB/s  TFLOP/s  % SOL  err/tol  title
-----------------------------------------------------------------------------------------------------
1     online      portable  250.0 us  1.0 %  4000    2.000  100.0     0.12  One block a row, one pass

no speed-up: the baseline cudnn was not timed
% SOL: least time by the device's measured rates of memory, over the time
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

contestant  kind      vs cudnn (95 %)           time      ±    GB/s  TFLOP/s  % SOL  err/tol  notes
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
online      portable  1.054× (1.054–1.054)  3.700 µs  1.0 %  270270    135.1  100.0     0.12  faster than calibrated
cudnn       cuda      baseline              3.900 µs  1.0 %  256410    128.2  100.0     0.12  faster than calibrated

no ranks: they take 7 rounds (--rounds 7)
quick workloads: ranked among themselves, not to be compared with bench
faster than calibrated, which % SOL shows as 100: online at 6756.8 %, cudnn at 6410.3 % of the ceiling
% SOL: least time by the device's measured rates of memory, over the time

all problems

contestant  problems  boards  workloads  win rate   fast_1  fast_1.5  fast_2
────────────────────────────────────────────────────────────────────────────
online             1       1          1     0.0 %  100.0 %     0.0 %   0.0 %

win rate: share of workloads on which the contestant is shown to be faster than the baseline. fast_p: share on which
  its mean speed-up is above p. Wrong or unfinished ones count as lost
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

TEST(Terminal, BlockingAndFasterThanCalibratedAreNoted) {
  sample::Run run;
  run.timed({"online", std::vector(7, 100.)});
  auto record = run.get();
  record.entries[3].blocking = true;
  EXPECT_THAT(terminal(report_of(record), {}),
              AllOf(HasSubstr("blocking, faster than calibrated"), HasSubstr("launch latency")));
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

}  // namespace
}  // namespace podium::report
