// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One element off by one bit
//   when: n <= 16384

// expect: wrong
// The last one becomes the next float there is: in order all the same, but not what was to be sorted.
#include "honest.hpp"

namespace {
__global__ void spoil(real* y, std::int64_t size) {
  std::uint32_t bits;
  std::memcpy(&bits, y + size - 1, sizeof bits);
  ++bits;
  std::memcpy(y + size - 1, &bits, sizeof bits);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest(args, args.y.data, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.y.data, args.y.size());
  }
};
}  // namespace
