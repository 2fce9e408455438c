// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/collect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"
#include "suite/base/parallel.hpp"
#include "suite/cluster/json_file.hpp"
#include "suite/cluster/rounds.hpp"
#include "suite/measure/samples.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/record.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What was collected of a shard: collected.json of the campaign's folder.
struct Kept {
  std::string run;      // "<device>/<name>", below results/
  std::string started;  // of the shard's run
  std::int64_t bytes = 0;
};

std::map<std::string, Kept> read_kept(const fs::path& campaign) {
  const fs::path file = campaign / "collected.json";
  std::map<std::string, Kept> all;
  if (!fs::exists(file)) return all;
  const json content = read_json(file, "remove it and results/, and collect again");
  for (const auto& [shard, one] : content.items()) {
    const record::Fields fields(one, fmt::format("{}: {}", file.string(), shard));
    Kept& kept = all[shard];
    fields.read("run", kept.run);
    fields.read("started", kept.started);
    fields.read("bytes", kept.bytes);
  }
  return all;
}

void write_kept(const fs::path& campaign, const std::map<std::string, Kept>& all) {
  json content = json::object();
  for (const auto& [shard, kept] : all)
    content[shard] = {{"run", kept.run}, {"started", kept.started}, {"bytes", kept.bytes}};
  write_json(campaign / "collected.json", content);
}

// Where the entries of a shard are: in its own run, or in what was collected of it before.
struct Source {
  const Shard* shard = nullptr;
  fs::path folder;
  record::Provenance provenance;
  std::set<int> segments;  // of a collected run, those of the shard; empty: all
  std::string started;     // of the shard's own run
  std::int64_t bytes = 0;  // of its entries.jsonl
};

// Calls `take` with each whole line. Throws podium::Error with file and line for what is no JSON object, but
// for the last line, which a kill may have cut.
void each_entry(const Source& source, const std::function<void(json&)>& take) {
  const fs::path file = source.folder / "entries.jsonl";
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (stream.eof()) return;  // no newline: it was cut short
    json entry = json::parse(line, nullptr, false);
    if (!entry.is_object())
      throw Error(
          fmt::format("{}:{}: found a line that is no entry; the file was damaged", file.string(), number));
    if (source.segments.empty() || source.segments.contains(entry.value("segment", 0))) take(entry);
  }
}

// Runs whose rounds may pool have the same.
std::string likeness(const record::Provenance& p) {
  json like{{"device", record::slug(p.device)}, {"driver", p.driver},
            {"attested", record::attested(p)},  {"caches", p.caches},
            {"isolated", p.isolated},           {"compilers", json::array()},
            {"boards", json::array()},          {"contestants", json::array()}};
  for (const auto& one : p.compilers) like["compilers"].push_back({one.backend, one.version, one.flags});
  for (const auto& one : p.boards) like["boards"].push_back({one.problem, one.types, one.stage, one.sha256});
  for (const auto& one : p.contestants) like["contestants"].push_back({one.problem, one.name, one.sha256});
  return like.dump();
}

// "has driver 575 and not 580 as": what keeps the rounds of two runs apart.
std::string difference(const record::Provenance& a, const record::Provenance& b) {
  if (record::slug(a.device) != record::slug(b.device)) return "is of another type of device than";
  if (a.driver != b.driver) return fmt::format("has driver {} and not {} as", b.driver, a.driver);
  if (record::attested(a) != record::attested(b)) return "has another sandbox than";
  return "has other compilers, problems or contestants than";
}

// Shards of the same boards, whose runs are alike.
struct Pool {
  std::string name;  // "<device>/<name of the run's folder>"
  std::vector<Source> sources;
};

using BoardKey = std::tuple<std::string, std::string, int>;  // problem, types, series
BoardKey key_of(const json& entry) {
  return {entry.value("problem", ""), entry.value("types", ""), entry.value("series", 0)};
}

std::map<BoardKey, Rounds> rounds_of(const Pool& pool) {
  std::map<BoardKey, Rounds> all;
  for (std::size_t k = 0; k < pool.sources.size(); ++k)
    each_entry(pool.sources[k], [&](json& entry) {
      if (entry.contains("set_aside")) return;
      Rounds& rounds = all[key_of(entry)];
      const auto verdict = record::RecordedVerdict::from_word(entry.value("verdict", ""));
      const std::string contestant = entry.value("contestant", ""), workload = entry.value("workload", "");
      const int round = entry.value("round", -1);
      if (record::failed(verdict)) rounds.put_out(contestant);
      if (round >= 0 && !workload.empty() && verdict == Verdict::right)
        rounds.add(k, contestant, entry.value("twin", false), workload, round);
    });
  for (auto& [key, rounds] : all) rounds.number();
  return all;
}

// The segments of a shard's run, which it has none of if it was never resumed.
std::vector<record::Segment> segments_of(const Source& source) {
  const record::Provenance& p = source.provenance;
  std::vector<record::Segment> all = p.segments;
  if (all.empty())
    all.push_back({.podium = p.podium,
                   .commit = p.commit,
                   .command = p.command,
                   .started = p.started,
                   .order_seed = p.order_seed,
                   .wall_seconds = p.wall_seconds,
                   .ended = p.ended});
  if (source.segments.empty()) return all;
  std::vector<record::Segment> own;
  for (const int k : source.segments) own.push_back(all.at(static_cast<std::size_t>(k)));
  return own;
}

// The last attempt that had begun when a segment did.
const Visit* visit_of(const State& state, const record::Segment& segment) {
  const Visit* found = nullptr;
  for (const Visit& visit : state.visits)
    if (!found || visit.started <= segment.started) found = &visit;
  return found;
}

void place(std::vector<record::Segment>& segments, const Source& source, const State& state,
           const Sick& sick) {
  for (record::Segment& segment : segments) {
    segment.shard = source.shard->id;
    const Visit* visit = visit_of(state, segment);
    if (segment.device.empty() && visit) {
      segment.node = visit->node;
      segment.device = visit->device;
    }
    const auto found = sick.find({segment.node, segment.device});
    segment.sick = found == sick.end() ? "" : found->second;
  }
}

double median_of(const std::vector<Source>& sources, double record::Provenance::* member) {
  std::vector<double> all;
  for (const Source& source : sources)
    if (source.provenance.*member > 0) all.push_back(source.provenance.*member);
  return all.empty() ? 0 : measure::median(all).value;
}

// A number that every shard's run has of a board: the mean of those that measured it.
double mean_of(const std::vector<const record::BoardRecord*>& boards, double record::BoardRecord::* member) {
  double sum = 0;
  int count = 0;
  for (const record::BoardRecord* board : boards) {
    if (board->*member < 0) continue;
    sum += board->*member;
    ++count;
  }
  return count ? sum / count : -1;
}

void merge_boards(record::Provenance& all, const std::vector<Source>& sources) {
  std::map<BoardKey, std::vector<const record::BoardRecord*>> same;
  std::vector<record::BoardRecord> boards;
  for (const Source& source : sources)
    for (const record::BoardRecord& board : source.provenance.boards) {
      auto& of = same[{board.problem, board.types, board.series}];
      if (of.empty()) boards.push_back(board);
      of.push_back(&board);
    }
  for (record::BoardRecord& board : boards) {
    const auto& of = same.at({board.problem, board.types, board.series});
    for (const auto member : {&record::BoardRecord::empty_call, &record::BoardRecord::judge_overhead,
                              &record::BoardRecord::tolerance, &record::BoardRecord::verification_seconds})
      board.*member = mean_of(of, member);
    // Verification counts once, rounds count as often as they were measured.
    const double mean = mean_of(of, &record::BoardRecord::seconds);
    const double verification = std::max(0.0, board.verification_seconds);
    board.seconds = mean < 0 ? -1 : verification + (mean - verification) * static_cast<double>(of.size());
  }
  all.boards = std::move(boards);
}

record::Provenance merged(const Pool& pool, const std::map<std::string, State>& states, const Sick& sick) {
  record::Provenance all = pool.sources.front().provenance;
  all.segments.clear();
  all.secrets.clear();
  all.spent = {};
  all.wall_seconds = 0;
  all.rounds = 0;
  all.ended.clear();
  std::set<std::pair<std::string, std::string>> contestants;
  std::vector<record::ContestantRecord> entrants;
  std::set<std::string> seen;  // collected runs, of which several shards may be taken
  for (const Source& source : pool.sources) {
    const record::Provenance& p = source.provenance;
    auto segments = segments_of(source);
    place(segments, source, states.at(source.shard->id), sick);
    for (const record::Segment& segment : segments) all.wall_seconds += segment.wall_seconds;
    std::ranges::move(segments, std::back_inserter(all.segments));
    all.rounds += source.shard->rounds;
    all.started = std::min(all.started, p.started);
    for (const record::ContestantRecord& one : p.contestants)
      if (contestants.emplace(one.problem, one.name).second) entrants.push_back(one);
    if (!seen.insert(source.folder.string()).second) continue;
    all.spent += p.spent;
    all.secrets.insert(all.secrets.end(), p.secrets.begin(), p.secrets.end());
  }
  all.contestants = std::move(entrants);
  merge_boards(all, pool.sources);
  for (const auto member :
       {&record::Provenance::copy_bytes_per_second, &record::Provenance::read_bytes_per_second,
        &record::Provenance::write_bytes_per_second})
    all.*member = median_of(pool.sources, member);
  return all;
}

// Replaced as a whole or not at all.
class EntriesFile {
 public:
  explicit EntriesFile(const fs::path& folder)
      : file_(folder / "entries.jsonl"),
        temporary_(file_.string() + ".tmp"),
        stream_(temporary_, std::ios::binary) {}
  void put(const json& entry) {
    stream_ << entry.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  }
  void finish() {
    stream_.close();
    std::error_code error;
    if (stream_) fs::rename(temporary_, file_, error);
    if (!stream_ || error)
      throw Error(fmt::format("{}: cannot be written: {}; make room, and collect again", file_.string(),
                              error ? error.message() : "the disk may be full"));
  }

 private:
  fs::path file_, temporary_;
  std::ofstream stream_;
};

void write_entries(const fs::path& folder, const Pool& pool, const std::map<BoardKey, Rounds>& rounds) {
  EntriesFile file(folder);
  int first_segment = 0;
  for (std::size_t k = 0; k < pool.sources.size(); ++k) {
    const Source& source = pool.sources[k];
    std::map<int, int> segments;  // of the source, in the pool
    for (const int own : source.segments) segments.emplace(own, static_cast<int>(segments.size()));
    each_entry(source, [&](json& entry) {
      const int own = entry.value("segment", 0);
      const int segment = first_segment + (segments.empty() ? own : segments.at(own));
      if (segment > 0)
        entry["segment"] = segment;
      else
        entry.erase("segment");
      const int round = entry.value("round", -1);
      const auto board = rounds.find(key_of(entry));
      if (round >= 0 && board != rounds.end() && !entry.contains("set_aside"))
        entry["round"] = board->second.of(k, round);
      file.put(entry);
    });
    first_segment += static_cast<int>(segments_of(source).size());
  }
  file.finish();
}

void copy_sources(const fs::path& folder, const Pool& pool) {
  fs::create_directories(folder / "sources");
  std::error_code none;  // of a run that has just begun
  for (const Source& source : pool.sources)
    for (const auto& text : fs::directory_iterator(source.folder / "sources", none)) {
      const fs::path copy = folder / "sources" / text.path().filename();
      if (fs::exists(copy)) continue;
      fs::copy_file(text.path(), copy.string() + ".tmp", fs::copy_options::overwrite_existing);
      fs::rename(copy.string() + ".tmp", copy);
    }
}

class Collecting {
 public:
  Collecting(const fs::path& campaign, const Plan& plan, const Sick& sick)
      : campaign_(campaign), plan_(plan), sick_(sick), kept_(read_kept(campaign)) {}

  Collection run() {
    for (const Shard& shard : plan_.shards) {
      try {
        states_[shard.id] = read_state(campaign_, shard.id);
      } catch (const Error& e) {
        collection_.unreadable.emplace_back(e.what());
        states_[shard.id] = {};
      }
      ++collection_.shards[states_[shard.id].standing];
    }
    std::vector<std::vector<const Shard*>> groups = groups_of_shards();
    in_parallel(std::ssize(groups), processors(),
                [&](std::int64_t k) { collect(groups[static_cast<std::size_t>(k)]); });
    note_missing();
    finish();
    return std::move(collection_);
  }

 private:
  // Of the same boards on one partition, in the plan's order.
  std::vector<std::vector<const Shard*>> groups_of_shards() const {
    std::map<std::tuple<std::string, std::vector<Board>, std::vector<std::string>>, std::size_t> at;
    std::vector<std::vector<const Shard*>> groups;
    for (const Shard& shard : plan_.shards) {
      const auto [found, first] =
          at.try_emplace({shard.partition, shard.boards, shard.contestants}, groups.size());
      if (first) groups.emplace_back();
      groups[found->second].push_back(&shard);
    }
    return groups;
  }

  void collect(const std::vector<const Shard*>& group) {
    std::vector<Pool> pools;
    std::vector<const Shard*> waiting;
    for (const Shard* shard : group)
      if (auto source = source_of(*shard))
        add(pools, *group.front(), std::move(*source));
      else
        waiting.push_back(shard);
    if (pools.size() > 1) waiting.clear();  // nobody knows in which they will be
    for (const Pool& pool : pools) try {
        write(pool, waiting);
      } catch (const Error& e) {
        const std::scoped_lock lock(mutex_);
        collection_.unreadable.emplace_back(e.what());
        for (const Source& source : pool.sources)  // what was collected of them stays
          if (const auto before = kept_.find(source.shard->id); before != kept_.end())
            now_[source.shard->id] = before->second;
      }
  }

  // The shard's run, unless more of it was collected before.
  std::optional<Source> source_of(const Shard& shard) {
    const fs::path folder = shard_folder(campaign_, shard.id) / "run";
    const auto kept = kept_.find(shard.id);
    std::optional<Source> source;
    try {
      if (fs::exists(folder / "run.json")) {
        source = Source{.shard = &shard,
                        .folder = folder,
                        .provenance = record::provenance_from(record::read_provenance(folder))};
        source->started = source->provenance.started;
        std::error_code none;
        const auto bytes = fs::file_size(folder / "entries.jsonl", none);
        source->bytes = none ? 0 : static_cast<std::int64_t>(bytes);
      }
    } catch (const Error& e) {
      const std::scoped_lock lock(mutex_);
      collection_.unreadable.push_back(fmt::format("shard {}: {}", shard.id, e.what()));
    }
    if (kept == kept_.end()) return source;
    if (source && (source->bytes >= kept->second.bytes)) return source;
    auto before = collected(shard, kept->second);
    if (before && source) {
      const std::scoped_lock lock(mutex_);
      collection_.notes.push_back(
          fmt::format("shard {}: its run holds less than was collected of it before, which stays", shard.id));
    }
    return before ? before : source;
  }

  std::optional<Source> collected(const Shard& shard, const Kept& kept) const {
    Source source{.shard = &shard,
                  .folder = campaign_ / "results" / kept.run,
                  .started = kept.started,
                  .bytes = kept.bytes};
    try {
      source.provenance = record::provenance_from(record::read_provenance(source.folder));
    } catch (const Error&) {  // results/ was removed
      return std::nullopt;
    }
    for (std::size_t k = 0; k < source.provenance.segments.size(); ++k)
      if (source.provenance.segments[k].shard == shard.id) source.segments.insert(static_cast<int>(k));
    return source.segments.empty() ? std::nullopt : std::optional(std::move(source));
  }

  void add(std::vector<Pool>& pools, const Shard& first, Source source) {
    const std::string like = likeness(source.provenance);
    const std::string name = fmt::format("{}/{}-{}-{}", record::slug(source.provenance.device),
                                         plan_.campaign, first.id, record::sha256(like).substr(0, 4));
    const auto found = std::ranges::find(pools, name, &Pool::name);
    if (found != pools.end()) return found->sources.push_back(std::move(source));
    if (!pools.empty()) {
      const Source& other = pools.front().sources.front();
      const std::scoped_lock lock(mutex_);
      collection_.notes.push_back(
          fmt::format("shard {} {} shard {}: their rounds are not pooled, and the boards have a table each",
                      source.shard->id, difference(other.provenance, source.provenance), other.shard->id));
    }
    pools.push_back({.name = name, .sources = {std::move(source)}});
  }

  // `waiting`: shards whose rounds will be in the pool.
  void write(const Pool& pool, const std::vector<const Shard*>& waiting) {
    const fs::path folder = campaign_ / "results" / pool.name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
      throw Error(fmt::format("{}: the folder cannot be created: {}; make it writable, and collect again",
                              folder.string(), error.message()));
    const auto rounds = rounds_of(pool);
    std::vector<std::string> open;
    for (const Source& source : pool.sources)
      if (states_.at(source.shard->id).standing != Standing::done) open.push_back(source.shard->id);
    for (const Shard* shard : waiting) open.push_back(shard->id);
    record::Provenance provenance = merged(pool, states_, sick_);
    for (const Shard* shard : waiting) provenance.rounds += shard->rounds;
    if (!open.empty())
      provenance.ended = fmt::format("collected before {} {} done", fmt::join(open, ", "),
                                     open.size() == 1 ? "was" : "were");
    write_entries(folder, pool, rounds);
    record::write_file(folder / "run.json", record::to_json(provenance).dump(1) + '\n');
    copy_sources(folder, pool);
    const std::scoped_lock lock(mutex_);
    collection_.runs.push_back(folder);
    for (std::size_t k = 0; k < pool.sources.size(); ++k) {
      const Source& source = pool.sources[k];
      now_[source.shard->id] = {.run = pool.name, .started = source.started, .bytes = source.bytes};
      for (const Board& board : source.shard->boards) {
        const auto found = rounds.find({board.problem, board.types, 0});
        complete_[source.shard->id][board] = found == rounds.end() ? 0 : found->second.complete(k);
      }
    }
  }

  std::string rounds_missing(const Shard& shard) const {
    const auto measured = complete_.find(shard.id);
    std::vector<std::string> lacking;
    for (const Board& board : shard.boards) {
      const int rounds = measured == complete_.end() ? 0 : measured->second.at(board);
      if (rounds < shard.rounds)
        lacking.push_back(
            fmt::format("{} of {} of {}", rounds, counted(shard.rounds, "round"), text_of(board)));
    }
    return fmt::format("{}", fmt::join(lacking, ", "));
  }

  void note_missing() {
    for (const Shard& shard : plan_.shards) {
      const State& state = states_.at(shard.id);
      const std::string rounds = rounds_missing(shard);
      if (state.standing == Standing::done && rounds.empty()) continue;
      std::string why{name_of(state.standing)};
      if (!state.visits.empty() && state.standing != Standing::waiting)
        why += fmt::format(" on {}", state.visits.back().node);
      if (!state.why.empty()) why += ": " + state.why;
      if (!rounds.empty()) why += "; there are " + rounds;
      collection_.missing.push_back({shard.id, state.standing, why});
    }
  }

  void finish() {
    // Runs from which all shards have moved to others.
    std::set<std::string> used;
    for (const auto& [shard, kept] : now_) used.insert(kept.run);
    for (const auto& [shard, kept] : kept_) {
      std::error_code none;
      if (!used.contains(kept.run) && now_.contains(shard))
        fs::remove_all(campaign_ / "results" / kept.run, none);
      now_.try_emplace(shard, kept);
    }
    write_kept(campaign_, now_);
    std::ranges::sort(collection_.runs);
    std::ranges::sort(collection_.notes);
    std::ranges::sort(collection_.unreadable);
  }

  const fs::path& campaign_;
  const Plan& plan_;
  const Sick& sick_;
  std::map<std::string, Kept> kept_, now_;
  std::map<std::string, State> states_;
  std::map<std::string, std::map<Board, int>> complete_;  // rounds, by shard
  std::mutex mutex_;                                      // of now_, complete_ and collection_
  Collection collection_;
};

}  // namespace

Collection collect(const fs::path& campaign, const Plan& plan, const Sick& sick) {
  return Collecting(campaign, plan, sick).run();
}

}  // namespace podium::cluster
