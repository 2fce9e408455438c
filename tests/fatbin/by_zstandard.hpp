// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zstd.h>

#include <string>

namespace podium {

inline std::string by_zstandard(const std::string& code) {
  std::string stored(ZSTD_compressBound(code.size()), '\0');
  stored.resize(ZSTD_compress(stored.data(), stored.size(), code.data(), code.size(), 3));
  return stored;
}

}  // namespace podium
