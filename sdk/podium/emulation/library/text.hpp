// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Words for positions and places.
#pragma once
#include <podium/emulation/block.hpp>

#include <cstring>
#include <string>

namespace podium::host {

inline std::string text(uint3 p) {
  return "(" + std::to_string(p.x) + "," + std::to_string(p.y) + "," + std::to_string(p.z) + ")";
}
inline std::string text(Place p) {
  return std::string(p.what) + " at " + p.file + ":" + std::to_string(p.line);
}

inline bool same(Place a, Place b) {
  return a.line == b.line && (a.what == b.what || std::strcmp(a.what, b.what) == 0) &&
         (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

}  // namespace podium::host
