// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/fatbin/fatbin.hpp"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

#include "suite/base/bytes.hpp"

namespace podium::fatbin {
namespace {

struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // behind the header
};
struct EntryHeader {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  // padded
  std::uint32_t compressed_bytes, unknown;
  std::uint16_t minor, major;
  std::uint32_t number;
  std::uint32_t name_offset, name_bytes;
  std::uint64_t flags;
  std::uint64_t unknown_too, code_bytes;
};
constexpr std::uint64_t lz4_flag = 0x2000, zstandard_flag = 0x8000;
constexpr std::uint64_t lz4_most_ratio = 255;  // a byte of LZ4 stands for at most as many

Compression compression_of(std::uint64_t flags) {
  if ((flags & zstandard_flag) != 0) return Compression::zstandard;
  return (flags & lz4_flag) != 0 ? Compression::lz4 : Compression::none;
}

[[noreturn]] void damaged(std::string_view compression, const std::string& found) {
  throw Error(fmt::format(
      "found code compressed by {} that is damaged ({}), expected it as fatbinary writes it: make "
      "the fatbin again",
      compression, found));
}

}  // namespace

std::vector<Entry> entries(std::string_view bytes) {
  const Bytes all(bytes);
  const auto header = all.at<Header>(0);
  if (!bytes.starts_with(magic) || header.version != 1 || header.header_bytes < sizeof(Header))
    throw Error("found a fatbin of another layout, expected one of CUDA 12 or 13");
  const Bytes fatbin(all.part(0, header.header_bytes + all.part(header.header_bytes, header.bytes).size()));
  std::vector<Entry> found;
  for (std::uint64_t at = header.header_bytes; at < fatbin.size();) {
    const auto entry = fatbin.at<EntryHeader>(at);
    if (entry.header_bytes < sizeof(EntryHeader))
      throw Error("found a fatbin with an entry of another layout, expected one of CUDA 12 or 13");
    const auto padded = fatbin.part(at + entry.header_bytes, entry.bytes);
    const auto compression = compression_of(entry.flags);
    const bool compressed = compression != Compression::none;
    found.push_back({static_cast<Kind>(entry.kind), entry.number, compression,
                     compressed ? Bytes(padded).part(0, entry.compressed_bytes) : padded,
                     compressed ? entry.code_bytes : 0});
    at += entry.header_bytes + entry.bytes;
  }
  return found;
}

std::string code_of(const Entry& entry) {
  if (entry.compression == Compression::none) return std::string(entry.stored);
  if (entry.code_bytes > most_code_bytes)
    throw Error(fmt::format(
        "found compressed code that is said to have {} bytes, expected at most {}: make the fatbin "
        "again",
        entry.code_bytes, most_code_bytes));
  const char* const stored = entry.stored.data();
  const std::size_t stored_bytes = entry.stored.size(), expected = entry.code_bytes;
  // Not written before it is decompressed: what is only claimed takes no memory.
  const auto code = std::make_unique_for_overwrite<char[]>(expected);
  std::size_t decompressed = 0;
  if (entry.compression == Compression::lz4) {
    if (expected > stored_bytes * lz4_most_ratio)
      damaged("LZ4", fmt::format("{} bytes cannot become {}", stored_bytes, expected));
    const int result = LZ4_decompress_safe(
        stored, code.get(), static_cast<int>(std::min<std::size_t>(stored_bytes, LZ4_MAX_INPUT_SIZE)),
        static_cast<int>(expected));
    if (result < 0) damaged("LZ4", fmt::format("at its byte {}", -static_cast<std::int64_t>(result) - 1));
    decompressed = static_cast<std::size_t>(result);
  } else {
    decompressed = ZSTD_decompress(code.get(), expected, stored, stored_bytes);
    if (ZSTD_isError(decompressed) != 0) damaged("Zstandard", ZSTD_getErrorName(decompressed));
  }
  if (decompressed != expected)
    throw Error(fmt::format(
        "found compressed code of {} bytes, expected {}, as its fatbin says: make the fatbin again",
        decompressed, expected));
  return {code.get(), decompressed};
}

}  // namespace podium::fatbin
