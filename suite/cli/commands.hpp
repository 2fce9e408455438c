// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The commands of `podium`; each returns the exit status and throws podium::Error for wrong input.
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/cli/benchmark_flags.hpp"

namespace podium::cli {

// Says on standard error what is wrong with problems; the exit status of that.
Exit tell(const std::vector<std::string>& faults);

struct RunRequest {
  std::vector<std::string> problems, contestants;
  std::string device;                     // "host", "cuda:0", "hip:1", "cuda"; empty: the best there is
  std::filesystem::path folder, results;  // of problems, of results; empty: the default
  bool quick = false, full = false, isolated = false, quiet = false;
  bool verbose = false;          // every note and the times by workload, progress by rounds
  bool require_sandbox = false;  // none is run if a leaderboard cannot rest on what this machine grants
  bool cold_only = false;        // no hot, graph and end-to-end times
  bool energy = false;           // of a call, in the first round
  int rounds = 0;                // 0: 7, or --benchmark_repetitions
  int timeout = 30;              // seconds a contestant may take for one answer
  int setup_timeout = 0;         // the same of a new instance; 0: setup_limit()
  std::int64_t memory = 0;  // MiB of host memory a contestant may take; 0: three quarters of the machine's
  std::int64_t device_memory = 0;  // the same of the device's
  std::string format = "table";    // table, md, json, csv
  std::string command_line;        // for the record
  BenchmarkFlags benchmark;
};
Exit run(const RunRequest& request);
// The same selection as Google Benchmark's benchmarks; of the request all but what says how `run` measures,
// records and prints.
Exit bench(const RunRequest& request);

struct VerifyRequest {
  std::vector<std::string> problems, contestants;
  std::string device;
  std::filesystem::path folder;
  bool quiet = false, verbose = false;
  int timeout = 0;          // seconds a contestant may take for one answer; 0: 30, 600 if `full`
  int setup_timeout = 0;    // the same of a new instance; 0: setup_limit()
  std::int64_t memory = 0;  // MiB of host memory a contestant may take; 0: three quarters of the machine's
  std::int64_t device_memory = 0;  // the same of the device's
  bool full = false;               // every element, on quick and bench workloads too
  bool with_quick = false;         // quick workloads, too
  std::string workload;  // only it, of whatever stage: its name, or types/name; empty: test workloads
  std::string seed,
      structure;      // hexadecimal: of a call that is to be repeated, of its structure; empty: none
  int call = 0;       // its index
  std::string under;  // a command under which contestants' workers run: compute-sanitizer, gdb --args ...
  std::string
      async;  // when asynchronous operations of an emulated device happen: "lazy", "eager", "random:SEED"
};
Exit verify(const VerifyRequest& request);

struct BuildRequest {
  std::vector<std::string> problems, contestants;
  std::string backend, arch;
  std::filesystem::path folder, out;  // out: a cache folder to be carried elsewhere; empty: the default cache
  std::string format = "table";
};
Exit build(const BuildRequest& request);

struct CacheRequest {
  std::string limit;   // an amount; empty: as it is
  bool clear = false;  // removes what no running process uses
  std::string format = "table";
};
// Shows, after changes that were asked for.
Exit cache(const CacheRequest& request);

Exit check(const std::vector<std::filesystem::path>& files, const std::string& workload);
// What verification costs on the device, workload by workload; Exit::contestant if a sample is too expensive
// on a GPU. `references`: each reference's time as well.
Exit check_measure(const std::vector<std::filesystem::path>& files, const std::string& device,
                   bool references, const std::string& workload);

struct ShowRequest {
  std::string problem;           // a name, or a file
  std::filesystem::path folder;  // of problems; empty: the default
  std::string format;            // table or json
  std::string generated, board;  // "header" or "program": that text alone, of one board (the first)
};
Exit show_problem(const ShowRequest& request);
Exit show_schema();

// `folder`: of problems; empty: the default. Existing files stay as they are.
Exit new_problem(const std::string& name, const std::filesystem::path& folder);
Exit new_contestant(const std::string& problem, const std::string& name, const std::string& kind,
                    const std::filesystem::path& folder);

// The file of a problem given by name or path. Throws podium::Error with the nearest name.
std::filesystem::path problem_file(const std::string& name, const std::filesystem::path& folder);

Exit list(const std::string& what, const std::filesystem::path& folder, const std::string& format);
// `publish`: writes the run's tables as README.md beside its folder, results/<device>/README.md.
Exit report(const std::vector<std::filesystem::path>& runs, const std::string& format,
            const std::filesystem::path& out, bool publish);
struct CompareRequest {
  std::string before, after;      // a run's folder, or the beginning of a commit that was run
  std::filesystem::path results;  // where commits are looked for; empty: the default
  double margin = 1;              // percent below which a change does not count
  bool all = false;               // rows that are the same, too
  std::string format = "table";   // table, md, json, csv
};
// Exit::contestant if anything is slower, fails or is gone.
Exit compare(const CompareRequest& request);
struct CalibrateRequest {
  std::string device;             // as for run
  std::filesystem::path results;  // empty: the default
  std::string format = "table";   // table, md, json, svg
  std::filesystem::path svg;      // the roofline; empty: none
  std::filesystem::path run;      // a run's folder, whose points are drawn as well; empty: none
  std::string command_line;       // for the record
};
Exit calibrate(const CalibrateRequest& request);
struct DoctorRequest {
  bool require = false;  // only the sandbox, and Exit::usage if a leaderboard cannot rest on it
  std::filesystem::path bundle, results;    // bundle.hpp
  std::vector<std::filesystem::path> with;  // files that the bundle holds too
};
Exit doctor(const DoctorRequest& request);
nlohmann::json devices();                          // as `podium list devices --format json`
void show_devices(const nlohmann::json& devices);  // as `podium list devices`

}  // namespace podium::cli
