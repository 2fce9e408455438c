// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Compressed offload bundles as clang writes them.
#pragma once
#include <cstdint>
#include <string>

#include "tests/fatbin/by_zstandard.hpp"
#include "tests/sealed/written_code.hpp"

namespace podium::bundle::written {

// A header, and `stored` behind it, which is said to become `bytes`; `lacking` of all are not counted.
inline std::string with_header(std::uint16_t version, const std::string& stored, std::uint64_t bytes,
                               std::uint16_t method = 1, std::uint64_t lacking = 0) {
  using compile::written::bytes_of;
  const std::uint64_t all = stored.size() + (version == 2 ? 24 : 32) - lacking;
  const auto sizes =
      version == 2 ? bytes_of(static_cast<std::uint32_t>(all)) + bytes_of(static_cast<std::uint32_t>(bytes))
                   : bytes_of(all) + bytes_of(bytes);
  return "CCOB" + bytes_of(version) + bytes_of(method) + sizes + bytes_of(std::uint64_t{0x1234}) + stored;
}
inline std::string compressed(std::uint16_t version, const std::string& code) {
  return with_header(version, by_zstandard(code), code.size());
}

}  // namespace podium::bundle::written
