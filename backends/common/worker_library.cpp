// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A worker as a library, for programs that hold a contestant themselves: interpreters, which call it through
// their interface to C (suite/compile/python/podium_worker.py).
#include <memory>
#include <string>

#include "backends/common/opener.hpp"
#include "suite/worker/plugin.hpp"
#include "suite/worker/worker.hpp"

// Serves the judge on `socket` with the functions of `table`, which are called in this thread alone. `at`:
// the PCI address of the device, or empty. Does not return.
extern "C" __attribute__((visibility("default"))) void podium_serve(int socket,
                                                                    const podium::plugin::Table* table,
                                                                    const char* at) {
  podium::worker::serve(
      socket,
      [table](const std::string& hash) { return std::make_unique<podium::worker::Plugin>(*table, hash); },
      podium::opener(at));
}
