// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark as presenter: its flags, its output, its JSON, over medians that Podium has measured. One
// of its repetitions is the median of one of our rounds, so compare.py's U test sees one number a round.
#pragma once
#include <iosfwd>
#include <iostream>
#include <string>
#include <vector>

namespace podium::cli {

struct BenchmarkFlags {
  std::string filter;  // regular expression over names, '-' in front negates; empty or "all": everything
  bool list_tests = false;
  int repetitions = 0;  // the number of rounds; 0: not given
  std::string format;   // "console", "json", "csv"; empty: not given
  std::string out, out_format = "json", color = "auto", time_unit = "us";
  bool counters_tabular = false;
  bool dry_run = false;  // one round, one sample an entry
  bool styled = false;   // a flag was given that says how the view looks
  bool out_format_given = false;
  std::string given;                   // the last flag there was; empty: none
  std::vector<std::string> forwarded;  // whole flags that Google Benchmark itself acts on

  bool wanted() const {
    return !format.empty() || !out.empty() || !forwarded.empty() || styled;
  }  // whether to present()
};

// Takes all --benchmark_... and --v=N out of argv: the flags of Google Benchmark 1.7 to 1.9. Those that only
// concern how it would measure itself change nothing, and `err` is told why, in one sentence each. Throws
// podium::Error: an unknown flag, a value that is none.
BenchmarkFlags parse_benchmark_flags(int& argc, char** argv, std::ostream& err = std::cerr);

bool matches(const std::string& filter, const std::string& name);

struct Listed {
  std::string name;                // problem/types/workload/contestant
  std::vector<double> medians_us;  // one a round, in order
  double bytes = 0, flops = 0;     // of one call; 0: not stated
  std::string error;               // shown in place of times; empty: none
};

// Throws podium::Error if flags.out cannot be written; an existing file is emptied.
void open_output(const BenchmarkFlags& flags);
// Prints to standard output, and to flags.out if given. Returns how many have an error: Google Benchmark
// itself would not tell. Throws as open_output().
int present(const BenchmarkFlags& flags, const std::vector<Listed>& all);

}  // namespace podium::cli
