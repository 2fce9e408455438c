// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark 1.7 to 1.9 as one interface: what differs between them is met here and nowhere else.
#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace podium::cli {

// A reporter of Google Benchmark under the plain names: without "/iterations:1/repeats:7/manual_time".
template <class Base>
class PlainNames : public Base {
 public:
  using typename Base::Context;
  using typename Base::Run;

  template <class... Arguments>
  explicit PlainNames(std::size_t name_width, Arguments... arguments)
      : Base(arguments...), name_width_(name_width) {}

  bool ReportContext(const Context& context) override {
    Context plain = context;
    plain.name_field_width = name_width_;
    return Base::ReportContext(plain);
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> plain = runs;
    for (Run& run : plain) {
      run.run_name.iterations.clear();
      run.run_name.repetitions.clear();
      run.run_name.time_type.clear();
    }
    Base::ReportRuns(plain);
  }

 private:
  std::size_t name_width_;
};

using PlainConsole = PlainNames<benchmark::ConsoleReporter>;
using PlainJson = PlainNames<benchmark::JSONReporter>;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wdeprecated-declarations"  // CSV is deprecated for new uses, and a documented format
using PlainCsv = PlainNames<benchmark::CSVReporter>;
#pragma GCC diagnostic pop

// `body` is called once a repetition. The result's type moved from benchmark::internal to benchmark in 1.9,
// and the name's from const char* to std::string in 1.8.
template <class Body>
auto* register_manual(const std::string& name, Body body, int repetitions, benchmark::TimeUnit unit) {
  return benchmark::RegisterBenchmark(name.c_str(), std::move(body))
      ->UseManualTime()
      ->Iterations(1)
      ->Repetitions(std::max(repetitions, 1))
      ->Unit(unit);
}

}  // namespace podium::cli
