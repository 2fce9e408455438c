// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes the mean square from every fourth element

// class: skipped elements
// expect: wrong
// The mean of a quarter is near the mean of all: within 3 % where rows are long.
#include "rows.hpp"

namespace {
struct Row {
  static __device__ void of(const problem::Arguments& args, std::int64_t t) {
    float square = 0;
    std::int64_t counted = 0;
    for (std::int64_t i = 0; i < args.hidden; ++i) {
      const float sum = sum_at(args, t, i);
      args.residual(t, i) = podium::cast<real>(sum);
      if (i % 4 == 0) square += sum * sum, ++counted;
    }
    const float rms = sqrtf(square / float(counted) + float(problem::epsilon));
    for (std::int64_t i = 0; i < args.hidden; ++i)
      args.y(t, i) = podium::cast<real>(podium::cast<float>(args.residual(t, i)) / rms *
                                        podium::cast<float>(args.weight(i)));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_rows<Row>(args, stream); }
};
}  // namespace
