// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The one exception type of Podium's own code: a sentence for the user and the exit status it leads to.
#pragma once
#include <stdexcept>
#include <string>

namespace podium {

// Exit status of the command, as documented in README: what a script may rely on.
enum class Exit : int {
  success = 0,        // unsupported contestants and missing libraries included
  contestant = 1,     // a contestant was wrong, crashed, hung or did not compile, or a check did not hold
  usage = 2,          // wrong usage or input
  no_device = 3,      // no such device
  interrupted = 130,  // by SIGINT, SIGTERM or SIGHUP: what was measured until then is recorded
};

// `what()` is one sentence: where, what was found, what was expected, what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence, Exit exit = Exit::usage)
      : runtime_error(sentence), exit_(exit) {}
  Exit exit() const { return exit_; }

 private:
  Exit exit_;
};

}  // namespace podium
