// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The PTX that a device takes out of a fatbin in memory. translator/fatbin.py chooses the same.
#pragma once
#include <cstdint>
#include <string>

namespace podium::ptx {

struct Fatbin {
  std::uint64_t hash = 0;  // of its PTX
  std::string unreadable;  // a sentence
};

// Of the fatbin that begins there, in a loaded program or library.
Fatbin read_fatbin(const char* begin);

}  // namespace podium::ptx
