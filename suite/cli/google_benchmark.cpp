// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/google_benchmark.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace podium::cli {
namespace {

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

benchmark::ConsoleReporter::OutputOptions console_options(const BenchmarkFlags& flags, bool file) {
  const char* term = std::getenv("TERM");
  const bool terminal = !file && isatty(STDOUT_FILENO) && term && std::strcmp(term, "dumb") != 0;
  const bool color = flags.color == "auto" ? terminal : !file && truth(flags.color).value_or(false);
  return static_cast<benchmark::ConsoleReporter::OutputOptions>(
      (color ? benchmark::ConsoleReporter::OO_Color : 0) |
      (flags.counters_tabular ? benchmark::ConsoleReporter::OO_Tabular : 0));
}

std::unique_ptr<benchmark::BenchmarkReporter> reporter(const std::string& format, const BenchmarkFlags& flags,
                                                       std::size_t name_width, bool file) {
  if (format == "json") return std::make_unique<PlainJson>(name_width);
  if (format == "csv") return std::make_unique<PlainCsv>(name_width);
  return std::make_unique<PlainConsole>(name_width, console_options(flags, file));
}

template <class State>
constexpr bool later_than_1_7 = requires(State& state) { state.skipped(); };

}  // namespace

void initialize(const std::vector<std::string>& flags, const std::string& out) {
  static std::string program = "podium";  // Google Benchmark keeps the pointer
  std::vector<std::string> arguments{"--benchmark_filter=.",
                                     "--benchmark_list_tests=false",
                                     "--benchmark_repetitions=1",
                                     "--benchmark_min_warmup_time=0",
                                     "--benchmark_enable_random_interleaving=false",
                                     "--benchmark_perf_counters=",
                                     "--benchmark_report_aggregates_only=false",
                                     "--benchmark_display_aggregates_only=false",
                                     fmt::format("--benchmark_out={}", out),
                                     "--benchmark_out_format=json"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  std::vector<char*> argv{program.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
}

std::string min_time_flag(double seconds) {
  return fmt::format("--benchmark_min_time={}{}", seconds, later_than_1_7<benchmark::State> ? "s" : "");
}

benchmark::TimeUnit unit_of(const BenchmarkFlags& flags) {
  if (flags.time_unit == "ns") return benchmark::kNanosecond;
  if (flags.time_unit == "ms") return benchmark::kMillisecond;
  return flags.time_unit == "s" ? benchmark::kSecond : benchmark::kMicrosecond;
}

void run_registered(const BenchmarkFlags& flags, std::size_t longest) {
  constexpr std::size_t suffix = 7;  // "_median", "_stddev"
  const auto display = reporter(flags.format, flags, longest + suffix, false);
  const auto file = flags.out.empty() ? nullptr : reporter(flags.out_format, flags, longest + suffix, true);
  benchmark::RunSpecifiedBenchmarks(display.get(), file.get(), ".");
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace podium::cli
