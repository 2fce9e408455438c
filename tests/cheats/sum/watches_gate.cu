// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A kernel watches the gate and begins when it opens

// class: inputs before their turn
// expect: right | clock | too fast | wrong | not written
// gains nothing over: honest_parted.cu
// The page with the gate is memory that the device can read, so a kernel on a stream that no gate holds sees
// it open before the given stream's first event is recorded, by as much as the queue takes to go on. The
// given stream waits for that kernel. It gives up after 500 ms.
#include "mappings.hpp"
#include "parted_ahead.hpp"
#include "side_stream.hpp"

#include <stdexcept>

namespace {
inline const std::uint32_t* gate_on_device() {
  for (const auto& mapping : mappings()) {
    if (mapping.file.rfind("/memfd:podium-page", 0) != 0 || mapping.access != "rw-s") continue;
    void* at = nullptr;
    podium::check(cudaHostGetDevicePointer(&at, reinterpret_cast<void*>(mapping.begin), 0));
    return static_cast<const std::uint32_t*>(at);
  }
  throw std::runtime_error("found no shared page that could hold a gate");
}

__global__ void watch(const volatile std::uint32_t* gate, std::uint32_t closed, const float* x,
                      std::int64_t n, double* parts, unsigned* finished) {
  wait_for_another(gate, closed);
  finish_part(x, n, parts, finished);
}

struct Contestant {
  SideStream side;
  const volatile std::uint32_t* gate = gate_on_device();
  PartsAhead ahead;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : ahead(workspace) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    ahead.run(args, stream, side.get(), watch, gate, std::uint32_t{*gate});
  }
};
}  // namespace
