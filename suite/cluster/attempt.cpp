// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/attempt.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "suite/base/error.hpp"
#include "suite/cluster/environment.hpp"
#include "suite/cluster/node.hpp"
#include "suite/cluster/plan.hpp"
#include "suite/cluster/program.hpp"
#include "suite/cluster/signals.hpp"
#include "suite/cluster/staging.hpp"
#include "suite/cluster/state.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/record/calibration.hpp"
#include "suite/record/record.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr auto between_looks = std::chrono::milliseconds(1000);
// Of results: at first every second, so that a short shard loses little, then ever more rarely.
constexpr auto first_copies = seconds(1), later_copies = seconds(15);
constexpr auto long_gap = seconds(4);  // between two looks, if this process was suspended
constexpr int most_attempts = 50;  // a shard that never gets far enough to go on from is not tried for ever
constexpr int common_rounds = 3;
constexpr int signalled = 128;  // a status from here on: ended by a signal

std::string now() { return record::utc(std::chrono::floor<seconds>(std::chrono::system_clock::now())); }

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// As Slurm names its nodes, else as the machine does.
std::string node_name() {
  if (const auto named = variable("SLURMD_NODENAME"); !named.empty()) return named;
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string job_name() {
  if (const auto array = variable("SLURM_ARRAY_JOB_ID"); !array.empty())
    return array + "_" + variable("SLURM_ARRAY_TASK_ID");
  for (const char* name : {"SLURM_JOB_ID", "FLUX_JOB_ID", "PBS_JOBID", "LSB_JOBID"})
    if (const auto job = variable(name); !job.empty()) return job;
  return "";
}

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// A newer attempt has begun, on a node that does not know of this one.
struct Superseded {};

class Attempt {
 public:
  explicit Attempt(const ShardRequest& request)
      : request_(request),
        plan_(read_plan(request.campaign)),
        shard_(shard_named(plan_, request.id)),
        partition_(partition_of(plan_, shard_)),
        folder_(shard_folder(request.campaign, shard_.id)) {}

  Exit run() {
    state_ = read_state(request_.campaign, shard_.id);
    if (state_.standing == Standing::done || state_.standing == Standing::cancelled) {
      fmt::print("shard {}: {}, nothing is left to do\n", shard_.id, name_of(state_.standing));
      return Exit::success;
    }
    begin();
    try {
      if (state_.attempts() > most_attempts)
        return fail(fmt::format("it was begun {} times, and never ended", state_.attempts() - 1));
      const NodeScratch scratch(partition_.scratch, plan_.campaign);
      return work(scratch.folder());
    } catch (const Superseded&) {
      say("a newer attempt has begun; this one ends");
      return Exit::success;
    } catch (const Error& e) {
      return fail(e.what());
    }
  }

 private:
  enum class How { ended, stopped, timed_out, suspended };
  struct Outcome {
    How how = How::ended;
    int status = 0;
  };

  void say(const std::string& text) {
    const std::string line = fmt::format("== {} {}\n", now(), text);
    static_cast<void>(!::write(log_.get(), line.data(), line.size()));
  }

  void begin() {
    std::error_code failure;
    fs::create_directories(folder_, failure);
    const auto log = folder_ / "log";
    log_.reset(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!log_) throw Error(fmt::format("{}: cannot be written: {}", log.string(), std::strerror(errno)));
    state_.standing = Standing::running;
    state_.ended.clear();
    state_.why.clear();
    state_.visits.push_back({.node = node_name(), .device = "", .job = job_name(), .started = now()});
    write_state(request_.campaign, shard_.id, state_);
    const Visit& here = state_.visits.back();
    say(fmt::format("attempt {} on {}{}", state_.attempts(), here.node,
                    here.job.empty() ? "" : ", job " + here.job));
  }

  // Throws Superseded unless this is still the newest attempt.
  void require_newest() const {
    if (read_state(request_.campaign, shard_.id).attempts() != state_.attempts()) throw Superseded();
  }

  // What a user has cancelled meanwhile stays so.
  void end(Standing standing, const std::string& why) {
    require_newest();
    if (read_state(request_.campaign, shard_.id).standing == Standing::cancelled &&
        standing != Standing::done)
      return;
    state_.standing = standing;
    state_.ended = now();
    state_.why = why;
    write_state(request_.campaign, shard_.id, state_);
    say(fmt::format("{}{}", name_of(standing), why.empty() ? "" : ": " + why));
  }

  Exit fail(const std::string& why) {
    try {
      end(Standing::failed, why);
    } catch (const Superseded&) {
      return Exit::success;
    }
    fmt::print(stderr, "podium: shard {}: {}\n", shard_.id, why);
    return Exit::usage;
  }

  Exit wait_again(How how) {
    const bool time = how == How::timed_out;
    if (time && bytes_brought_ <= bytes_at_begin_)
      return fail(
          "the time limit came before it had measured anything: let the partition have a longer "
          "time_limit, or plan smaller shards");
    end(Standing::waiting,
        time ? "the time limit was near" : "its job was told to end: preempted or cancelled");
    return time ? put_back : Exit::interrupted;
  }

  // Runs a program of this attempt until it or its time ends. `tick` is called about once a second.
  Outcome await(const std::vector<std::string>& words, const std::function<void()>& tick) {
    std::vector<std::string> arguments{request_.program.string()};
    arguments.insert(arguments.end(), words.begin(), words.end());
    log_begin_ = ::lseek(log_.get(), 0, SEEK_END);
    Program program(arguments, variables_, log_.get());
    Outcome outcome;
    for (auto looked = Clock::now();;) {
      std::array<pollfd, 2> events{{{program.descriptor(), POLLIN, 0}, {signals_.descriptor(), POLLIN, 0}}};
      ::poll(events.data(), events.size(), static_cast<int>(between_looks.count()));
      const bool gap = Clock::now() - looked > long_gap;
      looked = Clock::now();
      for (Told told = signals_.next(); told != Told::nothing; told = signals_.next()) {
        if (told == Told::resumed && gap && outcome.how == How::ended) {
          outcome.how = How::suspended;
          program.kill();  // what it measured meanwhile is nobody's time
        } else if (told == Told::stop || told == Told::time_out) {
          outcome.how = told == Told::stop ? How::stopped : How::timed_out;
          program.interrupt();
        }
      }
      if (const auto status = program.ended()) {
        outcome.status = *status;
        return outcome;
      }
      if (outcome.how == How::ended) tick();
    }
  }

  // The same where nothing is lost if it is begun again.
  Outcome await(const std::vector<std::string>& words) {
    Outcome outcome;
    do outcome = await(words, [] {});
    while (outcome.how == How::suspended);
    return outcome;
  }

  Exit work(const fs::path& scratch) {
    scratch_ = scratch;
    stage();
    describe();
    if (const auto told = calibrate(); told != How::ended) return wait_again(told);
    if (const auto told = measure_common(); told != How::ended) return wait_again(told);
    return measure();
  }

  void stage() {
    copy_in(request_.campaign / "problems", scratch_ / "problems", "the campaign's problems");
    variables_["PODIUM_PROBLEMS"] = (scratch_ / "problems").string();
    cache_ = partition_.shared_cache;
    if (cache_.empty()) {
      cache_ = scratch_ / "cache";
      std::set<std::string> problems{"calibration", plan_.common.problem};
      for (const Board& board : shard_.boards) problems.insert(board.problem);
      stage_products(request_.campaign, cache_, {problems.begin(), problems.end()});
    }
    variables_["PODIUM_CACHE"] = cache_.string();
    const fs::path run = folder_ / "run";
    bytes_at_begin_ = bytes_brought_ = entries_bytes(run);
    if (bytes_at_begin_ > 0) copy_in(run, scratch_ / "results" / "resumed" / "run", "the shard's run");
  }

  void describe() {
    const auto devices = nlohmann::json::parse(
        run_tool({request_.program.string(), "list", "devices", "--format", "json"}).out, nullptr, false);
    std::string pci;
    if (devices.is_array())
      for (const auto& device : devices)
        if (device.value("available", false) && !device.contains("emulated") &&
            device.value("device", "").starts_with(shard_.backend)) {
          pci = device.value("pci", "");
          break;
        }
    FoundDevice found = describe_device(pci);
    bind_near(pci, found.environment);
    record_ = {.node = state_.visits.back().node,
               .device = found.id.empty() ? shard_.backend : found.id,
               .key = {.backend = shard_.backend},
               .environment = std::move(found.environment)};
    state_.visits.back().device = record_.device;
    require_newest();
    state_.standing = read_state(request_.campaign, shard_.id).standing;  // it may have been cancelled
    write_state(request_.campaign, shard_.id, state_);
  }

  // Once a device and campaign.
  How calibrate() {
    const fs::path kept =
                       request_.campaign / "calibrations" / node_file(request_.campaign, record_).filename(),
                   results = scratch_ / "results";
    if (!fs::exists(kept)) {
      const Outcome outcome = await({"calibrate", "--device", shard_.backend, "--results", results.string()});
      if (outcome.how != How::ended) return outcome.how;
      std::error_code none;
      for (const auto& device : fs::directory_iterator(results, none))
        if (fs::exists(device.path() / "calibration.json"))
          record::write_calibration(kept, record::read_calibration(device.path() / "calibration.json"));
      return How::ended;
    }
    const auto calibration = record::read_calibration(kept);
    record::write_calibration(record::calibration_file(results, calibration.provenance.device), calibration);
    return How::ended;
  }

  // Once an attempt: the canary and the common contestant on this device.
  How measure_common() {
    Common common = plan_.common;
    if (common.contestant.empty()) {
      const auto problem = problem::load(scratch_ / "problems" / common.problem / "problem.yaml");
      if (const auto of = problem.baseline.find(shard_.backend); of != problem.baseline.end())
        common.contestant = of->second;
    }
    const fs::path results = scratch_ / "common";
    std::vector<std::string> words{"run",
                                   common.problem,
                                   "--device",
                                   shard_.backend,
                                   "--rounds",
                                   std::to_string(common_rounds),
                                   "--cold-only",
                                   "--results",
                                   results.string(),
                                   fmt::format("--benchmark_filter=^{}/{}/", common.problem, common.types),
                                   holds(shard_.arguments, "--quick") ? "--quick" : "--full"};
    if (!common.contestant.empty()) words.insert(words.end(), {"--contestant", common.contestant});
    const Outcome outcome = await(words);
    if (outcome.how != How::ended) return outcome.how;
    read_common(common, only_run(results));
    add_readings(request_.campaign, record_);
    return How::ended;
  }

  void read_common(const Common& common, const fs::path& folder) {
    if (folder.empty()) return;
    const record::Run run = record::read(folder);
    record_.key = record::provenance_from(run.provenance).device;
    record_.problem = common.problem;
    record_.types = common.types;
    record_.contestant = common.contestant;
    Reading reading{.shard = shard_.id, .recorded = now(), .canary = {}, .common = {}};
    for (const record::Entry& entry : run.entries) {
      reading.canary.insert(reading.canary.end(), entry.canaries.begin(), entry.canaries.end());
      if (entry.round < 0 || entry.contestant != common.contestant || entry.twin) continue;
      // The last workload is the largest.
      if (entry.workload != record_.workload) reading.common.clear();
      record_.workload = entry.workload;
      reading.common.insert(reading.common.end(), entry.microseconds.begin(), entry.microseconds.end());
    }
    record_.readings = {std::move(reading)};
  }

  static fs::path only_run(const fs::path& results) {
    std::error_code none;
    for (fs::recursive_directory_iterator at(results, none), end; !none && at != end; at.increment(none))
      if (at->path().filename() == "run.json") return at->path().parent_path();
    return {};
  }

  fs::path own_run() const { return only_run(scratch_ / "results"); }

  std::vector<std::string> words_for(const fs::path& run) const {
    if (!run.empty()) return {"run", "--resume", run.string(), "--device", shard_.backend};
    std::vector<std::string> words = shard_.arguments;
    if (!holds(words, "--device")) words.insert(words.end(), {"--device", shard_.backend});
    words.insert(words.end(), {"--results", (scratch_ / "results").string()});
    return words;
  }

  void bring(bool ended) {
    const fs::path run = own_run();
    if (run.empty()) return;
    require_newest();
    bring_run(run, folder_ / "run", ended);
    bytes_brought_ = entries_bytes(run);
  }

  // While it is measured. What cannot be brought now may be brought later.
  void keep_bringing() {
    const fs::path run = own_run();
    whole_bytes_ = run.empty() ? 0 : entries_bytes(run);
    if (Clock::now() - brought_at_ < between_copies_ || whole_bytes_ == bytes_brought_) return;
    brought_at_ = Clock::now();
    between_copies_ = std::min(2 * between_copies_, later_copies);
    try {
      bring(false);
    } catch (const Error& e) {
      say(e.what());
    }
  }

  Exit measure() {
    for (;;) {
      const fs::path run = own_run();
      const auto before = run.empty() ? 0 : entries_bytes(run);
      const Outcome outcome = await(words_for(run), [&] { keep_bringing(); });
      if (outcome.how == How::suspended) {
        say("the job was suspended: what was measured around that is dropped, and the rest goes on");
        if (const fs::path cut = own_run(); !cut.empty() && entries_bytes(cut) > whole_bytes_)
          fs::resize_file(cut / "entries.jsonl", static_cast<std::uintmax_t>(whole_bytes_));
        continue;
      }
      bring(true);
      if (partition_.shared_cache.empty()) bring_products(cache_, request_.campaign);
      if (outcome.status == static_cast<int>(Exit::success) ||
          outcome.status == static_cast<int>(Exit::contestant)) {
        end(Standing::done, "");
        return Exit::success;
      }
      if (outcome.how != How::ended) return wait_again(outcome.how);
      if (outcome.status > signalled && bytes_brought_ > before) {
        say(fmt::format("podium was ended by signal {}; the rest goes on", outcome.status - signalled));
        continue;
      }
      return fail(reason(outcome.status));
    }
  }

  // The last error that podium told or, of wrong usage, the first line.
  std::string reason(int status) const {
    std::ifstream in(folder_ / "log");
    in.seekg(log_begin_);
    std::string first, last;
    for (std::string line; std::getline(in, line);) {
      if (first.empty()) first = line;
      if (line.starts_with("podium: ") && !line.starts_with("podium: recorded in ")) last = line.substr(8);
    }
    if (last.empty()) last = first;
    return last.empty() ? fmt::format("podium ended with status {}; its log says more", status) : last;
  }

  const ShardRequest& request_;
  Plan plan_;
  const Shard& shard_;
  const Partition& partition_;
  fs::path folder_, scratch_, cache_;
  Signals signals_;
  Descriptor log_;
  off_t log_begin_ = 0;  // of what the newest program says
  State state_;
  NodeRecord record_;
  std::map<std::string, std::string> variables_;
  std::int64_t bytes_at_begin_ = 0, bytes_brought_ = 0;
  std::int64_t whole_bytes_ = 0;  // of the entries, when this process was last seen to run
  Clock::time_point brought_at_ = Clock::now();
  seconds between_copies_ = first_copies;
};

}  // namespace

Exit attempt_shard(const ShardRequest& request) { return Attempt(request).run(); }

}  // namespace podium::cluster
