// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where in a kernel's source something is called.
#pragma once
#include <cstring>
#include <string>

// Last parameters of whatever reports its caller's position.
#define PODIUM_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace podium::host {

struct Place {
  const char* what;  // "__syncthreads"
  const char* file;
  int line;

  bool same(const Place& other) const {
    return line == other.line && (what == other.what || std::strcmp(what, other.what) == 0) &&
           (file == other.file || std::strcmp(file, other.file) == 0);
  }
  std::string text() const { return std::string(what) + " at " + file + ":" + std::to_string(line); }
};

}  // namespace podium::host
