// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What stands in run.json and in entries.jsonl. Whoever adds a field adds its row here.
#include <fmt/format.h>

#include <algorithm>

#include "suite/record/metric.hpp"
#include "suite/record/schema.hpp"

namespace podium::record {
namespace {

FieldOf version() {
  return {"schema", "version", "the version of this format with which the object was written", true};
}

FormOf waits() {
  return {"wait_parts",
          "Microseconds of a sample, medians",
          {{"asking", "amount", "messages between podium and the judge"},
           {"arming", "amount", "until the worker has armed"},
           {"stopping", "amount", "until its threads stand still"},
           {"waking", "amount", "from opening the gate to *done*, without the call"},
           {"own", "amount", "the judge's own bookkeeping"}}};
}

FormOf spent() {
  FormOf form{"spent", "Where the wall time went, in seconds unless the name says otherwise", {}};
  const std::pair<const char*, const char*> parts[] = {
      {"building", "contestants and judge's programs, compiled or found in the cache"},
      {"copy_rate", "the copy rate of a board"},
      {"rehearsals", "the judge's work on each workload, before any contestant"},
      {"starts", "starts and ends of judges and workers"},
      {"warm_ups", "instances: created, called once, destroyed"},
      {"columns", "samples beside those that rank"},
      {"calls", "timed calls, by the device's clock"},
      {"fills", "inputs written, outputs poisoned, caches flushed"},
      {"checks", "outputs copied and verified"},
      {"waits", "the rest of samples: messages, wake-ups, threads stopped"},
      {"canaries", "canaries before entries"},
      {"readings", "clocks, temperature, power and energy"},
      {"rests", "rests on a disturbed device or a busy machine"}};
  for (const auto& [name, says] : parts) form.fields.push_back({name, "amount", says});
  form.fields.push_back({"samples", "count", "number of samples"});
  form.fields.push_back({"wait_microseconds", "amount", "a sample's wait after a flush, median"});
  form.fields.push_back({"wait_unflushed_microseconds", "amount", "a sample's wait without a flush, median"});
  form.fields.push_back({"wait_parts", "wait_parts", "the parts of the former"});
  form.fields.push_back({"wait_parts_unflushed", "wait_parts", "the parts of the latter"});
  return form;
}

FormOf contestant() {
  return {"contestant",
          "A contestant of a problem",
          {{"problem", "text", "name of the problem", true},
           {"name", "text", "name of the contestant", true},
           {"title", "text", "title, as its file states it", true},
           {"author", "text", "author, as its file states it", true},
           {"source", "text", "where it comes from, as its file states it", true},
           {"kind", "text", "kind of contestant, as `podium list` shows it", true},
           {"tier", "text", "`native`, or `sealed` if it has no host code", true},
           {"file", "text", "name of its file, without folder", true},
           {"sha256", "sha256",
            "hash of its source, and of the code objects that it names; the source itself is in `sources/`",
            true},
           {"text_sha256", "sha256", "hash of its source alone, if that differs", false, 2},
           {"runtime", "text", "the interpreter that ran it and its packages; absent: none", false, 2},
           {"included", "{sha256}",
            "files beside it that it could include; those that it names are in `sources/`"}}};
}

FormOf segment() {
  return {
      "segment",
      "One start of `podium run`, of a run that was resumed or that `podium cluster collect` merged",
      {{"podium", "text", "version of Podium", true, 2},
       {"commit", "text", "commit of Podium", true, 2},
       {"command", "text", "command", true, 2},
       {"started", "time", "start", true, 2},
       {"order_seed", "seed",
        "seed of the order within rounds; 0 if the segment was killed, absent while it runs", false, 2},
       {"wall_seconds", "amount", "wall time; 0 if the segment was killed, or still runs", true, 2},
       {"ended", "text", "why it ended early; empty: it did not", true, 2},
       {"replaced", "[contestant]", "contestants that had changed when it began, as they were before", true,
        2},
       {"shard", "text", "of a campaign: the shard that measured it", false, 2},
       {"node", "text", "of a campaign: the node", false, 2},
       {"device", "text", "of a campaign: the device's UUID", false, 2},
       {"sick", "text", "of a campaign: why the device is held to be sick; absent: it is not", false, 2}}};
}

std::vector<FormOf> forms_of_run() {
  return {
      {"run",
       "Provenance: what must be known of a run to believe it and to repeat it",
       {version(),
        {"podium", "text", "version of Podium", true},
        {"commit", "text", "commit of Podium, with `-dirty` if files differed", true},
        {"command", "text", "command, without folders", true},
        {"started", "time", "start", true},
        {"device", "device", "the device's key; times of two keys are never in one table", true},
        {"driver", "text", "versions of driver and runtime", true},
        {"multiprocessors", "count", "multiprocessors, or threads of a CPU", true},
        {"last_level_cache", "large", "bytes", true},
        {"cpu", "text", "the machine's processor", true},
        {"kernel", "text", "the machine's kernel", true},
        {"compilers", "[compiler]", "compilers of contestants", true},
        {"contestants", "[contestant]", "contestants, with the hashes of their sources", true},
        {"boards", "[board]", "what was planned", true},
        {"sandbox", "[text]", "means that kept contestants from the judge", true},
        {"sandbox_without", "{text}", "means that this machine did not grant, and why"},
        {"order_seed", "seed", "seed of the order within rounds; absent while the run lasts"},
        {"rounds", "count", "planned rounds", true},
        {"isolated", "truth", "whether one worker ran at a time", true},
        {"columns", "truth", "whether hot, graph, end-to-end and steady times were asked for", true, 2},
        {"energy", "truth", "whether energy was asked for", true, 2},
        {"stopping", "stopping", "when an entry has samples enough", true, 2},
        {"filter", "text", "--benchmark_filter; empty: none", true, 2},
        {"caches", "text",
         "what caches held before each cold call: `clean`; in older runs of a GPU they held lines that "
         "had yet to be written"},
        {"copy_bytes_per_second", "amount", "bytes that a copy reads and writes; 0: not measured", true},
        {"read_bytes_per_second", "amount", "reading alone"},
        {"write_bytes_per_second", "amount", "writing alone"},
        {"calibrated", "text", "when the calibration in use was made; empty: none"},
        {"arithmetic", "{amount}", "its rates of arithmetic, operations a second"},
        {"wall_seconds", "amount", "wall time; 0 or absent: the run was killed, or still lasts"},
        {"ended", "text", "why it ended early; empty: it is whole"},
        {"spent", "spent", "where the wall time went"},
        {"secrets", "[seed]",
         "from which all seeds derive; none while the run lasts, nor of a judge that was killed"},
        {"segments", "[segment]", "of a run that was resumed: the first, and each that resumed it", false,
         2}}},
      {"device",
       "What makes two runs comparable",
       {{"backend", "text", "`host`, `cuda` or `hip`", true},
        {"product", "text", "name of the device", true},
        {"architecture", "text", "`sm_90`, `gfx942`, `x86-64-v3` …", true},
        {"memory", "large", "bytes", true},
        {"partition", "text", "part of the device, or threads in use; empty: all of it", true},
        {"power_cap", "amount", "watts; 0: not known", true},
        {"emulated", "truth",
         "whether the CPU executed its code: verified, never timed; absent: if `product` ends in "
         "`(emulated)`",
         false, 2}}},
      {"compiler",
       "A compiler of contestants",
       {{"backend", "text", "backend that it compiles for", true},
        {"version", "text", "version", true},
        {"flags", "[text]", "flags, without folders", true}}},
      contestant(),
      {"board",
       "A problem with one choice of types",
       {{"problem", "text", "name of the problem", true},
        {"title", "text", "title of the problem", true},
        {"types", "text", "choice of types", true},
        {"stage", "stage", "`quick` or `bench`; `test` or empty: nothing is timed", true},
        {"baseline", "text", "contestant to which times are related; empty: none", true},
        {"sha256", "sha256", "hash of problem.yaml, which is in `sources/`", true},
        {"workloads", "[text]", "timed workloads", true},
        {"contestants", "[text]", "contestants of the board, or of this series of it", false, 2},
        {"series", "count", "series of rounds; absent: 0", false, 2},
        {"files", "{sha256}", "of a reference in Python: the files that it runs, which are in `sources/`"},
        {"empty_call", "amount", "microseconds that a call takes which does nothing"},
        {"judge_overhead", "amount", "microseconds that the judge's interval is longer"},
        {"tolerance", "amount", "microseconds that it may differ before a time is doubted"},
        {"seconds", "amount", "wall time, but for building", false, 2},
        {"verification_seconds", "amount", "of these, until the first round", false, 2}}},
      {"stopping",
       "An entry ends when its interval is narrow, or its budget is spent",
       {{"least", "count", "fewest samples", true, 2},
        {"most", "count", "most samples", true, 2},
        {"relative", "amount", "width of the interval, as a share of the median", true, 2},
        {"budget", "amount", "seconds of wall time", true, 2}}},
      spent(),
      waits(),
      segment()};
}

const char* unit_of(Unit unit) { return unit == Unit::microjoules ? "microjoules" : "microseconds"; }

FormOf entry() {
  FormOf form{
      "entry",
      "One contestant on one workload in one round, or in verification; or of a contestant as a whole that "
      "got no further",
      {version(),
       {"problem", "text", "name of the problem", true},
       {"types", "text", "choice of types", true},
       {"stage", "stage", "`test`, `quick` or `bench`; empty: of the contestant as a whole", true},
       {"workload", "text", "name of the workload; empty: of the contestant as a whole", true},
       {"contestant", "text", "name of the contestant", true},
       {"twin", "truth", "whether it is the baseline's second appearance in the round", true},
       {"emulated", "truth", "whether a GPU's kernel was emulated on the CPU: verified, never timed", true},
       {"round", "round", "round from 0 on; -1: verification", true},
       {"series", "count", "series of rounds; absent: 0. Entries of two series are not paired", false, 2},
       {"segment", "count", "index into the run's `segments`; absent: 0", false, 2},
       {"set_aside", "text", "why the entry does not count; absent: it does", false, 2},
       {"verdict", "text", "`right`, or what went wrong", true},
       {"text", "text", "evidence or explanation, and the command that repeats the call to blame", true},
       {"printed", "text", "last lines of its output, if it threw: a traceback; absent: none", false, 2},
       {"microseconds", "[amount]", "samples by the worker's clock: the ranked time", true},
       {"judge_microseconds", "[amount]", "the judge's interval of the same samples", true},
       {"median", "amount", "median of the samples", true},
       {"low", "amount", "lower end of its 95 % interval", true},
       {"high", "amount", "upper end of its 95 % interval", true},
       {"worst", "error", "largest error over its limit", true},
       {"exact_error", "error",
        "largest error against exact() of a reference in Python, of the largest magnitude; absent: not "
        "known"},
       {"left_out", "large", "elements of a call that were excused or may hold anything; absent: none"},
       {"checked", "checked", "what the judge checked; absent: nothing, or an older Podium"},
       {"bytes", "amount", "bytes that the workload must move", true},
       {"bytes_written", "amount", "bytes of its outputs"},
       {"flops", "amount", "operations of the workload", true},
       {"blocking", "truth", "whether a call waits for the device: its time includes launching", true},
       {"canaries", "[amount]",
        "microseconds of trusted work before the entry; two: it was put off; three: parked workers were "
        "ended, too"},
       {"stopped", "text", "why sampling ended: `narrow`, `budget`, `most` or `long calls`", true},
       {"seeds", "[seed]", "seeds of the samples; none if the run was killed", true},
       {"fill_microseconds", "[amount]", "the judge's work before each sample"},
       {"check_microseconds", "[amount]", "the judge's work after each sample"},
       {"reference_microseconds", "[amount]", "references, in the latter"},
       {"clock_mhz", "[amount]", "the device's clock around each sample; 0: not known"},
       {"reference_mhz", "amount", "the clock that these are held against; 0: not known"},
       {"discarded", "count", "samples taken again since the clock had fallen"},
       {"slow", "count", "samples that count although it had"},
       {"judged", "truth", "whether times are by the judge's clock; absent: they are not"},
       {"excused", "text", "how it failed beside parked workers, if it was right without them"},
       {"telemetry", "telemetry", "what the device said of itself"},
       {"together", "together", "several calls behind one gate"}}};
  std::vector<std::string> seen;
  for (const Metric* metric : metrics()) {
    const std::string name(metric->record);
    if (std::ranges::find(seen, name) != seen.end()) continue;
    seen.push_back(name);
    form.fields.push_back({name, name, fmt::format("beside the ranked time, never ranked: {}", name)});
  }
  return form;
}

// Forms of what metrics measure, one a record.
void add_measurements(std::vector<FormOf>& forms) {
  for (const Metric* metric : metrics()) {
    const std::string name(metric->record);
    auto found = std::ranges::find(forms, name, &FormOf::name);
    if (found == forms.end()) {
      forms.push_back({name,
                       metric->meaning.empty()
                           ? fmt::format("Of one measurement, {}", name)
                           : fmt::format("As tables say, {}: {}", metric->header, metric->meaning),
                       {{"text", "text", "why nothing was measured"}}});
      found = std::prev(forms.end());
    }
    if (metric->form == Form::number) {
      found->fields.push_back(
          {std::string(metric->key), "amount", "of a call; further numbers say how it came about"});
      found->others = "number";
      continue;
    }
    found->fields.push_back({unit_of(metric->unit), "[amount]", "samples"});
    found->fields.push_back({"median", "amount", "their median"});
    found->fields.push_back({"low", "amount", "lower end of its 95 % interval"});
    found->fields.push_back({"high", "amount", "upper end of its 95 % interval"});
  }
}

std::vector<FormOf> forms_of_entry() {
  std::vector<FormOf> forms{
      entry(),
      {"telemetry",
       "What the device said of itself around an entry's samples",
       {{"source", "text", "library that was asked, or why there was none", true},
        {"end", "reading", "after the last sample"},
        {"counters", "counters", "the device's own counters over the entry"}}},
      {"reading",
       "Of one moment",
       {{"sm_clock_mhz", "amount", "clock of the multiprocessors"},
        {"memory_clock_mhz", "amount", "clock of the memory"},
        {"temperature_c", "degrees", "temperature"},
        {"power_w", "amount", "power"},
        {"throttle", "[text]", "why the device holds back"}}},
      {"counters",
       "Percent of the time, or of the most that is possible in it",
       {{"seconds", "amount", "length of the time", true},
        {"sm_active_percent", "amount", "multiprocessors with work"},
        {"sm_occupancy_percent", "amount", "warps of those possible"},
        {"tensor_active_percent", "amount", "matrix units"},
        {"memory_bandwidth_percent", "amount", "memory's bandwidth"}}},
      {"together",
       "How the times of short calls are attested",
       {{"calls", "count", "calls behind one gate", true},
        {"microseconds", "[amount]", "of all calls of a sample", true},
        {"judge_microseconds", "[amount]", "the judge's interval of the same", true}}},
      {"checked",
       "What the judge checked in the entry's calls, right or wrong, whatever they were taken for",
       {{"calls", "large", "calls", true},
        {"elements", "large",
         "elements of outputs: each looked at for poison and for numbers that are not finite", true},
        {"compared", "large", "of these: compared with a reference", true},
        {"examined", "large", "elements and results that the problem's checks looked at", true},
        {"bytes", "large",
         "bytes of guards, inputs and structure, held against what they were before the call", true}}}};
  add_measurements(forms);
  return forms;
}

}  // namespace

const std::vector<FormOf>& run_forms() {
  static const std::vector<FormOf> forms = forms_of_run();
  return forms;
}

const std::vector<FormOf>& entry_forms() {
  static const std::vector<FormOf> forms = forms_of_entry();
  return forms;
}

}  // namespace podium::record
