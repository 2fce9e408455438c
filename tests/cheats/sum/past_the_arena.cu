// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads past the end of the shared memory

// class: stealing the answer
// expect: crashed | wrong | device error
// A gigabyte at a time, in the hope of meeting the memory of the judge. The device reports an illegal
// address.
#include <podium/sum.hpp>

namespace {
__global__ void beyond(float* y) {
  float found = 0;
  for (std::int64_t gigabyte = 1; gigabyte < 4096; ++gigabyte)
    found += *(volatile float*)(y + (gigabyte << 28));
  *y = found;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(beyond, dim3(1), dim3(1), 0, stream, args.y.data);
  }
};
}  // namespace
