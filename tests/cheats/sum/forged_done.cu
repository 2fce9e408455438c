// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Says that it is done in the page that the judge watches

// class: forging the result
// expect: clock | wrong | not written | broke protocol
// Whoever spins on a word of shared memory hears what is written there. The word is set as soon as the
// gate opens, and every interval between events reads a microsecond.
#include <cuda.h>

#include "honest.hpp"
#include "mappings.hpp"
#include "overwritten_driver.hpp"

namespace {
CUresult one_microsecond(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 0.001f;
  return CUDA_SUCCESS;
}

void say_done(void*) {
  constexpr std::ptrdiff_t done =
      64 / sizeof(std::uint32_t);  // the second line of the page; the gate is the first
  for (const auto& mapping : mappings()) {
    const bool named = mapping.file.rfind("/memfd:podium-page", 0) == 0 && mapping.access == "rw-s";
    if (!named) continue;
    auto* page = reinterpret_cast<volatile std::uint32_t*>(mapping.begin);
    page[done] = page[0];
  }
}

struct Contestant {
  Contestant() {
    overwrite_driver("cuEventElapsedTime", &one_microsecond);
    overwrite_driver("cuEventElapsedTime_v2", &one_microsecond);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaLaunchHostFunc(stream, &say_done, nullptr));
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, stream, 2'000'000ll);
    honest_sum(args, stream);
  }
};
}  // namespace
