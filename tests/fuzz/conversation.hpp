// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What podium, judge and worker said to each other in a run, in order: recorded by message_tap.cpp, played
// again to one of them. In a file each message is a letter (whose it is), two bytes (its length) and itself.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "suite/protocol/protocol.hpp"

namespace podium::fuzz {

enum class Side : char {
  podium = 'P',
  judge = 'J',
  worker = 'W'
};  // podium's and the worker's: to the judge

struct Said {
  Side by;
  std::string bytes;  // none: from here on it says nothing, and does not go away either

  bool silence() const { return bytes.empty(); }
  protocol::Type type() const;  // by its header; 0 if there is none
  // The message, if it is one of that type in full length; nullptr otherwise.
  template <protocol::Message M>
  const M* as() const {
    return type() == M::type && bytes.size() == sizeof(M) ? reinterpret_cast<const M*>(bytes.data())
                                                          : nullptr;
  }
};
using Conversation = std::vector<Said>;

Conversation conversation_in(std::string_view recorded);  // up to what cannot be read
std::string recorded(const Conversation& conversation);

}  // namespace podium::fuzz
