// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Opens its own gate

// class: inputs before their turn
// expect: not written | wrong
// The gate is a word in memory that this process can write. Opened early, it lets the kernel run on what lies
// there before the inputs do.
#include "honest.hpp"
#include "mappings.hpp"

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest_sum(args, stream);
    bool found = false;
    for (const auto& mapping : mappings()) {
      const bool named = mapping.file.rfind("/memfd:", 0) == 0 || mapping.file.rfind("/dev/shm/", 0) == 0;
      if (!named || mapping.access != "rw-s" || mapping.end - mapping.begin > 65536) continue;
      auto* gate = reinterpret_cast<volatile std::uint32_t*>(mapping.begin);
      *gate = *gate + 1;  // the number that the stream waits for next
      found = true;
    }
    if (!found) throw std::runtime_error("found no shared page that could hold a gate");
  }
};
}  // namespace
