// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// UTF-8 by its table of well-formed byte sequences (Unicode, table 3-7).
#include "suite/problem/yaml/utf8.hpp"

#include <fmt/format.h>

namespace podium::yaml {
namespace {

// Bytes of the well-formed sequence at `at`; 0 if there is none.
std::size_t length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  const auto within = [](unsigned value, unsigned low, unsigned high) {
    return value >= low && value <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (within(lead, 0xc2, 0xdf)) return within(byte(1), 0x80, 0xbf) ? 2 : 0;
  if (within(lead, 0xe0, 0xef)) {
    const unsigned low = lead == 0xe0 ? 0xa0 : 0x80, high = lead == 0xed ? 0x9f : 0xbf;
    return within(byte(1), low, high) && within(byte(2), 0x80, 0xbf) ? 3 : 0;
  }
  if (within(lead, 0xf0, 0xf4)) {
    const unsigned low = lead == 0xf0 ? 0x90 : 0x80, high = lead == 0xf4 ? 0x8f : 0xbf;
    return within(byte(1), low, high) && within(byte(2), 0x80, 0xbf) && within(byte(3), 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

// Of a well-formed sequence: what moves a terminal's cursor instead of showing there.
bool is_control(std::string_view piece) {
  const auto lead = static_cast<unsigned char>(piece[0]);
  return lead < 0x20 || lead == 0x7f || (lead == 0xc2 && static_cast<unsigned char>(piece[1]) < 0xa0);
}

}  // namespace

std::optional<TextFault> first_fault(std::string_view text) {
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = length(text, at);
    const bool control = (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
    if (bytes == 0 || control) return TextFault{line, fmt::format("the byte 0x{:02x}", byte)};
    if (byte == '\n') ++line;
    at += bytes;
  }
  return std::nullopt;
}

std::string excerpt(std::string_view text, std::size_t most) {
  std::string cut;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = length(text, at);
    const std::string_view piece = bytes ? text.substr(at, bytes) : std::string_view("?");
    if (cut.size() + piece.size() > most) return cut + "…";
    cut += is_control(piece) ? std::string_view(" ") : piece;
    at += bytes ? bytes : 1;
  }
  return cut;
}

}  // namespace podium::yaml
