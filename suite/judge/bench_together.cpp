// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Several calls behind one gate: the judge's clock tells their sum as well as it tells one, and so each of
// them that many times better.
#include <algorithm>
#include <vector>

#include "suite/judge/bench.hpp"

namespace podium::judge {

int Bench::most_together() const {
  constexpr int where_fills_are_slow = 4;  // filling and checking on a CPU would double the time of a run
  return calls_within(*instance_, static_cast<std::int64_t>(arena_.bytes()),
                      device_.spins() ? protocol::most_together : where_fills_are_slow);
}

protocol::Sampled Bench::sample_together(std::span<const Draw> draws, std::uint8_t poison, bool waits) {
  const std::vector<Placement> sets = place_calls(*instance_, static_cast<std::int64_t>(arena_.bytes()),
                                                  draws.front().placement, static_cast<int>(draws.size()));
  const Call call{.sets = sets, .draws = draws, .poison = poison};
  // That some calls cannot be queued behind one another says nothing about one alone.
  const bool alone = blocking_;
  auto result = sampled_in(timed_call(call, waits));
  result.blocking = blocking_;
  result.seed = draws.front().call;
  blocking_ = alone;
  if (!verified_) return result;
  const auto called = clock::now();
  judge_together(result, call);
  result.check_microseconds = microseconds(clock::now() - called);
  return result;
}

// All outputs are copied before the first is looked at: what is written later counts for none of the calls.
void Bench::judge_together(protocol::Sampled& result, const Call& call) {
  const std::size_t tensors = call.sets.front().tensors.size();
  const auto written = [&](std::size_t t) {
    return instance_->tensors[t].role != problem::Role::input && call.sets.front().tensors[t].bytes > 0;
  };
  std::size_t bytes = 0;  // of the outputs of one call
  std::vector<std::size_t> offsets(tensors);
  for (std::size_t t = 0; t < tensors; ++t) {
    offsets[t] = bytes;
    if (!written(t)) continue;
    const auto size = static_cast<std::size_t>(call.sets.front().tensors[t].bytes);
    bytes += (size + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
  }
  if (!kept_ || kept_->bytes() < bytes * call.sets.size()) {
    kept_.reset();
    kept_ = device_.allocate(bytes * call.sets.size());
  }
  const auto kept = [&](std::size_t k, std::size_t t) { return kept_->data() + k * bytes + offsets[t]; };
  for (std::size_t k = call.sets.size(); k-- > 0;)
    for (std::size_t t = 0; t < tensors; ++t)
      if (const Range at = call.sets[k].tensors[t]; written(t))
        device_.copy(kept(k, t), arena_.data() + at.offset, static_cast<std::size_t>(at.bytes));

  for (std::size_t k = call.sets.size(); k-- > 0 && result.verdict == protocol::Verdict::right;) {
    if (k + 1 < call.sets.size()) evaluator_.fill(call.draws[k].inputs);  // the last ones are still there
    for (std::size_t t = 0; t < tensors; ++t)
      if (written(t))
        device_.copy(evaluator_.output(t), kept(k, t),
                     static_cast<std::size_t>(call.sets[k].tensors[t].bytes));
    const double worst = result.worst;
    judge(result, call.sets[k], call.draws[k], call.poison);
    result.seed = call.draws[k].call;
    result.call = static_cast<std::int64_t>(k);
    result.worst = std::max(result.worst, worst);
  }
}

}  // namespace podium::judge
