// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in f16

// expect: wrong
// Products in f32, rounded after every addition.
#include "elements.hpp"

namespace {
struct Element : Places {
  podium::f16 sum = podium::cast<podium::f16>(0.0f);
  __device__ void add(float x, float weight) {
    sum = podium::cast<podium::f16>(podium::cast<float>(sum) + x * weight);
  }
  __device__ float result() const { return podium::cast<float>(sum); }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
