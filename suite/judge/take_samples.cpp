// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/take_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "suite/measure/disturbance.hpp"
#include "suite/measure/samples.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;

class Taking {
 public:
  explicit Taking(const protocol::TakeSamples& request) : request_(request), began_(clock::now()) {
    if (request.counted < 0 || request.counted > protocol::most_counted || request.most < 1)
      throw Error(
          fmt::format("samples were requested with {} counted and at most {} wanted, expected 0 to {} "
                      "counted and 1 or more wanted",
                      request.counted, request.most, protocol::most_counted));
    counted_.assign(request.microseconds, request.microseconds + request.counted);
    rule_ = {
        .least = request.least, .most = request.most, .relative = request.relative, .budget = request.budget};
  }

  // Whether another follows, if `sampled` is right; said once for each, in their order.
  bool goes_on(const protocol::Sampled& sampled) {
    const double clock = measure::sample_clock(sampled.clock_before, sampled.clock_after);
    if (clock > 0 && clock < request_.least_clock) return false;
    if (sampled.blocking != 0 && request_.waits == 0) return false;
    counted_.push_back(sampled.event_microseconds);
    const double seconds = std::chrono::duration<double>(clock::now() - began_).count();
    const bool room = ++taken_ < protocol::most_taken;
    return room && seconds < request_.slice &&
           stop(counted_, request_.seconds + seconds, rule_) == measure::Reason::more;
  }

 private:
  const protocol::TakeSamples& request_;
  clock::time_point began_;
  std::vector<double> counted_;
  measure::Stopping rule_;
  int taken_ = 0;
};

}  // namespace

protocol::TakenSamples take_samples(Bench& bench, const protocol::TakeSamples& request,
                                    const std::function<Draw(std::int64_t)>& draw) {
  Taking taking(request);
  protocol::TakenSamples answer{};
  Draw now = draw(request.index);
  for (bool more = true; more;) {
    const auto began = clock::now();
    const std::int64_t index = request.index + answer.count;
    std::optional<Draw> drawn;
    const Bench::Next next{.draw = [&] { return *(drawn = draw(index + 1)); },
                           .follows = [&](const auto& sampled) { return more = taking.goes_on(sampled); }};
    try {
      protocol::Sampled sampled =
          bench.sample(now, poison_of(index), request.waits != 0, request.mode, &next);
      sampled.own_microseconds = microseconds(clock::now() - began);
      answer.samples[answer.count++] = protocol::taken(sampled);
      answer.checked += sampled.checked;
      answer.verdict = sampled.verdict;
      if (sampled.verdict != Verdict::right) protocol::put(answer.text, protocol::get(sampled.text));
      more = more && sampled.verdict == Verdict::right;
      if (more) now = drawn ? *drawn : draw(index + 1);
    } catch (const WorkerFailure& e) {  // what was measured before is not lost
      answer.failed = 1;
      answer.rank = std::max(0, e.rank());
      answer.verdict = e.verdict();
      protocol::put(answer.text, e.what());
      more = false;
    }
  }
  return answer;
}

}  // namespace podium::judge
