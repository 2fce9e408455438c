// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/verdict.hpp"

#include <algorithm>

namespace podium {
namespace {

struct Row {
  Verdict verdict;
  std::string_view word;
};

// The only place that spells them.
constexpr Row words[] = {{Verdict::right, "right"},
                         {Verdict::wrong, "wrong"},
                         {Verdict::not_written, "not written"},
                         {Verdict::input_changed, "input changed"},
                         {Verdict::out_of_bounds, "out of bounds"},
                         {Verdict::unsupported, "not supported"},
                         {Verdict::threw, "threw"},
                         {Verdict::device_error, "device error"},
                         {Verdict::broke_protocol, "broke protocol"},
                         {Verdict::crashed, "crashed"},
                         {Verdict::none, ""},
                         {Verdict::not_capturable, "not capturable"},
                         {Verdict::out_of_memory, "out of memory"},
                         {Verdict::exited, "exited"},
                         {Verdict::hung, "hung"},
                         {Verdict::too_many_processes, "too many processes"},
                         {Verdict::ran_while_parked, "ran while parked"},
                         {Verdict::fault_found, "fault found"},
                         {Verdict::device_lost, "device lost"},
                         {Verdict::clock, "clock"},
                         {Verdict::too_fast, "too fast"},
                         {Verdict::not_attested, "not attested"},
                         {Verdict::did_not_compile, "did not compile"},
                         {Verdict::missing_library, "missing library"},
                         {Verdict::bad_file, "bad file"},
                         {Verdict::not_finished, "not finished"},
                         {Verdict::no_verdict, "no verdict"}};

}  // namespace

std::string_view word_of(Verdict verdict) {
  const auto found = std::ranges::find(words, verdict, &Row::verdict);
  return found == std::end(words) ? word_of(Verdict::broke_protocol) : found->word;
}

std::optional<Verdict> verdict_of(std::string_view word) {
  const auto found = std::ranges::find(words, word, &Row::word);
  return found == std::end(words) ? std::nullopt : std::optional(found->verdict);
}

}  // namespace podium
