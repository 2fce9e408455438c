// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark as presenter of medians that are known already.
#include "suite/cli/benchmark_view.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <regex>
#include <string_view>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/cli/google_benchmark.hpp"

namespace podium::cli {
namespace {

constexpr int most_repetitions = 1000;
constexpr std::string_view prefix = "--benchmark_";

// How Google Benchmark would measure, and why that changes nothing here.
struct Answered {
  std::string name, why;
};
const std::vector<Answered> answered{
    {"min_time",
     "an entry ends when the interval of its median is narrow, its budget is spent or it has samples enough"},
    {"min_warmup_time", "every entry begins with one call that is thrown away, however long it takes"},
    {"enable_random_interleaving", "every round is in a random order of its own already"},
    {"perf_counters", "contestants run in processes of their own, where Google Benchmark counts nothing"},
};
constexpr std::string_view why_not_v =
    "Google Benchmark presents what Podium measured, and has nothing to log";
const std::vector<std::string> forwarded{"report_aggregates_only", "display_aggregates_only", "context"};
const std::vector<std::string> ours{"filter",     "list_tests", "repetitions", "format",  "out",
                                    "out_format", "color",      "time_unit",   "dry_run", "counters_tabular"};

bool among(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

std::optional<bool> truth(std::string value) {  // as Google Benchmark reads it
  std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
  if (among(value, {"", "1", "y", "t", "yes", "true", "on"})) return true;
  if (among(value, {"0", "n", "f", "no", "false", "off"})) return false;
  return std::nullopt;
}

[[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& expected) {
  throw Error(fmt::format("{}{}: found '{}', expected {}", prefix, name, value, expected));
}

bool switch_from(const std::string& name, const std::string& value) {
  const auto on = truth(value);
  if (!on) refuse(name, value, "true or false");
  return *on;
}

std::string choice_from(const std::string& name, const std::string& value,
                        const std::vector<std::string>& choices) {
  if (!among(value, choices)) refuse(name, value, fmt::format("{}", fmt::join(choices, ", ")));
  return value;
}

std::string filter_from(const std::string& value) {
  try {
    matches(value, "");
  } catch (const std::regex_error& e) {
    refuse("filter", value, fmt::format("a regular expression ({})", e.what()));
  }
  return value;
}

// "2s", "0.5", "100x": times and counts, as Google Benchmark reads them.
void expect_amount(const std::string& name, const std::string& value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view unit(end, value.data() + value.size());
  const bool counted = name == "min_time" && unit == "x";
  if (error != std::errc() || !(number >= 0) || (!unit.empty() && unit != "s" && !counted))
    refuse(name, value, name == "min_time" ? "seconds, 0.5s, or calls, 100x" : "seconds, 0.5");
}

int repetitions_from(const std::string& value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1 || number > most_repetitions)
    refuse("repetitions", value, fmt::format("a number from 1 to {}", most_repetitions));
  return number;
}

void set(BenchmarkFlags& flags, const std::string& name, const std::string& value) {
  if (name == "filter")
    flags.filter = filter_from(value);
  else if (name == "list_tests")
    flags.list_tests = switch_from(name, value);
  else if (name == "repetitions")
    flags.repetitions = repetitions_from(value);
  else if (name == "format")
    flags.format = choice_from(name, value, {"console", "json", "csv"});
  else if (name == "out")
    flags.out = value;
  else if (name == "out_format")
    flags.out_format = choice_from(name, value, {"console", "json", "csv"});
  else if (name == "time_unit")
    flags.time_unit = choice_from(name, value, {"ns", "us", "ms", "s"});
  else if (name == "counters_tabular")
    flags.counters_tabular = switch_from(name, value);
  else if (name == "dry_run")
    flags.dry_run = switch_from(name, value);
  else if (value != "auto" && !truth(value))
    refuse(name, value, "auto, true or false");
  else
    flags.color = value;
}

bool takes_value(const std::string& name) {
  return !among(name, {"list_tests", "counters_tabular", "report_aggregates_only", "display_aggregates_only",
                       "enable_random_interleaving", "color", "dry_run"});
}

benchmark::TimeUnit unit_of(const std::string& name) {
  if (name == "ns") return benchmark::kNanosecond;
  if (name == "ms") return benchmark::kMillisecond;
  return name == "s" ? benchmark::kSecond : benchmark::kMicrosecond;
}

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

// All of its flags that matter are given, so that its environment variables change nothing.
void initialize(const BenchmarkFlags& flags) {
  static std::string program = "podium";  // Google Benchmark keeps the pointer
  std::vector<std::string> arguments{
      "--benchmark_filter=.",          "--benchmark_list_tests=false",
      "--benchmark_min_warmup_time=0", "--benchmark_enable_random_interleaving=false",
      "--benchmark_perf_counters=",    fmt::format("--benchmark_out={}", flags.out),
      "--benchmark_out_format=json"};
  for (const char* name : {"report_aggregates_only", "display_aggregates_only"})
    arguments.push_back(fmt::format("{}{}=false", prefix, name));
  arguments.insert(arguments.end(), flags.forwarded.begin(), flags.forwarded.end());
  std::vector<char*> argv{program.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
}

void register_one(const Listed& listed, benchmark::TimeUnit unit) {
  const std::string error = !listed.error.empty()       ? listed.error
                            : listed.medians_us.empty() ? "not timed"
                                                        : "";
  auto body = [listed, error, next = std::size_t{0}](benchmark::State& state) mutable {
    if (!error.empty()) state.SkipWithError(error.c_str());
    for (auto _ : state) state.SetIterationTime(listed.medians_us.at(next++) * 1e-6);
    if (!error.empty()) return;
    if (listed.bytes > 0) state.SetBytesProcessed(static_cast<std::int64_t>(listed.bytes));
    if (listed.flops > 0)
      state.counters["flops"] = benchmark::Counter(listed.flops, benchmark::Counter::kIsRate);
  };
  register_manual(listed.name, std::move(body),
                  error.empty() ? static_cast<int>(listed.medians_us.size()) : 1, unit);
}

}  // namespace

BenchmarkFlags parse_benchmark_flags(int& argc, char** argv, std::ostream& err) {
  BenchmarkFlags flags;
  int kept = 0;
  const auto no_effect = [&](std::string_view flag, std::string_view why) {
    err << fmt::format("podium: {} has no effect: {}\n", flag, why);
  };
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (i > 0 && argument.starts_with("--v=")) {
      flags.given = argument;
      no_effect("--v", why_not_v);
      continue;
    }
    if (i == 0 || !argument.starts_with(prefix)) {
      argv[kept++] = argv[i];
      continue;
    }
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(prefix.size(), equals - prefix.size());
    const std::string value = equals < argument.size() ? argument.substr(equals + 1) : "";
    const auto answer = std::ranges::find(answered, name, &Answered::name);
    if (!among(name, ours) && !among(name, forwarded) && answer == answered.end()) {
      std::vector<std::string> all = ours;
      all.insert(all.end(), forwarded.begin(), forwarded.end());
      for (const Answered& one : answered) all.push_back(one.name);
      throw Error(fmt::format("{}: {}", prefix, found_one_of(name, all)));
    }
    if (takes_value(name) && equals == argument.size())
      throw Error(fmt::format("{0}{1}: no value; write {0}{1}=VALUE", prefix, name));
    flags.given = argument.substr(0, equals);
    if (among(name, ours)) set(flags, name, value);
    if (among(name, {"counters_tabular", "color", "time_unit"})) flags.styled = true;
    if (name == "context" && value.find('=') == std::string::npos)
      refuse(name, value, "KEY=VALUE, several with commas");
    if (among(name, {"report_aggregates_only", "display_aggregates_only", "enable_random_interleaving"}))
      switch_from(name, value);
    if (among(name, {"min_time", "min_warmup_time"})) expect_amount(name, value);
    if (among(name, forwarded)) flags.forwarded.push_back(argument);
    if (answer != answered.end()) no_effect(flags.given, answer->why);
    if (name == "out_format") flags.out_format_given = true;
  }
  if (kept < argc) argv[kept] = nullptr;
  argc = kept;
  if (flags.out_format_given && flags.out.empty())
    no_effect("--benchmark_out_format", "there is no --benchmark_out to be written");
  return flags;
}

bool matches(const std::string& filter, const std::string& name) {
  if (filter.empty() || filter == "all") return true;
  const bool negated = filter.starts_with('-');
  return std::regex_search(name, std::regex(negated ? filter.substr(1) : filter)) != negated;
}

void open_output(const BenchmarkFlags& flags) {
  if (!flags.out.empty() && !std::ofstream(flags.out))
    throw Error(fmt::format("--benchmark_out={}: cannot be written: {}", flags.out, std::strerror(errno)));
}

int present(const BenchmarkFlags& flags, const std::vector<Listed>& all) {
  open_output(flags);
  initialize(flags);
  benchmark::ClearRegisteredBenchmarks();
  constexpr std::size_t suffix = 7;  // "_median", "_stddev"
  std::size_t name_width = 0;
  for (const Listed& listed : all) {
    register_one(listed, unit_of(flags.time_unit));
    name_width = std::max(name_width, listed.name.size() + suffix);
  }
  const auto display = reporter(flags.format, flags, name_width, false);
  const auto file = flags.out.empty() ? nullptr : reporter(flags.out_format, flags, name_width, true);
  benchmark::RunSpecifiedBenchmarks(display.get(), file.get(), ".");
  benchmark::ClearRegisteredBenchmarks();
  return static_cast<int>(
      std::ranges::count_if(all, [](const Listed& listed) { return !listed.error.empty(); }));
}

}  // namespace podium::cli
