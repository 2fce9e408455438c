// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/benchmark_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <ostream>
#include <regex>
#include <string_view>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"

namespace podium::cli {
namespace {

constexpr int most_repetitions = 1000;
constexpr std::string_view prefix = "--benchmark_";

// Flags about how Google Benchmark measures, and why `podium run` has no use for them.
struct IgnoredFlag {
  std::string name, why;
};
const std::vector<IgnoredFlag> ignored_flags{
    {"min_time",
     "an entry ends when the interval of its median is narrow, its budget is spent or it has enough samples"},
    {"min_warmup_time", "every entry begins with one warm-up call, however long it takes"},
    {"enable_random_interleaving", "every round already has a random order of its own"},
};
// With `podium bench`, too.
const IgnoredFlag perf_counters{
    "perf_counters", "contestants run in processes of their own, where Google Benchmark cannot count"};
constexpr std::string_view why_not_v =
    "Google Benchmark only presents what Podium measured, and has nothing to log";
const std::vector<std::string> forwarded{"report_aggregates_only", "display_aggregates_only", "context"};
const std::vector<std::string> own_flags{"filter",
                                         "list_tests",
                                         "repetitions",
                                         "format",
                                         "out",
                                         "out_format",
                                         "color",
                                         "time_unit",
                                         "dry_run",
                                         "counters_tabular",
                                         "min_time",
                                         "min_warmup_time",
                                         "enable_random_interleaving"};

bool among(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
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

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// "2s", "0.5": as Google Benchmark reads them.
double seconds_from(const std::string& name, const std::string& value, const std::string& expected) {
  std::string_view text = value;
  if (text.ends_with('s')) text.remove_suffix(1);
  double seconds = 0;
  if (!read_number(text, seconds) || !(seconds >= 0)) refuse(name, value, expected);
  return seconds;
}

void set_min_time(BenchmarkFlags& flags, const std::string& value) {
  const std::string expected = "seconds, 0.5s, or calls, 100x";
  flags.iterations = 0;
  flags.min_time.reset();
  if (!value.ends_with('x'))
    flags.min_time = seconds_from("min_time", value, expected);
  else if (!read_number(std::string_view(value).substr(0, value.size() - 1), flags.iterations) ||
           flags.iterations < 1)
    refuse("min_time", value, expected);
}

int repetitions_from(const std::string& value) {
  int number = 0;
  if (!read_number(value, number) || number < 1 || number > most_repetitions)
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
  else if (name == "min_time")
    set_min_time(flags, value);
  else if (name == "min_warmup_time")
    flags.min_warmup_time = seconds_from(name, value, "seconds, 0.5");
  else if (name == "enable_random_interleaving")
    flags.random_interleaving = switch_from(name, value);
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

std::string no_effect(std::string_view flag, std::string_view why) {
  return fmt::format("{} has no effect: {}", flag, why);
}

void set_log_level(BenchmarkFlags& flags, const std::string& value) {
  int level = 0;
  if (!read_number(value, level)) throw Error(fmt::format("--v: found '{}', expected a number", value));
  flags.log_level = value;
  flags.ignored_by_run.push_back(no_effect("--v", why_not_v));
}

}  // namespace

std::optional<bool> truth(std::string value) {  // as Google Benchmark reads it
  std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
  if (among(value, {"", "1", "y", "t", "yes", "true", "on"})) return true;
  if (among(value, {"0", "n", "f", "no", "false", "off"})) return false;
  return std::nullopt;
}

BenchmarkFlags parse_benchmark_flags(int& argc, char** argv) {
  BenchmarkFlags flags;
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (i > 0 && argument.starts_with("--v=")) {
      flags.given = argument;
      set_log_level(flags, argument.substr(4));
      continue;
    }
    if (i == 0 || !argument.starts_with(prefix)) {
      argv[kept++] = argv[i];
      continue;
    }
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(prefix.size(), equals - prefix.size());
    const std::string value = equals < argument.size() ? argument.substr(equals + 1) : "";
    if (!among(name, own_flags) && !among(name, forwarded) && name != perf_counters.name) {
      std::vector<std::string> all = own_flags;
      all.insert(all.end(), forwarded.begin(), forwarded.end());
      all.push_back(perf_counters.name);
      throw Error(fmt::format("{}: {}", prefix, found_one_of(name, all)));
    }
    if (takes_value(name) && equals == argument.size())
      throw Error(fmt::format("{0}{1}: found no value, expected {0}{1}=VALUE", prefix, name));
    flags.given = argument.substr(0, equals);
    if (among(name, own_flags)) set(flags, name, value);
    if (among(name, {"counters_tabular", "color", "time_unit"})) flags.styled = true;
    if (name == "context" && value.find('=') == std::string::npos)
      refuse(name, value, "KEY=VALUE, several with commas");
    if (among(name, {"report_aggregates_only", "display_aggregates_only"})) switch_from(name, value);
    if (among(name, forwarded)) flags.forwarded.push_back(argument);
    if (const auto answer = std::ranges::find(ignored_flags, name, &IgnoredFlag::name);
        answer != ignored_flags.end())
      flags.ignored_by_run.push_back(no_effect(flags.given, answer->why));
    if (name == perf_counters.name) flags.ignored.push_back(no_effect(flags.given, perf_counters.why));
    if (name == "out_format") flags.out_format_given = true;
  }
  if (kept < argc) argv[kept] = nullptr;
  argc = kept;
  if (flags.out_format_given && flags.out.empty())
    flags.ignored.push_back(no_effect("--benchmark_out_format", "--benchmark_out is not given"));
  return flags;
}

void warn_ignored(const std::vector<std::string>& sentences, std::ostream& err) {
  for (const std::string& sentence : sentences) err << "podium: " << sentence << '\n';
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

}  // namespace podium::cli
