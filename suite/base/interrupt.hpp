// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Work that a signal ends in order: what it has done is kept.
#pragma once
#include <array>
#include <csignal>
#include <string_view>

namespace podium {

// While one lives, the first SIGINT, SIGTERM or SIGHUP is noted only; a second one ends the process at once.
class Interruptible {
 public:
  Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible();

 private:
  std::array<struct sigaction, 3> before_{};
};

// The name of such a signal that has come; "" if none has.
std::string_view interruption();

}  // namespace podium
