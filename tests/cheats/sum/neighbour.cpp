// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for the answer around the tensors

// class: stealing the answer
// expect: wrong
// All that judge and worker share is readable here: it takes the last thing in that memory, apart from the
// tensors themselves, that looks like a float, and passes it off as the sum.
#include <podium/sum.hpp>

#include <cmath>

#include "mappings.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto x = reinterpret_cast<std::uintptr_t>(args.x.data),
               y = reinterpret_cast<std::uintptr_t>(args.y.data);
    float found = 0;
    for (const auto& mapping : mappings()) {
      if (y < mapping.begin || y >= mapping.end) continue;
      for (auto at = mapping.begin; at < mapping.end; at += sizeof(float)) {
        if ((at >= x && at < x + std::uintptr_t(args.n) * sizeof(float)) || at == y) continue;
        const float value = *reinterpret_cast<const float*>(at);
        if (std::isnormal(value) && std::fabs(value) < 1e9f) found = value;
      }
    }
    args.y() = found;
  }
};
}  // namespace
