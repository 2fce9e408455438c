// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The verdicts on a contestant, from the worker to the report, and their words; and what is at fault where
// there is no verdict.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace podium {

enum class Verdict : std::int32_t {
  right,
  // What judge and worker say. Messages carry the numbers.
  wrong,
  not_written,
  input_changed,
  out_of_bounds,
  unsupported,
  threw,
  device_error,
  broke_protocol,
  crashed,
  none,            // nothing was found out about the contestant
  not_capturable,  // into a graph: no failure
  out_of_memory,
  // What podium finds out about a worker.
  exited,
  hung,
  too_many_processes,
  ran_while_parked,
  fault_found,  // by the tool that the worker ran under
  device_lost,
  // About the times that a worker reports.
  clock,
  too_fast,
  not_attested,
  // About a contestant that was not built.
  did_not_compile,
  missing_library,
  bad_file,
  // About a row of a report.
  not_finished,
  no_verdict,  // its record holds none

  gone = crashed  // the judge knows only that the worker's process has ended; podium finds out how
};

// What an error is about. Messages carry the numbers of the first three.
enum class Fault : std::int32_t {
  contestant = 1,
  input,         // problems, options, files: what somebody wrote
  device,        // there is none, or it is lost
  interruption,  // by a signal to podium
};

// In records and tables: "right", "not written" ...; "" for none.
std::string_view word_of(Verdict verdict);
// Nothing for a word that is none of these.
std::optional<Verdict> verdict_of(std::string_view word);

}  // namespace podium
