// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/worker_threads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/judge/worker_link.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;

// From its word until a worker waits for what comes next; and until threads that it had work have gone to
// sleep, if they do not wait for more by looking.
constexpr std::chrono::microseconds to_rest{100};

constexpr int first_few = 3;   // samples of an instance: a warm-up and both calls of a test
constexpr int most_moved = 2;  // samples of an instance in which threads seem not to stand still

decltype(auto) or_broken(const auto& stop) {
  try {
    return stop();
  } catch (const Error& e) {
    throw WorkerFailure(Verdict::broke_protocol, e.what());
  }
}

}  // namespace

void WorkerThreads::suspend(std::chrono::microseconds patience) {
  before_gate_.emplace(group_, spinner_, needs_signal_ ? std::nullopt : std::optional(patience));
}

void WorkerThreads::wait_until_still() {
  or_broken([&] { before_gate_->wait(); });
  room_beside_ = group_.alone() && spinner_.can_poll_beside(group_.threads(), group_.processor());
}

void WorkerThreads::begin_watch() {
  or_broken([&] { before_gate_->begin_watch(); });
}

void WorkerThreads::warm_processor() { before_gate_->spin_on(group_.processor()); }

// Now and then a thread that has stopped is counted late; a watcher runs in every sample. But one that runs
// in both calls of a test would be right there, so of the first few two are too many.
void WorkerThreads::end_watch() {
  before_gate_->stop_spinning();
  const bool still = before_gate_->stood_still();
  before_gate_->wait_until_off();
  needs_signal_ = needs_signal_ || (!still && !before_gate_->signalled());
  ++suspended_;
  if (!still && ++moved_ > (suspended_ <= first_few ? 1 : most_moved))
    throw WorkerFailure(Verdict::broke_protocol,
                        fmt::format("its threads ran after they had stopped, while its inputs were written, "
                                    "in {} samples of an instance",
                                    moved_));
}

// Threads that sleep are left to, others told to stop. A thread that went on after the worker's word has done
// so within the judge's interval: it is as much longer as that took, but no longer than the processor time
// that they used meanwhile, for one that waits for a processor, to stop there, does nothing. (The kernel
// books the time of a thread that runs late, which makes it more.) What children used who have ended since is
// not known.
clock::time_point WorkerThreads::hold(bool signal) {
  return or_broken([&] {
    const bool alone = group_.alone();
    const auto used = group_.processor_time();
    const auto heard = clock::now();
    after_call_.emplace(group_, spinner_, signal ? std::nullopt : std::optional(to_rest));
    after_call_->wait();
    clock::duration longer = clock::now() - heard;
    if (alone && group_.alone()) longer = std::min<clock::duration>(longer, group_.processor_time() - used);
    if (after_call_->signalled()) after_call_->begin_watch();
    return heard + longer;
  });
}

// One that was woken meanwhile, by a timer, is told to stop, and all is looked at again: what it did is
// within the interval then. Beside a GPU nothing is held.
std::optional<clock::time_point> WorkerThreads::look_while_held(const std::function<void()>& look) {
  constexpr int most = 3;
  std::optional<clock::time_point> end;
  for (int looks = 1;; ++looks) {
    look();
    if (!after_call_ || after_call_->stood_still()) break;
    needs_signal_ = true;
    if (looks == most)
      throw WorkerFailure(
          Verdict::broke_protocol,
          fmt::format("its threads ran {} times after they had stopped, while its outputs were copied",
                      most));
    after_call_.reset();
    end = hold(true);
  }
  after_call_.reset();
  return end;
}

}  // namespace podium::judge
