// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The same call again and again, while the device's counter of energy is looked at.
#include <fmt/format.h>

#include "suite/judge/believable.hpp"
#include "suite/judge/bench.hpp"
#include "suite/judge/meters.hpp"

namespace podium::judge {
namespace {

constexpr double settled = 0.2;  // seconds of repeated calls before their power is looked at
// Milliseconds between two looks. Beside a GPU a look costs the contestant nothing, and an error of two at
// either end is small beside a second; on a CPU the judge takes the time from the contestant, and the
// counter steps every millisecond.
constexpr int look_gpu = 2, look_host = 10;

}  // namespace

// With the gate open: nothing is attested here, and what is computed is in nobody's way.
protocol::Sampled Bench::sample_repeated(Draw draw, std::uint8_t poison, int calls) {
  if (calls < 1 || calls > protocol::most_repeats)
    throw Error(fmt::format("{} calls were to be repeated, expected 1 to {}", calls, protocol::most_repeats));
  for (const auto& tensor : instance_->tensors)
    if (tensor.visible && tensor.role == problem::Role::inout)
      throw Error(
          fmt::format("calls that change {} in place cannot be repeated on what they wrote", tensor.name));
  const Placement placement = place(*instance_, room(), draw.placement);
  cancel();
  ++ticket_;
  protocol::Sampled result{};
  Times times;
  prepare({.sets = std::span(&placement, 1),
           .draws = std::span(&draw, 1),
           .poison = poison,
           .launch = protocol::Launch::repeated,
           .flushed = false},
          times);
  result.fill_microseconds = times.fill;
  page_.open_gate(ticket_);
  arm(std::span(&placement, 1), protocol::Launch::repeated, calls);
  answer<protocol::Armed>();
  const ResumeOnExit resume_after{after_call_};
  const auto began = clock::now();
  EnergyMeter meter(settled);
  for (const int wait = device_.spins() ? look_gpu : look_host; !channel_.wait(wait);) {
    const double joules = device_.energy();
    meter.look(microseconds(clock::now() - began) * 1e-6, joules);
  }
  result.judge_microseconds = microseconds(clock::now() - began);
  const auto finished = answer<protocol::Finished>();
  if (finished.repeats < 1 || finished.repeats > calls)
    throw WorkerFailure(protocol::Verdict::broke_protocol,
                        "the worker repeated calls more often than it was asked to, or not at all");
  result.event_microseconds = checked_time(finished, ticket_);
  result.calls = finished.repeats;
  result.watts = meter.watts();
  result.seed = draw.call;
  if (!verified_) return result;
  const auto called = clock::now();
  if (!device_.spins()) hold(needs_signal_, times);
  look_while_held(times, [&] {
    take_outputs({.sets = std::span(&placement, 1)});
    check_untouched(result, placement);
  });
  verify(result, draw, poison);
  result.check_microseconds = microseconds(clock::now() - called);
  return result;
}

}  // namespace podium::judge
