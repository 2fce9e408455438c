// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The flags of Google Benchmark 1.7 to 1.9: for `podium run`, which presents its own measurements, and for
// `podium bench`, with which Google Benchmark decides how much is measured.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace podium::cli {

struct BenchmarkFlags {
  std::string filter;  // regular expression over names, '-' in front negates; empty or "all": everything
  bool list_tests = false;
  int repetitions = 0;  // 0: not given
  std::string format;   // "console", "json", "csv"; empty: not given
  std::string out, out_format = "json", color = "auto", time_unit = "us";
  bool counters_tabular = false;
  bool dry_run = false;  // one sample of each
  bool styled = false;   // a flag about the appearance was given
  bool out_format_given = false;
  std::string given;                   // the last flag there was; empty: none
  std::vector<std::string> forwarded;  // whole flags about the output that Google Benchmark itself acts on

  // Of `podium bench` alone.
  std::optional<double> min_time, min_warmup_time;  // seconds
  std::int64_t iterations = 0;                      // --benchmark_min_time=100x; 0: not given
  bool random_interleaving = false;
  std::string log_level;  // of --v; empty: not given

  // Flags without effect and why, a sentence each: on `podium run`, and on both.
  std::vector<std::string> ignored_by_run, ignored;

  bool wanted() const {
    return !format.empty() || !out.empty() || !forwarded.empty() || styled;
  }  // whether to present()
};

// Takes all --benchmark_... and --v=N out of argv. Throws podium::Error: an unknown flag, a wrong value.
BenchmarkFlags parse_benchmark_flags(int& argc, char** argv);

// Prints each sentence on a line.
void warn_ignored(const std::vector<std::string>& sentences, std::ostream& err);

std::optional<bool> truth(std::string value);  // as Google Benchmark reads it

bool matches(const std::string& filter, const std::string& name);

// Throws podium::Error if flags.out cannot be written; an existing file is emptied.
void open_output(const BenchmarkFlags& flags);

}  // namespace podium::cli
