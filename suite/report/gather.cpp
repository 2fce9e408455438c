// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entries of one board sorted by contestant, workload and round.
#include "suite/report/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace podium::report {
namespace {

bool any(const std::vector<std::map<int, double>>& times) {
  return std::ranges::any_of(times, [](const auto& rounds) { return !rounds.empty(); });
}

Gathered& find_or_add(std::vector<Gathered>& all, const std::string& contestant, std::size_t workloads) {
  const auto found = std::ranges::find(all, contestant, &Gathered::contestant);
  if (found != all.end()) return *found;
  Gathered& added = all.emplace_back();
  added.contestant = contestant;
  added.times.resize(workloads);
  added.twin_times.resize(workloads);
  added.declined.resize(workloads);
  added.bytes.resize(workloads);
  added.flops.resize(workloads);
  added.written.resize(workloads, -1);
  added.metrics.resize(workloads);
  added.unmeasured.resize(workloads);
  return added;
}

void fail(Gathered& gathered, const record::RecordedVerdict& verdict, const std::string& text) {
  if (gathered.failure) return;
  gathered.failure = verdict;
  gathered.text = text;
}

// Of the baseline's twin nothing but its time is measured.
void add_metrics(Gathered& gathered, const record::Entry& entry, std::size_t workload) {
  for (const record::Metric* metric : record::metrics()) {
    if (const auto value = entry.measured.value(*metric))
      gathered.metrics[workload][*metric].push_back(*value);
    std::string& why = gathered.unmeasured[workload][*metric];
    if (why.empty()) why = entry.measured[*metric].text;
  }
}

// `workload`: an index, or the number of workloads for an entry of a test or of the contestant as a whole.
void add(Gathered& gathered, const record::Entry& entry, std::size_t workload) {
  gathered.emulated = gathered.emulated || entry.emulated;
  gathered.checked += entry.checked;
  const bool ranked_workload = workload < gathered.times.size();
  if (record::declined(entry.verdict)) {
    if (ranked_workload) gathered.declined[workload] = entry.text.empty() ? entry.verdict.word() : entry.text;
    if (!gathered.refusal) gathered.refusal_text = entry.text;
    if (!gathered.refusal) gathered.refusal = entry.verdict;
    return;
  }
  if (entry.verdict == Verdict::none) return fail(gathered, Verdict::no_verdict, entry.text);
  if (entry.verdict != Verdict::right) return fail(gathered, entry.verdict, entry.text);

  gathered.blocking = gathered.blocking || entry.blocking;
  gathered.worst = std::max(gathered.worst, entry.worst);
  gathered.exact = std::max(gathered.exact, entry.exact);
  gathered.verified = gathered.verified || entry.round < 0;
  if (entry.round < 0 || !ranked_workload) return;
  if (!(entry.median.value > 0) || std::isinf(entry.median.value))
    return fail(gathered, Verdict::clock,
                fmt::format("recorded a median of {} µs on {}", entry.median.value, entry.workload));
  (entry.twin ? gathered.twin_times : gathered.times)[workload][entry.round] = entry.median.value;
  gathered.judged = gathered.judged || entry.judged;
  if (!entry.twin) add_metrics(gathered, entry, workload);
  gathered.bytes[workload] = entry.bytes;
  gathered.flops[workload] = entry.flops;
  gathered.written[workload] = entry.written;
}

// Leading rounds that are there.
int leading(const std::map<int, double>& rounds) {
  int next = 0;
  for (const auto& [round, time] : rounds) {
    if (round != next) break;
    ++next;
  }
  return next;
}

std::vector<const record::Entry*> of_all_series(const record::Run& run, const std::string& problem,
                                                const std::string& types, const std::string& stage) {
  std::vector<const record::Entry*> entries;
  for (const record::Entry& entry : run.entries)
    if (entry.problem == problem && entry.types == types &&
        (entry.stage == stage || entry.round < 0 || entry.stage.empty()))
      entries.push_back(&entry);
  return entries;
}

}  // namespace

bool Gathered::timed() const { return !failure && !emulated && any(times); }
bool Gathered::timed_twin() const { return timed() && any(twin_times); }

std::vector<const record::Entry*> entries_of(const record::Run& run, const std::string& problem,
                                             const std::string& types, const std::string& stage, int series) {
  auto entries = of_all_series(run, problem, types, stage);
  std::erase_if(entries, [&](const record::Entry* entry) { return entry->series != series; });
  return entries;
}

std::vector<const record::Entry*> newest_entries_of(const record::Run& run, const std::string& problem,
                                                    const std::string& types, const std::string& stage) {
  auto entries = of_all_series(run, problem, types, stage);
  std::map<std::string, int> last;
  for (const record::Entry* entry : entries)
    last[entry->contestant] = std::max(last[entry->contestant], entry->series);
  std::erase_if(entries,
                [&](const record::Entry* entry) { return entry->series != last.at(entry->contestant); });
  return entries;
}

std::vector<Gathered> gather(const std::vector<const record::Entry*>& entries,
                             const std::vector<std::string>& workloads) {
  std::vector<Gathered> all;
  for (const record::Entry* entry : entries) {
    const bool test = entry->stage == "test";
    const auto found = test ? workloads.end() : std::ranges::find(workloads, entry->workload);
    add(find_or_add(all, entry->contestant, workloads.size()), *entry,
        static_cast<std::size_t>(found - workloads.begin()));
  }
  return all;
}

int complete_rounds(const std::vector<Gathered>& all) {
  int least = std::numeric_limits<int>::max();
  for (const Gathered& gathered : all) {
    if (!gathered.timed()) continue;
    for (const auto* times : {&gathered.times, &gathered.twin_times})
      for (const auto& rounds : *times)
        if (!rounds.empty()) least = std::min(least, leading(rounds));
  }
  return least == std::numeric_limits<int>::max() ? 0 : least;
}

}  // namespace podium::report
