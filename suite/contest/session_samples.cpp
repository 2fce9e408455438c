// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Samples, one at a request or as many as podium's rule needs, and where their wall time went.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "suite/contest/session.hpp"
#include "suite/contest/stopwatch.hpp"
#include "suite/device/emulated.hpp"
#include "suite/protocol/samples.hpp"

namespace podium::contest {
namespace {

constexpr double micro = 1e-6;

// After which the judge answers even if more samples are wanted: what podium waits for beside one call.
constexpr std::chrono::milliseconds slice{1000};

}  // namespace

std::variant<protocol::Sampled, Failure> Session::sample(int index, bool waits) {
  return sample(index, How{.waits = waits});
}

std::variant<protocol::Sampled, Failure> Session::sample(int index, const How& how) {
  protocol::Sample message{};
  message.index = index;
  message.calls = how.calls;
  message.waits = how.waits;
  message.mode = how.mode;
  message.seed = how.seed;
  double seconds = 0;
  const protocol::Packet packet = [&] {
    const Stopwatch watch(seconds);
    return judge_.request(message, patience_for(how));
  }();
  if (packet.type() == protocol::Type::refused) return failure(judge_.answer_in<protocol::Refused>(packet));
  const auto& sampled = judge_.answer_in<protocol::Sampled>(packet);
  count(sampled, how.mode, seconds / micro - sampled.own_microseconds);
  if (sampled.verdict == Verdict::right) return sampled;
  const auto call = std::clamp<std::int64_t>(sampled.call, 0, how.calls - 1);
  return wrong(sampled.verdict, sampled.seed, index + call, protocol::get(sampled.text));
}

Session::Taken Session::samples(int index, const How& how, const Until& until) {
  protocol::TakeSamples message{};
  message.index = index;
  message.waits = how.waits;
  message.mode = how.mode;
  const auto unsent = std::max(0, static_cast<int>(until.counted.size()) - protocol::most_counted);
  for (const double one : until.counted.subspan(static_cast<std::size_t>(unsent)))
    message.microseconds[message.counted++] = one;
  message.least = until.rule.least - unsent;
  message.most = std::max(1, until.rule.most - unsent);
  message.relative = until.rule.relative;
  message.budget = until.rule.budget;
  message.seconds = until.seconds;
  message.least_clock = until.least_clock;
  message.slice = std::chrono::duration<double>(slice).count();
  double seconds = 0;
  const protocol::Packet packet = [&] {
    const Stopwatch watch(seconds);
    return judge_.request(message, with_worker(limits_.call) + slice);
  }();
  Taken taken;
  if (packet.type() == protocol::Type::refused) {
    taken.failure = failure(judge_.answer_in<protocol::Refused>(packet));
    return taken;
  }
  const auto& answer = judge_.answer_in<protocol::TakenSamples>(packet);
  const std::span all(answer.samples,
                      static_cast<std::size_t>(std::clamp(answer.count, 0, protocol::most_taken)));
  const double judges = std::accumulate(
      all.begin(), all.end(), 0.0, [](double sum, const auto& each) { return sum + each.own_microseconds; });
  for (const auto& each : all) {
    taken.samples.push_back(protocol::sampled(each));
    // Where one has failed the rest of the time is not that of the others' messages.
    const double asking = answer.failed ? 0 : (seconds / micro - judges) / static_cast<double>(all.size());
    count(taken.samples.back(), how.mode, asking);
  }
  if (answer.failed != 0) {
    protocol::Refused refused{};
    refused.verdict = answer.verdict;
    protocol::put(refused.text, protocol::get(answer.text));
    taken.failure = failure(refused);
  } else if (answer.verdict != Verdict::right) {
    taken.failure = wrong(answer.verdict, taken.samples.empty() ? 0 : taken.samples.back().seed,
                          index + std::max<std::int64_t>(0, std::ssize(all) - 1), protocol::get(answer.text));
    if (!taken.samples.empty()) taken.samples.pop_back();  // a sample that is wrong is none
  } else if (taken.samples.empty()) {
    judge_.give_up("the judge returned no samples");
  }
  return taken;
}

Failure Session::wrong(Verdict verdict, std::uint64_t seed, std::int64_t call,
                       const std::string& text) const {
  Failure failure{of_judge(verdict), text, fmt::format("--seed {:016x} --call {}", seed, call)};
  // An emulator says there what it saw of the kernels, which may be no mistake, or the reason for this one.
  constexpr std::string_view emulators = "podium's emulator: ";
  if (const std::string words = last_words(worker_.output.get());
      podium::device::is_emulated(protocol::get(device_.product)) && words.starts_with(emulators))
    failure.text += "; " + words.substr(emulators.size());
  if (begun_.structure_seed != 0) failure.again += fmt::format(" --structure {:016x}", begun_.structure_seed);
  return failure;
}

// What a sample took beyond the call and the judge's own work is waiting, for messages and for threads. A
// worker that says more than it took makes no sum wrong.
void Session::count(const protocol::Sampled& sampled, protocol::Mode mode, double asking) {
  for (const double time : {sampled.event_microseconds, sampled.judge_microseconds, sampled.fill_microseconds,
                            sampled.check_microseconds, sampled.reference_microseconds,
                            sampled.arm_microseconds, sampled.stop_microseconds, sampled.own_microseconds})
    judge_.time_in(time);
  const double call = std::clamp(sampled.event_microseconds, 0.0, sampled.judge_microseconds);
  record::Wait wait{.asking = std::max(0.0, asking),
                    .arming = sampled.arm_microseconds,
                    .stopping = sampled.stop_microseconds,
                    .waking = sampled.judge_microseconds - call,
                    .flushed = mode != protocol::Mode::hot};
  wait.own = std::max(0.0, sampled.own_microseconds - sampled.fill_microseconds - sampled.check_microseconds -
                               wait.arming - wait.stopping - sampled.judge_microseconds);
  waits_.push_back(wait);
  ++spent_.samples;
  if (mode != protocol::Mode::cold) {
    spent_.columns += micro * (sampled.fill_microseconds + sampled.check_microseconds + call + wait.sum());
    return;
  }
  spent_.fills += micro * sampled.fill_microseconds;
  spent_.checks += micro * sampled.check_microseconds;
  spent_.calls += micro * call;
  spent_.waits += micro * wait.sum();
}

}  // namespace podium::contest
