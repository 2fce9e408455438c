// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/conversation.hpp"

#include <cstring>

namespace podium::fuzz {
namespace {

constexpr std::size_t preamble = 3;  // bytes before a message in a file
constexpr std::size_t most_bytes = 2 * protocol::max_message;

}  // namespace

protocol::Type Said::type() const {
  protocol::Header header;
  if (bytes.size() < sizeof header) return protocol::Type{};
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.type;
}

Conversation conversation_in(std::string_view recorded) {
  Conversation conversation;
  while (recorded.size() >= preamble) {
    const auto byte = [&](std::size_t at) {
      return static_cast<std::size_t>(static_cast<unsigned char>(recorded[at]));
    };
    const std::size_t size = byte(1) | byte(2) << 8;
    const bool known = std::string_view("PJW").find(recorded[0]) != std::string_view::npos;
    if (!known || size > most_bytes || preamble + size > recorded.size()) break;
    conversation.push_back({static_cast<Side>(recorded[0]), std::string(recorded.substr(preamble, size))});
    recorded.remove_prefix(preamble + size);
  }
  return conversation;
}

std::string recorded(const Conversation& conversation) {
  std::string text;
  for (const Said& said : conversation) {
    text += static_cast<char>(said.by);
    text += static_cast<char>(said.bytes.size() & 0xFF);
    text += static_cast<char>(said.bytes.size() >> 8);
    text += said.bytes;
  }
  return text;
}

}  // namespace podium::fuzz
