// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Work that a signal ends in order: what it has done is kept.
#pragma once
#include <csignal>
#include <string>
#include <string_view>

#include "suite/base/error.hpp"

namespace podium {

// The work was told to end by a signal.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& sentence) : Error(sentence, Exit::interrupted) {}
};

// While one lives, the first SIGINT, SIGTERM or SIGHUP is noted only; a second one ends the process at once.
class Interruptible {
 public:
  Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible();

 private:
  static constexpr int count = 3;
  struct sigaction before_[count];
};

// The name of such a signal that has come; "" if none has.
std::string_view interruption();

}  // namespace podium
