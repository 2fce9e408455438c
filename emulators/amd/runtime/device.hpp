// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What all entry points share: memory, the last error, and how the handles of HIP are read.
#pragma once
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>

#include "emulators/amd/runtime/code_object.hpp"
#include "emulators/amd/runtime/launch.hpp"
#include "emulators/amd/runtime/queues.hpp"
#include "emulators/common/allocations.hpp"

// Every entry point of the library.
#define PODIUM_HIP_ENTRY extern "C" __attribute__((visibility("default")))

namespace podium::amd {

emulation::Allocations& allocations();

// Keeps it as the thread's last error and returns it.
hipError_t result(hipError_t status);
// The same, with the sentence that hipGetErrorString gives for it from now on.
hipError_t refused(hipError_t status, const std::string& sentence);
// hipSuccess, or hipErrorLaunchFailure once any operation has failed.
hipError_t state_of_device();

// Device memory: touched pages are the process's. nullptr: there is no more.
std::byte* allocate(std::size_t bytes, const char* what);
bool release(void* at);          // false: nothing was allocated there
std::size_t allocated_bytes();   // by allocate and by count_bytes
void count_bytes(std::int64_t);  // of memory that is mapped in other ways

inline Queue* queue_of(hipStream_t stream) {
  const bool null = stream == nullptr || stream == hipStreamLegacy || stream == hipStreamPerThread;
  return null ? Queues::all().null() : reinterpret_cast<Queue*>(stream);
}

// A module, loaded when something of it is first used: a program may carry code for other devices.
class Module {
 public:
  explicit Module(const void* image) : image_(image) {}
  // Keeps what the image says, for images that the caller may free. Throws what CodeObject throws.
  static std::unique_ptr<Module> loaded(const void* image);
  const std::shared_ptr<const CodeObject>& code();  // throws std::runtime_error
  ~Module();

 private:
  const void* image_;
  std::shared_ptr<const CodeObject> code_;
};

// Enqueues a launch; everything that can be wrong with it is said at once.
hipError_t enqueue(Module& module, const std::string& kernel, dim3 grid, dim3 block, void* const* arguments,
                   std::size_t dynamic_lds, hipStream_t stream);

}  // namespace podium::amd
