// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/call_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "suite/protocol/channel.hpp"

namespace podium::judge {

using protocol::Verdict;

void CallCheck::check_untouched(protocol::Sampled& result, const Placement& placement) {
  const auto verdict = [&](Verdict v, const std::string& text) {
    result.verdict = v;
    protocol::put(result.text, text);
  };
  const problem::Instance& instance = tensors_.instance();
  const auto is_input = [&](std::size_t t) {
    return instance.tensors[t].role == problem::Role::input && placement.tensors[t].bytes > 0;
  };
  std::vector<Evaluator::Expected> ranges;
  const auto expect = [&](const Range& at, std::variant<const std::byte*, std::uint8_t> contents) {
    ranges.push_back({arena_.data() + at.offset, at.bytes, contents});
    result.checked.bytes += at.bytes;
  };
  ++result.checked.calls;
  for (const Guard& guard : placement.guards) expect(guard.at, guard_byte);
  for (std::size_t s = 0; s < placement.structure.size(); ++s)
    expect(placement.structure[s], evaluator_.structure().data(s));
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (is_input(t)) expect(placement.tensors[t], tensors_.input(t));
  const auto differences = evaluator_.compare(ranges);
  auto next = differences.begin();
  for (const Guard& guard : placement.guards) {
    const Difference& d = *next++;
    if (d.count == 0) continue;
    return verdict(Verdict::out_of_bounds,
                   fmt::format("{} bytes written out of bounds, the first {} bytes {} the guard {} {}",
                               d.count, guard.before ? guard.at.bytes - d.first : d.first,
                               guard.before ? "from the end of" : "into", guard.before ? "before" : "behind",
                               guard.name));
  }
  const auto changed = [&](const std::string& name, const Range& at, const Difference& d) {
    verdict(Verdict::input_changed, fmt::format("{} was changed: {} of {} bytes, the first at byte {}", name,
                                                d.count, at.bytes, d.first));
  };
  for (std::size_t s = 0; s < placement.structure.size(); ++s)
    if (const Difference& d = *next++; d.count > 0)
      return changed("structure " + instance.structure[s].name, placement.structure[s], d);
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (is_input(t))
      if (const Difference& d = *next++; d.count > 0)
        return changed("input " + instance.tensors[t].name, placement.tensors[t], d);
}

void CallCheck::verify(protocol::Sampled& result, const Draw& draw, std::uint8_t poison) {
  if (result.verdict != Verdict::right) return;
  const Finding finding = evaluator_.verify(draw.verification, poison);
  result.worst = finding.worst;
  result.exact = finding.exact;
  result.reference_microseconds += finding.reference_microseconds;
  result.verdict = finding.right      ? Verdict::right
                   : !finding.written ? Verdict::not_written
                   : finding.judged   ? Verdict::wrong
                                      : Verdict::no_verdict;
  result.checked += {.calls = 0,
                     .elements = finding.elements,
                     .compared = finding.compared,
                     .examined = finding.examined,
                     .bytes = 0};
  result.left_out = static_cast<std::int32_t>(
      std::min<std::int64_t>(finding.left_out, std::numeric_limits<std::int32_t>::max()));
  protocol::put(result.text, finding.text);
}

// From the last call on: its inputs are still there.
void CallCheck::check_together(protocol::Sampled& result, std::span<const Placement> calls,
                               std::span<const Draw> draws, std::uint8_t poison) {
  for (std::size_t k = calls.size(); k-- > 0 && result.verdict == Verdict::right;) {
    if (k + 1 < calls.size()) evaluator_.fill(draws[k].inputs);
    tensors_.restore_outputs(calls[k], k);
    const double worst = result.worst;
    check_untouched(result, calls[k]);
    verify(result, draws[k], poison);
    result.seed = draws[k].call;
    result.call = static_cast<std::int64_t>(k);
    result.worst = std::max(result.worst, worst);
  }
}

}  // namespace podium::judge
