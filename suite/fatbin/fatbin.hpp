// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NVIDIA's fatbin, as fatbinary writes it: a header, then entries, each a header and its code, which may be
// compressed. NVIDIA does not document the layout; it was read from what nvcc 13.0 writes in each of its
// modes. emulators/nvidia/translator/fatbin.py reads the same.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podium::fatbin {

inline constexpr std::string_view magic = "\x50\xed\x55\xba";

enum class Kind : std::uint16_t { ptx = 1, machine = 2 };  // there are others
// Of nvcc 13.0's modes `speed` uses LZ4, as CUDA 12.7 and before did everywhere, all others Zstandard.
enum class Compression : std::uint8_t { none, lz4, zstandard };

struct Entry {
  Kind kind;
  unsigned number;  // 90 of sm_90
  Compression compression;
  std::string_view stored;   // a view of the fatbin; without compression it ends in padding
  std::uint64_t code_bytes;  // of what is compressed, once it no longer is, as the entry says; else 0
};

// Code of more bytes is refused: 256 MiB.
inline constexpr std::uint64_t most_code_bytes = std::uint64_t{1} << 28;

// All entries of a fatbin that begins at bytes' first. Throws podium::Error, a sentence without place.
std::vector<Entry> entries(std::string_view bytes);

// The code of an entry, decompressed. Takes at most twice the memory that code has, of at most
// most_code_bytes. Throws podium::Error, a sentence without place.
std::string code_of(const Entry& entry);

}  // namespace podium::fatbin
