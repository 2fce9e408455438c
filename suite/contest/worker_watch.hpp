// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the worker on turn takes, and why podium ended it if it did.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

#include "suite/contest/failure.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::contest {

class WorkerWatch {
 public:
  // `memory`: bytes of the host's that a worker and all it started may take.
  explicit WorkerWatch(std::int64_t memory) : memory_(memory) {}

  // A worker begins its turn; the process is about to be started if it is not there yet.
  void begin_turn() { ended_for_.reset(); }
  void begin_process();
  // Now and then: never while a short call runs, since answers come before it is time to look. True: the
  // worker took more than it may, and was ended just now.
  bool look(sandbox::Child& worker);
  // Ends a worker that has not answered in time. False: there is none, or it has been ended before.
  bool time_out(sandbox::Child& worker, std::chrono::seconds limit);

  const std::optional<Failure>& ended_for() const { return ended_for_; }  // nothing: podium did not end it
  Failure excess_of_memory() const;
  // Of the machine, since the process was started.
  bool memory_ran_out() const;

 private:
  void end(sandbox::Child& worker, const Failure& why);

  std::int64_t memory_;
  std::optional<Failure> ended_for_;
  std::chrono::steady_clock::time_point next_look_{};
  std::int64_t kernel_kills_ = 0;  // when the process was started
};

}  // namespace podium::contest
