// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// An entry as a JSON object and back.
#include <fmt/format.h>

#include <charconv>

#include "suite/base/error.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

// As strings: many readers of JSON hold numbers in a double, which a 64-bit seed does not fit.
std::vector<std::string> hexadecimal(const std::vector<std::uint64_t>& seeds) {
  std::vector<std::string> result;
  for (const std::uint64_t seed : seeds) result.push_back(fmt::format("{:016x}", seed));
  return result;
}

std::uint64_t seed_from(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed, 16);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(fmt::format("entry: field 'seeds' holds '{}', expected 16 hexadecimal digits", text));
  return seed;
}

void read(const nlohmann::json& json, Together& together) {
  const auto* found = Fields(json, "entry").find("together");
  if (!found) return;
  const Fields fields(*found, "entry: together");
  fields.read("calls", together.calls);
  fields.read("microseconds", together.microseconds);
  fields.read("judge_microseconds", together.judge_microseconds);
}

void read(const nlohmann::json& json, Checked& checked) {
  const auto* found = Fields(json, "entry").find("checked");
  if (!found) return;
  const Fields fields(*found, "entry: checked");
  fields.read("calls", checked.calls);
  fields.read("elements", checked.elements);
  fields.read("compared", checked.compared);
  fields.read("examined", checked.examined);
  fields.read("bytes", checked.bytes);
}

}  // namespace

RecordedVerdict RecordedVerdict::from_word(std::string_view word) {
  RecordedVerdict read;
  if (const auto known = verdict_of(word))
    read.verdict_ = *known;
  else
    read.verdict_ = std::string(word);
  return read;
}

std::string_view RecordedVerdict::word() const {
  const auto* known = std::get_if<Verdict>(&verdict_);
  return known ? word_of(*known) : std::get<std::string>(verdict_);
}

bool declined(const RecordedVerdict& verdict) {
  return verdict == Verdict::unsupported || verdict == Verdict::missing_library;
}

bool failed(const RecordedVerdict& verdict) { return verdict != Verdict::right && !declined(verdict); }

Checked& Checked::operator+=(const Checked& more) {
  calls += more.calls;
  elements += more.elements;
  compared += more.compared;
  examined += more.examined;
  bytes += more.bytes;
  return *this;
}

nlohmann::json to_json(const Checked& checked) {
  return {{"calls", checked.calls},
          {"elements", checked.elements},
          {"compared", checked.compared},
          {"examined", checked.examined},
          {"bytes", checked.bytes}};
}

nlohmann::json to_json(const Entry& entry) {
  nlohmann::json result{{"schema", schema},
                        {"problem", entry.problem},
                        {"types", entry.types},
                        {"stage", entry.stage},
                        {"workload", entry.workload},
                        {"contestant", entry.contestant},
                        {"twin", entry.twin},
                        {"emulated", entry.emulated},
                        {"round", entry.round},
                        {"verdict", entry.verdict.word()},
                        {"text", entry.text},
                        {"microseconds", numbers(entry.microseconds)},
                        {"judge_microseconds", numbers(entry.judge_microseconds)},
                        {"worst", number(entry.worst)},
                        {"bytes", number(entry.bytes)},
                        {"flops", number(entry.flops)},
                        {"blocking", entry.blocking},
                        {"canaries", numbers(entry.canaries)},
                        {"stopped", entry.stopped},
                        {"seeds", hexadecimal(entry.seeds)}};
  if (!entry.printed.empty()) result["printed"] = entry.printed;
  if (entry.exact >= 0) result["exact_error"] = number(entry.exact);
  if (entry.left_out > 0) result["left_out"] = entry.left_out;
  if (entry.checked.calls > 0) result["checked"] = to_json(entry.checked);
  if (entry.segment > 0) result["segment"] = entry.segment;
  if (entry.series > 0) result["series"] = entry.series;
  if (!entry.set_aside.empty()) result["set_aside"] = entry.set_aside;
  put(result, entry.median);
  if (entry.microseconds.empty()) return result;  // what follows is of samples
  if (!entry.fill_microseconds.empty()) {
    result["fill_microseconds"] = numbers(entry.fill_microseconds);
    result["check_microseconds"] = numbers(entry.check_microseconds);
    result["reference_microseconds"] = numbers(entry.reference_microseconds);
  }
  result["clock_mhz"] = numbers(entry.clock_mhz);
  result["reference_mhz"] = number(entry.reference_mhz);
  result["discarded"] = entry.discarded;
  result["slow"] = entry.slow;
  if (entry.written >= 0) result["bytes_written"] = number(entry.written);
  if (entry.judged) result["judged"] = true;
  if (!entry.excused.empty()) result["excused"] = entry.excused;
  if (!entry.telemetry.source.empty()) result["telemetry"] = to_json(entry.telemetry);
  put(result, entry.measured);
  if (entry.together.calls > 0)
    result["together"] = {{"calls", entry.together.calls},
                          {"microseconds", numbers(entry.together.microseconds)},
                          {"judge_microseconds", numbers(entry.together.judge_microseconds)}};
  return result;
}

Entry entry_from(const nlohmann::json& json) {
  const Fields fields(json, "entry");
  fields.need_schema();
  for (const char* key : {"problem", "contestant", "verdict"}) fields.need(key);

  Entry entry;
  fields.read("problem", entry.problem);
  fields.read("types", entry.types);
  fields.read("stage", entry.stage);
  fields.read("workload", entry.workload);
  fields.read("contestant", entry.contestant);
  fields.read("twin", entry.twin);
  fields.read("emulated", entry.emulated);
  fields.read("round", entry.round);
  std::string verdict;
  fields.read("verdict", verdict);
  entry.verdict = RecordedVerdict::from_word(verdict);
  fields.read("text", entry.text);
  fields.read("printed", entry.printed);
  fields.read("microseconds", entry.microseconds);
  fields.read("judge_microseconds", entry.judge_microseconds);
  fields.read("fill_microseconds", entry.fill_microseconds);
  fields.read("check_microseconds", entry.check_microseconds);
  fields.read("reference_microseconds", entry.reference_microseconds);
  fields.read("clock_mhz", entry.clock_mhz);
  fields.read("reference_mhz", entry.reference_mhz);
  fields.read("discarded", entry.discarded);
  fields.read("slow", entry.slow);
  fields.read("judged", entry.judged);
  fields.read("excused", entry.excused);
  if (const auto* telemetry = fields.find("telemetry")) entry.telemetry = telemetry_from(*telemetry);
  read(fields, entry.median);
  fields.read("worst", entry.worst);
  fields.read("exact_error", entry.exact);
  fields.read("left_out", entry.left_out);
  fields.read("bytes", entry.bytes);
  fields.read("flops", entry.flops);
  fields.read("bytes_written", entry.written);
  fields.read("blocking", entry.blocking);
  fields.read("canaries", entry.canaries);
  fields.read("stopped", entry.stopped);
  std::vector<std::string> seeds;
  fields.read("seeds", seeds);
  for (const std::string& seed : seeds) entry.seeds.push_back(seed_from(seed));
  read(json, entry.measured);
  read(json, entry.together);
  read(json, entry.checked);
  fields.read("segment", entry.segment);
  fields.read("series", entry.series);
  fields.read("set_aside", entry.set_aside);
  return entry;
}

}  // namespace podium::record
