// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge, in this process, hears a conversation: podium's requests and the answers of its workers, who
// compute what they are to. All of it has been sent when it begins to read, so that nothing runs beside it.
#pragma once
#include "tests/fuzz/conversation.hpp"

namespace podium::fuzz {

struct Heard {
  int requests = 0;       // that podium has sent
  int answers = 0;        // of the judge
  int right = 0;          // samples among these
  int refused = 0;        // answers
  int scribbled = 0;      // words of the shared pages that were overwritten
  std::string refusal{};  // the first of these
};

// The workers' messages may be anything: each request gets its one answer, of the protocol's form, all times
// in it finite. So may podium's, with `sound` false: then the judge may end. Throws std::logic_error if that
// does not hold.
// `scribbles`: while the judge works and waits, the pages that it shares with its workers are written to.
Heard examine_judge(const Conversation& conversation, bool sound = true, bool scribbles = false);

}  // namespace podium::fuzz
