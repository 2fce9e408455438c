// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fatbins as fatbinary writes them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/sealed/written_code.hpp"

namespace podium::fatbin::written {

struct Entry {
  std::uint16_t kind;  // 1: PTX, 2: machine code
  std::uint32_t number;
  std::uint64_t flags;
  std::string stored;
  std::uint64_t code_bytes = 0;  // of what is compressed
};

inline std::string fatbin(const std::vector<Entry>& entries) {
  using compile::written::bytes_of;
  std::string all;
  for (const Entry& e : entries)
    all += bytes_of(e.kind) + bytes_of(std::uint16_t{0x101}) + bytes_of(std::uint32_t{64}) +
           bytes_of(std::uint64_t{e.stored.size()}) +
           bytes_of(e.code_bytes != 0 ? static_cast<std::uint32_t>(e.stored.size()) : 0) +
           bytes_of(std::uint32_t{0}) + bytes_of(std::uint32_t{0}) + bytes_of(e.number) +
           bytes_of(std::uint64_t{0}) + bytes_of(e.flags) + bytes_of(std::uint64_t{0}) +
           bytes_of(e.code_bytes) + e.stored;
  return std::string("\x50\xed\x55\xba\x01\0\x10\0", 8) + bytes_of(std::uint64_t{all.size()}) + all;
}

}  // namespace podium::fatbin::written
