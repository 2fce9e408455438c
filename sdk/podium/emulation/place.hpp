// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where in a kernel's source something is called.
#pragma once

// Last parameters of whatever reports its caller's position.
#define PODIUM_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace podium::host {

struct Place {
  const char* what;  // "__syncthreads"
  const char* file;
  int line;
};

}  // namespace podium::host
