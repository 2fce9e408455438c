// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Changes of conversations: bytes, numbers, lengths, types, order, repetition, omission, an early end,
// silence.
#pragma once
#include <random>

#include "tests/fuzz/conversation.hpp"

namespace podium::fuzz {

class MessageMutator {
 public:
  explicit MessageMutator(unsigned seed) : random_(seed) {}

  // Changes messages of that side, each edit one of them or its place; how many edits were made: `edits`, or
  // 0 where that side says nothing.
  int mutate(Conversation& conversation, Side side, int edits);
  std::size_t below(std::size_t n) { return n ? random_() % n : 0; }

 private:
  void edit(Conversation& conversation, Side side);
  void edit_bytes(std::string& bytes);
  void edit_number(std::string& bytes);
  void edit_length(std::string& bytes);
  void move(Conversation& conversation, std::size_t from);

  std::mt19937 random_;
};

}  // namespace podium::fuzz
