// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Exit statuses of programs. Only their main functions make one of an error.
#pragma once
#include "suite/base/verdict.hpp"

namespace podium {

// As documented in docs/running.md: what a script may rely on.
enum class Exit : int {
  success = 0,        // unsupported contestants and missing libraries included
  contestant = 1,     // a contestant was wrong, crashed, hung or did not compile, or a check did not hold
  usage = 2,          // wrong usage or input
  no_device = 3,      // no such device
  interrupted = 130,  // by SIGINT, SIGTERM or SIGHUP: what was measured until then is recorded
};

constexpr Exit exit_of(Fault fault) {
  switch (fault) {
    case Fault::contestant:
      return Exit::contestant;
    case Fault::device:
      return Exit::no_device;
    case Fault::interruption:
      return Exit::interrupted;
    case Fault::input:
      break;
  }
  return Exit::usage;
}

}  // namespace podium
