// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Answers by how far the output lies from the input

// class: pointer caching
// expect: wrong
// Computes once for every distance, to 64 KiB, and gives the same answer whenever it comes back. Where the
// tensors of a call begin is drawn, and so may not matter to one who looks at what lies between them: that is
// drawn as well.
#include "kept_answers.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    constexpr std::intptr_t apart = 64 << 10;
    const auto distance =
        reinterpret_cast<std::intptr_t>(args.y.data) - reinterpret_cast<std::intptr_t>(args.x.data);
    answer_once(distance / apart, args, stream);
  }
};
}  // namespace
