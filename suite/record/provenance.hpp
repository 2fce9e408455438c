// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What must be known of a run to believe and to repeat it: the content of run.json. It names no person, no
// host and no folder of the machine, since results are published.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/measure/samples.hpp"
#include "suite/record/spent.hpp"

namespace podium::record {

// A board's key: results of two keys are never in one table.
struct DeviceKey {
  std::string backend;       // "host", "cuda", "hip"
  std::string product;       // "NVIDIA H200"
  std::string architecture;  // "sm_90", "gfx942", "x86-64-v3"
  std::int64_t memory = 0;   // bytes
  std::string partition;  // "MIG 1g.18gb", "CPX"; on the host the threads in use, "8 threads"; empty: whole
  double power_cap = 0;   // watts; 0: not known
  bool emulated = false;  // it was not there and the CPU executed its code: verified, never timed
};
// The folder of a key in results/, of [a-z0-9._-]: "nvidia-h200-sm_90-140g". Memory in GiB, rounded. The
// backend is added where the architecture does not imply it (HIP on an NVIDIA device).
std::string slug(const DeviceKey& key);

struct Compiler {
  std::string backend, version;    // "cuda", "nvcc 12.8.93"
  std::vector<std::string> flags;  // pass them through without_folders()
};

struct ContestantRecord {
  std::string problem, name, title, author, source;
  std::string kind;    // "portable", "cuda", "hip", "native", "kokkos", "triton", "cutile", "code objects"
  std::string tier;    // "native", "sealed", "python"
  std::string file;    // its name, no folder
  std::string sha256;  // of its source; of a sealed one also of the code objects that it names
  // Of its source alone, where that differs.
  std::string text_sha256{};
  std::string runtime{};                          // the interpreter that ran it and its packages; empty: none
  std::map<std::string, std::string> included{};  // hashes of the files beside it that it could include
};

// What was planned: it tells an unfinished run from a finished one.
struct BoardRecord {
  std::string problem, title, types, stage;
  std::string baseline;                        // contestant; empty: none on this backend
  std::string sha256;                          // of problem.yaml
  std::vector<std::string> workloads;          // those timed, in the order of the file
  std::vector<std::string> contestants{};      // their names; empty before schema 2
  int series = 0;                              // Entry::series
  std::map<std::string, std::string> files{};  // of a reference in Python, hashes of what it runs, by name
  // Of a contestant that does nothing, as last measured on this board; microseconds. Negative: not measured.
  double empty_call = -1;      // by the device's clock: part of every time
  double judge_overhead = -1;  // how much longer the judge's interval is
  double tolerance = -1;       // how far the judge's interval may differ before a time is doubted
  // Wall time, but for building; of these, until the first round. Negative: not measured.
  double seconds = -1, verification_seconds = -1;
};

// One start of `podium run`, of a run that was resumed or of one whose rounds come from several shards of a
// campaign.
struct Segment {
  std::string podium, commit, command, started;  // as of Provenance
  std::uint64_t order_seed = 0;
  double wall_seconds = 0;  // 0: it was killed, or still runs
  std::string ended;
  // Contestants that had changed when it began, as they were before.
  std::vector<ContestantRecord> replaced{};
  // Of a campaign: the shard, the node, the device's UUID, and why the device is held to be sick.
  std::string shard{}, node{}, device{}, sick{};
};

inline constexpr const char* clean_caches = "clean";

struct Provenance {
  std::string podium;   // version
  std::string commit;   // commit_of()
  std::string command;  // command_line()
  std::string started;  // utc(), the start of the run
  DeviceKey device;
  std::string driver;                 // versions of driver and runtime
  int multiprocessors = 0;            // or CPU threads
  std::int64_t last_level_cache = 0;  // bytes
  std::string cpu, kernel;            // of the machine around the device
  std::vector<Compiler> compilers;
  std::vector<ContestantRecord> contestants;
  std::vector<BoardRecord> boards;
  std::vector<std::string> sandbox;                    // what held: "uid", "seccomp" ...
  std::map<std::string, std::string> sandbox_without;  // what did not, and why: "landlock": "this kernel ..."
  std::uint64_t order_seed = 0;                        // of the order within blocks
  int rounds = 0;
  bool isolated = false;
  bool columns = true, energy = false;  // measured beside the ranked time
  measure::Stopping stopping{};         // of entries
  std::string filter{};                 // of benchmarks by name, a regular expression; "": none
  // What caches held before each cold call: `clean_caches`; "" in runs of a GPU before there was this, whose
  // flush left lines that had yet to be written.
  std::string caches = clean_caches;
  // Memory's rates, measured at the start; 0: not measured. A copy's bytes are those read and written.
  double copy_bytes_per_second = 0, read_bytes_per_second = 0, write_bytes_per_second = 0;
  // Of the device's stored calibration, if the run found one: when it was made (utc()), and its arithmetic
  // rates by quantity ("fma_f32", "matrix_bf16"), operations a second.
  std::string calibrated;
  std::map<std::string, double> arithmetic;
  // Added when the run has ended:
  double wall_seconds = 0;             // 0: it was killed, or still runs
  std::string ended;                   // why before its time; "": it is whole
  Spent spent;                         // of these
  std::vector<std::uint64_t> secrets;  // every seed derives from these
  // Of a run that was resumed: the first, and each that resumed it. Seconds and secrets above are of all that
  // were not killed.
  std::vector<Segment> segments{};
};

// Whether the judge was out of the contestants' reach: by a user id and by the system calls that they were
// refused. Results of runs in which it was not are *unattested*.
bool attested(const Provenance& provenance);

nlohmann::json to_json(const DeviceKey& key);
DeviceKey device_from(const nlohmann::json& json, const std::string& what);  // as provenance_from()
nlohmann::json to_json(const Provenance& provenance);
// Throws podium::Error naming the field. What is absent stays at its default.
Provenance provenance_from(const nlohmann::json& json);

// "2025-01-31T13:45:00Z", and the same without punctuation, for names of folders.
std::string utc(std::chrono::sys_seconds time);
std::string compact_utc(std::chrono::sys_seconds time);
// results/<device>/<UTC>-<4 hexadecimal digits of `random`>
std::filesystem::path run_folder(const std::filesystem::path& results, const DeviceKey& key,
                                 std::chrono::sys_seconds time, std::uint64_t random);

// The commit of `checkout`, "-dirty" added if files differ from it; without one, or where git cannot say,
// `built_in`; where that is empty, "unknown".
std::string commit_of(const std::optional<std::filesystem::path>& checkout, const std::string& built_in);

// In single quotes where a POSIX shell needs them.
std::string quoted(const std::string& word);
// The command as it can be typed again elsewhere: program without folder, words quoted for a shell where they
// need it, absolute paths without their folders.
std::string command_line(const std::vector<std::string>& arguments);

// Flags of a compiler with every absolute path cut to its last part: "-I/opt/x/include" becomes "-Iinclude".
std::vector<std::string> without_folders(const std::vector<std::string>& flags);
// The same in every word of a sentence; paths in /proc, /dev and /sys are evidence and stay.
std::string without_folders_in(std::string_view text);

std::string cpu_model(
    std::string_view proc_cpuinfo);         // of the text of /proc/cpuinfo; "unknown" if it does not say
std::string kernel_release();               // "Linux 6.1.0"
std::string sha256(std::string_view text);  // 64 hexadecimal digits

}  // namespace podium::record
