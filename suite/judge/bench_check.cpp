// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a call has left in the arena: guards, inputs and structure untouched, outputs right.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "suite/judge/bench.hpp"

namespace podium::judge {

using protocol::Verdict;

namespace {

// From its word until a worker waits for what comes next; and until threads that it had work have gone to
// sleep, if they do not wait for more by looking.
constexpr std::chrono::microseconds to_rest{100};

}  // namespace

// On a GPU, work of the judge's own, at whose end its interval ends: what the worker has left running goes
// first, for it would be done when outputs are copied, and yet lie in nobody's time. The copies are in the
// same queue before that work begins: were it empty for a moment, the device would turn to the worker.
void Bench::settle(const Call& call, Times& times) {
  device_.set(mark_->data(), 0, mark_->bytes());
  device_.mark();
  const auto began = clock::now();
  if (verified_) take_outputs(call);
  times.take = microseconds(clock::now() - began);
  device_.await_mark();
  times.judge = microseconds(clock::now() - times.opened);
}

// The worker's threads come to stand still: those that sleep are left to, others told to stop. A thread that
// went on after the worker's word has done so within the judge's interval: it is as much longer as that took,
// but no longer than the processor time that they used meanwhile, for one that waits for a processor, to stop
// there, does nothing. (The kernel books the time of a thread that runs late, which makes it more.) What
// children used who have ended since is not known.
void Bench::hold(bool signalled, Times& times) {
  or_broken([&] {
    const bool alone = group_.alone();
    const auto used = group_.processor_time();
    const auto heard = clock::now();
    after_call_.emplace(group_, spinner_, signalled ? std::nullopt : std::optional(to_rest));
    after_call_->wait();
    clock::duration longer = clock::now() - heard;
    if (alone && group_.alone()) longer = std::min<clock::duration>(longer, group_.processor_time() - used);
    times.judge = microseconds(heard + longer - times.opened);
    if (after_call_->signalled()) after_call_->begin_watch();
  });
}

// One that was woken meanwhile, by a timer, is told to stop, and all is looked at again: what it did is
// within the interval then. Beside a GPU nothing is held.
void Bench::look_while_held(Times& times, const std::function<void()>& look) {
  constexpr int most = 3;
  for (int looks = 1;; ++looks) {
    look();
    if (!after_call_ || after_call_->stood_still()) break;
    needs_signal_ = true;
    if (looks == most)
      throw WorkerFailure(
          Verdict::broke_protocol,
          fmt::format("its threads ran {} times while they were to stand still and its outputs "
                      "were copied",
                      most));
    after_call_.reset();
    hold(true, times);
  }
  after_call_.reset();
}

// Private copies first: whatever still runs over there cannot change them. Of several calls all are copied
// before the first is looked at: what is written later counts for none of them.
void Bench::take_outputs(const Call& call) {
  for (std::size_t k = call.sets.size(); k-- > 0;)
    for (std::size_t t = 0; t < call.sets[k].tensors.size(); ++t)
      if (const Range at = call.sets[k].tensors[t];
          instance_->tensors[t].role != problem::Role::input && at.bytes > 0)
        device_.copy(call.kept ? kept(call, k, t) : evaluator_.output(t), arena_.data() + at.offset,
                     at.bytes);
}

// Guards, structure and inputs.
void Bench::check_untouched(protocol::Sampled& result, const Placement& placement) {
  const auto verdict = [&](Verdict v, const std::string& text) {
    result.verdict = v;
    protocol::put(result.text, text);
  };
  const auto is_input = [&](std::size_t t) {
    return instance_->tensors[t].role == problem::Role::input && placement.tensors[t].bytes > 0;
  };
  std::vector<Evaluator::Expected> ranges;
  const auto expect = [&](const Range& at, std::variant<const std::byte*, std::uint8_t> contents) {
    ranges.push_back({arena_.data() + at.offset, at.bytes, contents});
  };
  for (const Guard& guard : placement.guards) expect(guard.at, guard_byte);
  for (std::size_t s = 0; s < placement.structure.size(); ++s)
    expect(placement.structure[s], evaluator_.structure().data(s));
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (is_input(t)) expect(placement.tensors[t], evaluator_.input(t));
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
      return changed("structure " + instance_->structure[s].name, placement.structure[s], d);
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (is_input(t))
      if (const Difference& d = *next++; d.count > 0)
        return changed("input " + instance_->tensors[t].name, placement.tensors[t], d);
}

// The copied outputs of a call that has left the rest untouched.
void Bench::verify(protocol::Sampled& result, Draw draw, std::uint8_t poison) {
  if (result.verdict != Verdict::right) return;
  const Finding finding = evaluator_.verify(draw.verification, poison);
  result.worst = finding.worst;
  result.reference_microseconds += finding.reference_microseconds;
  result.verdict = finding.right ? Verdict::right : finding.written ? Verdict::wrong : Verdict::not_written;
  result.left_out = static_cast<std::int32_t>(
      std::min<std::int64_t>(finding.left_out, std::numeric_limits<std::int32_t>::max()));
  protocol::put(result.text, finding.text);
}

}  // namespace podium::judge
