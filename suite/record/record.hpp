// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a run leaves on disk: results/<device>/<run>/run.json (provenance), entries.jsonl (one line an entry,
// synced as it comes), sources/ (the texts that both name by their hashes) and the reports made from them.
// docs/results.md describes them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "suite/base/descriptor.hpp"
#include "suite/base/verdict.hpp"
#include "suite/measure/samples.hpp"
#include "suite/record/metric.hpp"
#include "suite/record/telemetry.hpp"

namespace podium::record {

// Of run.json and of each line of entries.jsonl, as they are written. Older ones are read, too: schema.hpp
// has the fields of each.
inline constexpr int schema = 2, oldest_schema = 1;

// Several calls behind one gate: how the times of short ones are attested.
struct Together {
  int calls = 0;                           // 0: not done
  std::vector<double> microseconds;        // of all calls of a sample
  std::vector<double> judge_microseconds;  // the judge's interval of the same
};

// A verdict as a record holds it. One of another Podium may hold a word that this one does not know; it is
// kept as it is.
class RecordedVerdict {
 public:
  RecordedVerdict(Verdict verdict = Verdict::none) : verdict_(verdict) {}
  static RecordedVerdict from_word(std::string_view word);
  std::string_view word() const;
  bool operator==(const RecordedVerdict&) const = default;

 private:
  std::variant<Verdict, std::string> verdict_;
};

// Whether a verdict says that a contestant cannot run here, which is nobody's fault.
bool declined(const RecordedVerdict& verdict);
// Whether a verdict is a contestant's failure.
bool failed(const RecordedVerdict& verdict);

// What the judge checked in an entry's calls, right or wrong, whatever they were taken for.
struct Checked {
  std::int64_t calls = 0;     // 0: none, or not recorded
  std::int64_t elements = 0;  // of outputs: each looked at for poison and for numbers that are not finite
  std::int64_t compared = 0;  // of these: with a reference
  std::int64_t examined = 0;  // elements and results that the problem's checks looked at
  std::int64_t bytes = 0;     // of guards, inputs and structure: held against what they were before the call

  Checked& operator+=(const Checked& more);
  bool operator==(const Checked&) const = default;
};
nlohmann::json to_json(const Checked& checked);

// The outcome of one contestant on one workload, or of all of it where it never got that far.
struct Entry {
  std::string problem, types, stage, workload, contestant;
  bool twin = false;      // the baseline's second appearance in a block
  bool emulated = false;  // a GPU kernel on the CPU: verified, never timed
  int round = -1;         // -1: verification
  RecordedVerdict verdict;
  std::string text;                        // evidence or explanation; one sentence
  std::string printed;                     // its last lines of output, if it threw
  std::string again;                       // the command that repeats the call to blame; "": none
  std::vector<double> microseconds;        // samples
  std::vector<double> judge_microseconds;  // the judge's interval of the same samples
  // What else the judge did for the same samples: before the call, after it, and of the latter what
  // references took. Of the judge's own clock; empty in records made before there was any.
  std::vector<double> fill_microseconds, check_microseconds, reference_microseconds;
  std::vector<double> clock_mhz;  // of the device around the same samples; 0: not known
  double reference_mhz = 0;       // the clock that these are held against; 0: not known
  int discarded = 0;              // samples taken again, since the clock had fallen
  int slow = 0;                   // samples that count although it had
  measure::Median median;         // of the samples
  // How it failed beside parked workers that could have been to blame: these were ended, and this is how it
  // was without them. Empty: it did not.
  std::string excused;
  bool judged = false;        // times by the judge's clock, since the worker's could not be told true
  double worst = 0;           // largest error over its limit
  double exact = -1;          // largest error against exact() of a reference in Python; negative: not known
  std::int64_t left_out = 0;  // elements of a call that were excused or may hold anything
  Checked checked;
  double bytes = 0, flops = 0;  // of the workload
  double written = -1;          // bytes of its outputs; negative: not recorded
  bool blocking = false;
  std::vector<double> canaries;  // microseconds, before the entry; two: it was put off since the first was
                                 // slow; three: and parked workers were ended since the second was
  std::string stopped;           // why sampling ended: "narrow", "budget", "most", "long calls"
  std::vector<std::uint64_t> seeds;  // of the samples; hexadecimal strings in the file
  Measurements measured;             // verified like the others; never ranked
  Together together;
  Telemetry telemetry;  // of timed entries
  int segment = 0;      // of the run, in which it was measured: Provenance::segments
  // Rounds are blocks of the contestants of one series. Those of another series were measured at another
  // time: nothing but their speed-up over the baseline compares.
  int series = 0;
  std::string set_aside;  // why it does not count: its round was begun anew, its contestant has changed
};

// JSON has no infinity and no NaN: such a number is written as a string. Text that is not UTF-8 is mended.
nlohmann::json to_json(const Entry& entry);
Entry entry_from(const nlohmann::json& json);  // throws podium::Error naming the field

// As it is published: absolute paths in its texts are cut to their last part; the text ends in the command
// that repeats the call.
Entry published(Entry entry);

// Keeps other processes from writing a run while it lives. Throws podium::Error if one does, or there is
// none.
Descriptor claim(const std::filesystem::path& folder);

// Appends to a run's folder. Each entry is one write and an fdatasync: what was finished survives a kill.
// Until finish() the folder and its files are closed to other users, and hold nothing that tells a contestant
// of calls to come: no seeds of calls, no commands with such seeds, no seed of the order.
class Writer {
 public:
  // Makes results/<device>/<run>/ and writes run.json, `provenance` and the schema's version. Throws
  // podium::Error (folder not writable, disk full, the folder already holds a run).
  Writer(const std::filesystem::path& folder, const nlohmann::json& provenance);
  // Goes on with a run that is on disk, and that was claimed before it was read. `lines`: all that
  // entries.jsonl is to hold of it, replaced as a whole or not at all. Throws podium::Error.
  Writer(const std::filesystem::path& folder, Descriptor claimed, const nlohmann::json& provenance,
         const std::vector<nlohmann::json>& lines);
  // Keeps a text as sources/<its SHA-256>, whole or not at all; one that is there already stays. Throws
  // podium::Error.
  void keep(const std::string& text);
  // Replaces run.json by what is known now; the seed of the order is left out. Throws podium::Error.
  void update(const nlohmann::json& provenance);
  // As it is published, but for seeds. Throws podium::Error; the entries appended before stay whole and
  // readable.
  void append(const Entry& entry);
  // When the run has ended: run.json with wall time and secrets, entries with their seeds, each rewritten as
  // a whole or not at all; then the folder is opened to those whom the umask allows. Throws podium::Error;
  // what append() wrote stays.
  void finish(const nlohmann::json& additions);

 private:
  std::filesystem::path folder_;
  nlohmann::json provenance_;
  std::filesystem::perms opened_{};  // the folder's, when the run has ended
  Descriptor claimed_;
  Descriptor file_;
  std::string earlier_;         // lines of the run's earlier segments
  std::vector<Entry> entries_;  // in the file after these, as they are published
  std::int64_t bytes_ = 0;      // of the file
};

inline constexpr unsigned private_file = 0600, public_file = 0666;  // less what the umask takes

// Replaces a file as a whole or not at all: temporary, fsync, rename. Throws podium::Error.
void write_file(const std::filesystem::path& file, const std::string& text, unsigned mode = public_file);

struct Run {
  std::filesystem::path folder;
  nlohmann::json provenance;
  std::vector<Entry> entries{};
  std::vector<Entry> set_aside{};  // that are on record and do not count
};
// The content of run.json. Throws podium::Error: no run there, another schema.
nlohmann::json read_provenance(const std::filesystem::path& folder);
// Reads a run; a last line cut short by a kill is left out. Throws podium::Error: no run there, another
// schema, a line that is no entry (file and line named).
Run read(const std::filesystem::path& folder);
// The lines of a run's entries.jsonl, as read() takes them.
std::vector<nlohmann::json> read_lines(const std::filesystem::path& folder);

}  // namespace podium::record
