// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/fatbin/bundle.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <memory>

#include "suite/base/bytes.hpp"

namespace podium::bundle {
namespace {

struct Header {
  char magic[4];
  std::uint16_t version, method;
};
struct Sizes2 {
  std::uint32_t stored_bytes, bytes;
  std::uint64_t hash;
};
struct Sizes3 {
  std::uint64_t stored_bytes, bytes, hash;
};
constexpr std::uint16_t zstandard = 1;  // 0: zlib, where LLVM was built without the other

template <class Sizes>
Compressed sizes_of(const Bytes& bytes) {
  const auto sizes = bytes.at<Sizes>(sizeof(Header));
  return {sizes.stored_bytes, sizes.bytes, sizeof(Header) + sizeof(Sizes)};
}

[[noreturn]] void damaged(const std::string& found) {
  throw Error(fmt::format(
      "found a compressed bundle that is damaged ({}), expected it as clang writes it: make it again",
      found));
}

}  // namespace

Compressed header_of(std::string_view bytes) {
  const Bytes all(bytes);
  const auto header = all.at<Header>(0);
  if (!bytes.starts_with(compressed_magic) || header.version < 2 || header.version > 3)
    throw Error(
        fmt::format("found a compressed bundle of version {}, expected 2 or 3: make it with "
                    "--no-offload-compress",
                    header.version));
  if (header.method != zstandard)
    throw Error(
        fmt::format("found a bundle compressed by method {}, expected Zstandard, which is 1: make it with "
                    "--no-offload-compress",
                    header.method));
  const auto said = header.version == 2 ? sizes_of<Sizes2>(all) : sizes_of<Sizes3>(all);
  if (said.stored_bytes < said.header_bytes)
    damaged(fmt::format("{} bytes, of which its header has {}", said.stored_bytes, said.header_bytes));
  if (said.bytes > most_bytes)
    throw Error(fmt::format("found a compressed bundle that is said to have {} bytes, expected at most {}",
                            said.bytes, most_bytes));
  return said;
}

std::string decompressed(std::string_view bytes) {
  const auto said = header_of(bytes);
  const auto stored = Bytes(bytes).part(said.header_bytes, said.stored_bytes - said.header_bytes);
  // Not written before it is decompressed: what is only claimed takes no memory.
  const auto whole = std::make_unique_for_overwrite<char[]>(said.bytes);
  const std::size_t result = ZSTD_decompress(whole.get(), said.bytes, stored.data(), stored.size());
  if (ZSTD_isError(result) != 0) damaged(ZSTD_getErrorName(result));
  if (result != said.bytes) damaged(fmt::format("{} bytes, its header says {}", result, said.bytes));
  return {whole.get(), result};
}

}  // namespace podium::bundle
