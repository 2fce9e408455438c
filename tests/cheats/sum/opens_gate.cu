// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Opens its gate from a stream and a kernel of its own

// class: inputs before their turn
// expect: not written | wrong
// As own_gate, by means of the device: the page with the gate is memory that this process has registered, so
// it has an address there. One stream writes the next number by itself, in another a kernel does.
#include "driver_entry.hpp"
#include "honest.hpp"
#include "mappings.hpp"
#include "side_stream.hpp"

#include <stdexcept>

namespace {
inline std::uint32_t* gate_on_device() {
  for (const auto& mapping : mappings()) {
    if (mapping.file.rfind("/memfd:podium-page", 0) != 0 || mapping.access != "rw-s") continue;
    void* at = nullptr;
    podium::check(cudaHostGetDevicePointer(&at, reinterpret_cast<void*>(mapping.begin), 0));
    return static_cast<std::uint32_t*>(at);
  }
  throw std::runtime_error("found no shared page that could hold a gate");
}

__global__ void open(volatile std::uint32_t* gate, std::uint32_t number) { *gate = number; }

struct Contestant {
  SideStream one, other;
  std::uint32_t* gate = gate_on_device();

  void run(const problem::Arguments& args, podium::Stream stream) {
    honest_sum(args, stream);
    const std::uint32_t next = *static_cast<volatile std::uint32_t*>(gate) + 1;  // the same address here
    podium::check(DRIVER(cuStreamWriteValue32)(one.get(), reinterpret_cast<CUdeviceptr>(gate), next, 0));
    podium::launch(open, dim3(1), dim3(1), 0, other.get(), static_cast<volatile std::uint32_t*>(gate), next);
  }
};
}  // namespace
