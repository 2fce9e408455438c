// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// clang's offload bundle, which holds code for several AMD devices, where it is compressed: a header, then
// the bundle. LLVM's "Clang Offload Bundler" has the layout of its versions 2 and 3, which clang 22 writes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace podium::bundle {

inline constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__", compressed_magic = "CCOB";

// What a header says.
struct Compressed {
  std::uint64_t stored_bytes;  // header included
  std::uint64_t bytes;         // once it no longer is compressed, as its header says
  std::size_t header_bytes;
};
inline constexpr std::size_t most_header_bytes = 32;  // as many are looked at; a bundle has more

// Bundles of more bytes are refused: 1 GiB.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

// What its header says. Throws podium::Error, a sentence without place: it is of another version, or is not
// compressed by Zstandard.
Compressed header_of(std::string_view bytes);

// The bundle itself. Takes at most twice the memory that it has, of at most most_bytes. Throws podium::Error,
// a sentence without place.
std::string decompressed(std::string_view bytes);

}  // namespace podium::bundle
