// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/rehearsal.hpp"

#include <algorithm>
#include <chrono>

namespace podium::judge {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

template <class Work>
double timed(device::Device& device, const Work& work) {
  device.synchronise();
  const auto start = Clock::now();
  work();
  device.synchronise();
  return microseconds_since(start);
}

}  // namespace

protocol::Rehearsed rehearse(device::Device& device, Evaluator& evaluator, const problem::Problem& problem,
                             const problem::Instance& instance, bool full, int repeats, std::uint64_t seed,
                             std::uint8_t poison) {
  protocol::Rehearsed result{};
  evaluator.begin(instance, full);
  evaluator.fill(seed);
  evaluator.prove(seed);
  result.private_bytes = Evaluator::memory(problem, instance, full);
  for (int repeat = 0; repeat < std::max(repeats, 1); ++repeat) {
    const double fill = timed(device, [&] { evaluator.fill(seed); });
    Finding found;
    const double verify = timed(device, [&] { found = evaluator.verify(seed, poison); });
    result.fill_microseconds = repeat ? std::min(result.fill_microseconds, fill) : fill;
    result.verify_microseconds = repeat ? std::min(result.verify_microseconds, verify) : verify;
    if (!evaluator.reference_is_over()) continue;
    // What memory held is no answer; a reference that has accepted its own one may end upon it.
    if (!found.judged) throw Error((problem.file.parent_path() / found.text).string());
    return result;
  }
  if (repeats < 1) return result;
  auto last = Clock::now();
  evaluator.watch([&](const Evaluator::Evaluated& done) {
    device.synchronise();
    const double took = microseconds_since(last);
    last = Clock::now();
    // The first one's time would hold the scan of the outputs, too.
    if (done.reference == Evaluator::before_all || result.count == std::size(result.evaluations)) return;
    result.evaluations[result.count++] = {
        static_cast<std::int32_t>(done.reference), 0, done.elements, done.all, done.terms, took};
  });
  try {
    evaluator.verify(seed, poison);
  } catch (...) {
    evaluator.watch(nullptr);
    throw;
  }
  evaluator.watch(nullptr);
  return result;
}

}  // namespace podium::judge
