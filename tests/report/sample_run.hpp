// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Runs made up for tests: exact times, so that what is shown can be worked out by hand.
#pragma once
#include <string>
#include <vector>

#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::report::sample {

inline record::Provenance provenance() {
  return {.podium = "0.1.0",
          .commit = "0123456789ab",
          .command = "podium run softmax --full",
          .started = "2025-01-31T13:45:00Z",
          .device = {.backend = "cuda",
                     .product = "NVIDIA H200",
                     .architecture = "sm_90",
                     .memory = 150'110'011'392},
          .driver = "580.1, CUDA 13.0",
          .multiprocessors = 132,
          .last_level_cache = 60 << 20,
          .cpu = "Some CPU",
          .kernel = "Linux 6.1",
          .compilers = {{.backend = "cuda", .version = "nvcc 13.0", .flags = {"-O3", "-std=c++17"}}},
          .contestants = {{.problem = "softmax",
                           .name = "online",
                           .title = "One block a row, one pass",
                           .kind = "portable",
                           .tier = "native",
                           .sha256 = record::sha256("text")},
                          {.problem = "softmax",
                           .name = "cudnn",
                           .title = "cuDNN",
                           .kind = "cuda",
                           .tier = "native",
                           .sha256 = record::sha256("text")},
                          {.problem = "softmax",
                           .name = "two_pass",
                           .title = "Two passes",
                           .kind = "portable",
                           .tier = "native",
                           .sha256 = record::sha256("text")},
                          {.problem = "softmax",
                           .name = "sealed",
                           .title = "A launch list",
                           .kind = "cuda",
                           .tier = "sealed",
                           .sha256 = record::sha256("text")}},
          .boards = {{.problem = "softmax",
                      .title = "Row-wise softmax",
                      .types = "f32",
                      .stage = "bench",
                      .baseline = "cudnn",
                      .sha256 = record::sha256("softmax"),
                      .workloads = {"rows=4096,cols=32768"}}},
          .sandbox = {"uid", "seccomp"},
          .rounds = 7,
          .copy_bytes_per_second = 4e12,
          .wall_seconds = 100};
}

inline measure::Median exactly(double time) { return {.value = time, .low = time, .high = time}; }

// Entries of one contestant: a test that is right, then `times[round]` on `workload`.
struct Timed {
  std::string contestant;
  std::vector<double> times;
  std::string workload = "rows=4096,cols=32768";
  std::string stage = "bench";
  bool twin = false;
};

class Run {
 public:
  explicit Run(record::Provenance provenance = sample::provenance()) : provenance_(std::move(provenance)) {}

  Run& entry(record::Entry entry) {
    if (entry.problem.empty()) entry.problem = "softmax";
    if (entry.types.empty()) entry.types = "f32";
    entries_.push_back(std::move(entry));
    return *this;
  }
  Run& verified(const std::string& contestant, bool emulated = false) {
    return entry({.stage = "test",
                  .workload = "rows=7",
                  .contestant = contestant,
                  .emulated = emulated,
                  .verdict = Verdict::right,
                  .worst = 0.25});
  }
  Run& timed(const Timed& timed) {
    for (std::size_t round = 0; round < timed.times.size(); ++round)
      entry({.stage = timed.stage,
             .workload = timed.workload,
             .contestant = timed.contestant,
             .twin = timed.twin,
             .round = static_cast<int>(round),
             .verdict = Verdict::right,
             .microseconds = {timed.times[round]},
             .median = exactly(timed.times[round]),
             .worst = 0.125,
             .bytes = 1e9,
             .flops = 5e8});
    return *this;
  }
  // The baseline and its twin.
  Run& baseline(double time, const std::string& workload = "rows=4096,cols=32768",
                const std::string& stage = "bench") {
    for (const bool twin : {false, true})
      timed({.contestant = "cudnn",
             .times = std::vector(7, time),
             .workload = workload,
             .stage = stage,
             .twin = twin});
    return *this;
  }
  Run& failed(const std::string& contestant, const std::string& verdict, const std::string& text) {
    return entry(
        {.contestant = contestant, .verdict = record::RecordedVerdict::from_word(verdict), .text = text});
  }
  record::Provenance& provenance() { return provenance_; }
  record::Run get() const {
    return {.folder = "results/x/y", .provenance = to_json(provenance_), .entries = entries_};
  }

 private:
  record::Provenance provenance_;
  std::vector<record::Entry> entries_;
};

// `count` times around `middle`, one percent to either side.
inline std::vector<double> around(double middle, int count = 7) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(middle * (1 + 0.01 * (i - count / 2) / (count / 2)));
  return times;
}

inline const std::string second = "rows=8192,cols=8192";

// One of everything on two workloads.
inline Run everything() {
  Run run;
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
             .verdict = Verdict::unsupported,
             .text = "`when: cols > 9000` does not hold"});
  run.verified("emulated", true);
  run.failed("broken", "did not compile", "broken.cu:12: error: expected ';' before '}' token");
  run.failed("wrong", "wrong", "y[3, 4] is 0.5,\nexpected 0.25 \x1b[31m(limit 1e-6)");
  run.failed("nolib", "missing library", "flashinfer was not found");
  return run;
}

}  // namespace podium::report::sample
