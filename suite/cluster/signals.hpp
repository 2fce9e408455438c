// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a scheduler tells a job by signals.
#pragma once
#include <csignal>

#include "suite/base/descriptor.hpp"

namespace podium::cluster {

enum class Told {
  nothing,
  stop,      // SIGTERM, SIGINT, SIGHUP: preempted, cancelled, or a user's Ctrl-C
  time_out,  // SIGUSR1: the time limit is near
  resumed,   // SIGCONT: it may have been suspended
};

// While one lives, these signals are noted here and have no other effect.
class Signals {
 public:
  Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();
  int descriptor() const { return noted_.get(); }  // readable when there is one
  Told next();                                     // does not wait

 private:
  sigset_t before_{};
  Descriptor noted_;
};

}  // namespace podium::cluster
