// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Writes where nothing is: error 700 of its context" }
#include <podium/doubling.hpp>

namespace {
__global__ void stray() { *reinterpret_cast<volatile float*>(std::uintptr_t{16}) = 1; }

struct Contestant {
  void run(const problem::Arguments&, podium::Stream stream) {
    podium::launch(stray, dim3(1), dim3(1), 0, stream);
  }
};
}  // namespace
