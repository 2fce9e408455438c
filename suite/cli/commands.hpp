// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The commands of `podium`; each returns the exit status and throws podium::Error for wrong input.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/cli/benchmark_view.hpp"

namespace podium::cli {

struct RunRequest {
  std::vector<std::string> problems, contestants;
  std::string device;                     // "host", "cuda:0", "hip:1", "cuda"; empty: the best there is
  std::filesystem::path folder, results;  // of problems, of results; empty: the default
  bool quick = false, full = false, isolated = false, quiet = false;
  int rounds = 0;           // 0: 7, or --benchmark_repetitions
  int timeout = 30;         // seconds a contestant may take for one answer
  std::int64_t memory = 0;  // MiB of host memory a contestant may take; 0: three quarters of the machine's
  std::string format = "table";  // table, md, json, csv
  std::string command_line;      // for the record
  BenchmarkFlags benchmark;
};
Exit run(const RunRequest& request);

struct VerifyRequest {
  std::vector<std::string> problems, contestants;
  std::string device;
  std::filesystem::path folder;
  bool quiet = false;
  int timeout = 30;         // seconds a contestant may take for one answer
  std::int64_t memory = 0;  // MiB of host memory a contestant may take; 0: three quarters of the machine's
  std::string under;  // a command under which contestants' workers run: compute-sanitizer, gdb --args ...
};
Exit verify(const VerifyRequest& request);

struct BuildRequest {
  std::vector<std::string> problems, contestants;
  std::string backend, arch;
  std::filesystem::path folder, out;  // out: a cache folder to be carried elsewhere; empty: the default cache
};
Exit build(const BuildRequest& request);

Exit check(const std::vector<std::filesystem::path>& files);
Exit list(const std::string& what, const std::filesystem::path& folder, const std::string& format);
// `publish`: writes the run's tables as README.md beside its folder, results/<device>/README.md.
Exit report(const std::vector<std::filesystem::path>& runs, const std::string& format,
            const std::filesystem::path& out, bool publish);
Exit calibrate(const std::string& device);
Exit doctor();

}  // namespace podium::cli
