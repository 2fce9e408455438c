// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a call has left in the arena: guards, inputs and structure untouched, outputs right.
#include <fmt/format.h>

#include "suite/judge/bench.hpp"

namespace podium::judge {

using protocol::Verdict;

// Work of the judge's own, and its end. What the worker has left running on a GPU goes first: it would be
// done when outputs are copied, and yet lie in nobody's time.
void Bench::settle() {
  device_.set(mark_->data(), 0, mark_->bytes());
  device_.synchronise();
}

// Private copies first: whatever still runs over there cannot change them.
void Bench::take_outputs(const Placement& placement) {
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (instance_->tensors[t].role != problem::Role::input && placement.tensors[t].bytes > 0)
      device_.copy(evaluator_.output(t), arena_.data() + placement.tensors[t].offset,
                   placement.tensors[t].bytes);
}

void Bench::judge(protocol::Sampled& result, const Placement& placement, Draw draw, std::uint8_t poison) {
  const auto verdict = [&](Verdict v, const std::string& text) {
    result.verdict = v;
    protocol::put(result.text, text);
  };
  for (std::size_t g = 0; g < placement.guards.size(); ++g) {
    const Range at = placement.guards[g];
    const Difference d = evaluator_.compare(arena_.data() + at.offset, guard_byte, at.bytes);
    if (d.count == 0) continue;
    const std::string where = g == 0 ? fmt::format("before {}", placement.guarded[0])
                                     : fmt::format("behind {}", placement.guarded[g - 1]);
    return verdict(
        Verdict::out_of_bounds,
        fmt::format("{} bytes written out of bounds, the first {} bytes {} the guard {}", d.count,
                    g == 0 ? at.bytes - d.first : d.first, g == 0 ? "from the end of" : "into", where));
  }
  for (std::size_t s = 0; s < placement.structure.size(); ++s) {
    const Range at = placement.structure[s];
    const Difference d =
        evaluator_.compare(arena_.data() + at.offset, evaluator_.structure().data(s), at.bytes);
    if (d.count == 0) continue;
    return verdict(Verdict::input_changed,
                   fmt::format("structure {} was changed: {} of {} bytes, the first at byte {}",
                               instance_->structure[s].name, d.count, at.bytes, d.first));
  }
  for (std::size_t t = 0; t < placement.tensors.size(); ++t) {
    if (instance_->tensors[t].role != problem::Role::input || placement.tensors[t].bytes == 0) continue;
    const Range at = placement.tensors[t];
    const Difference d = evaluator_.compare(arena_.data() + at.offset, evaluator_.input(t), at.bytes);
    if (d.count == 0) continue;
    return verdict(Verdict::input_changed,
                   fmt::format("input {} was changed: {} of {} bytes, the first at byte {}",
                               instance_->tensors[t].name, d.count, at.bytes, d.first));
  }
  const Finding finding = evaluator_.verify(draw.verification, poison);
  result.worst = finding.worst;
  result.reference_microseconds += finding.reference_microseconds;
  verdict(finding.right     ? Verdict::right
          : finding.written ? Verdict::wrong
                            : Verdict::not_written,
          finding.text);
}

}  // namespace podium::judge
