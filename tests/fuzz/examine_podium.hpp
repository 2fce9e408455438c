// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium's side of a judge, in this process, asks what it asked in a recorded conversation and hears what the
// judge is made to say.
#pragma once
#include "tests/fuzz/conversation.hpp"

namespace podium::fuzz {

struct Asked {
  int asked = 0;
  int well = 0;       // answered as expected
  int failures = 0;   // a contestant's row
  int faults = 0;     // the problem's, or the run's end
  bool lost = false;  // the judge: nothing was asked after that
};

// Without what concerns processes of workers, which this has not: each answer follows its request.
Conversation for_podium(const Conversation& conversation);

// `conversation`: made by for_podium, the judge's messages changed. Whatever these say, podium's errors are
// its own (podium::Error), and what it makes of the answers can be recorded and read back. Throws
// std::logic_error otherwise.
Asked examine_podium(const Conversation& conversation);

}  // namespace podium::fuzz
