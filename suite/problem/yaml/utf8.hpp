// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether bytes are UTF-8 text, and pieces of it fit for a sentence.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace podium::yaml {

struct TextFault {
  int line = 1;      // from 1
  std::string what;  // "the byte 0xff"
};

// The first byte that is not UTF-8 (RFC 3629), or a control character other than tab and line ends.
std::optional<TextFault> first_fault(std::string_view text);

// At most `most` bytes of valid UTF-8 on one line, cut between characters, without control characters (C0,
// delete, C1): on a terminal these could write over other lines.
std::string excerpt(std::string_view text, std::size_t most = 60);

}  // namespace podium::yaml
