// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Several calls behind one gate: the judge's clock tells their sum as well as it tells one, and so each of
// them that many times better.
#include <algorithm>
#include <vector>

#include "suite/judge/bench.hpp"

namespace podium::judge {
namespace {

bool is_written(const problem::TensorInstance& tensor) {
  return tensor.visible && tensor.role != problem::Role::input && tensor.bytes > 0;
}

std::size_t aligned(std::int64_t bytes) {
  return static_cast<std::size_t>((bytes + tensor_alignment - 1) / tensor_alignment * tensor_alignment);
}

}  // namespace

Bench::Outputs Bench::lay_out_outputs(const problem::Instance& instance) {
  Outputs outputs;
  for (const auto& tensor : instance.tensors) {
    outputs.offsets.push_back(outputs.bytes);
    if (is_written(tensor)) outputs.bytes += aligned(tensor.bytes);
  }
  return outputs;
}

std::size_t bytes_kept(const problem::Instance& instance) {
  std::size_t bytes = 0;
  for (const auto& tensor : instance.tensors)
    if (tensor.visible && tensor.role != problem::Role::input)
      bytes += aligned(std::max(tensor.bytes, tensor.whole_bytes));
  return bytes;
}

int Bench::calls_with_room() const {
  constexpr int where_fills_are_slow = 6;  // filling and checking on a CPU would double the time of a run
  return calls_within(*instance_, static_cast<std::int64_t>(arena_.bytes()),
                      device_.spins() ? protocol::most_together : where_fills_are_slow);
}

// The rest of a large arena belongs to other workloads.
std::int64_t Bench::room() const { return arena_bytes(*instance_, calls_with_room()); }

int Bench::most_together() const {
  const int most = calls_with_room();
  const std::size_t outputs = lay_out_outputs(*instance_).bytes;
  if (outputs == 0) return most;
  const std::size_t room = kept_ ? kept_->bytes() / outputs : 0;
  return std::max(1, static_cast<int>(std::min(static_cast<std::size_t>(most), room)));
}

protocol::Sampled Bench::sample_together(std::span<const Draw> draws, std::uint8_t poison, bool waits) {
  const std::vector<Placement> sets =
      place_calls(*instance_, room(), draws.front().placement, static_cast<int>(draws.size()));
  const Outputs outputs = lay_out_outputs(*instance_);
  const Call call{.sets = sets, .draws = draws, .poison = poison, .kept = &outputs};
  // That some calls cannot be queued behind one another says nothing about one alone.
  const bool alone = blocking_;
  const ResumeOnExit resume_after{after_call_};
  Times times = timed_call(call, waits);
  const auto called = clock::now();
  look_while_held(times, [&] {
    if (verified_ && !device_.spins()) take_outputs(call);
  });
  protocol::Sampled result{};
  put_times(result, times);
  result.blocking = blocking_;
  result.seed = draws.front().call;
  blocking_ = alone;
  if (!verified_) return result;
  judge_together(result, call);
  result.check_microseconds += microseconds(clock::now() - called);
  return result;
}

std::byte* Bench::kept(const Call& call, std::size_t k, std::size_t tensor) const {
  return kept_->data() + k * call.kept->bytes + call.kept->offsets[tensor];
}

void Bench::judge_together(protocol::Sampled& result, const Call& call) {
  const std::size_t tensors = call.sets.front().tensors.size();
  for (std::size_t k = call.sets.size(); k-- > 0 && result.verdict == protocol::Verdict::right;) {
    if (k + 1 < call.sets.size()) evaluator_.fill(call.draws[k].inputs);  // the last ones are still there
    for (std::size_t t = 0; t < tensors; ++t)
      if (is_written(instance_->tensors[t]))
        device_.copy(evaluator_.output(t), kept(call, k, t),
                     static_cast<std::size_t>(call.sets[k].tensors[t].bytes));
    const double worst = result.worst;
    check_untouched(result, call.sets[k]);
    verify(result, call.draws[k], call.poison);
    result.seed = call.draws[k].call;
    result.call = static_cast<std::int64_t>(k);
    result.worst = std::max(result.worst, worst);
  }
}

}  // namespace podium::judge
