// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>

#include "emulators/amd/runtime/errors.hpp"
#include "emulators/amd/runtime/target.hpp"
#include "emulators/common/shared_file.hpp"

namespace podium::amd {
namespace {

std::atomic<std::int64_t> held{0};  // bytes

// So that what a kernel reads before anything was written there is no number, and not zero.
constexpr int memory_junk = 0xa5;
constexpr std::size_t most_filled = std::size_t{64}
                                    << 20;  // beyond that pages are made real only when touched

}  // namespace

emulation::Allocations& allocations() {
  static auto* const all = new emulation::Allocations;
  return *all;
}

hipError_t state_of_device() {
  const std::string failure = Queues::all().failure();
  return failure.empty() ? hipSuccess : refused(hipErrorLaunchFailure, failure);
}

std::byte* allocate(std::size_t bytes, const char* what) {
  if (held + static_cast<std::int64_t>(bytes) > device_memory) return nullptr;
  std::byte* const at = emulation::map_private(bytes);
  if (!at) return nullptr;
  std::memset(at, memory_junk, std::min(bytes, most_filled));
  allocations().add(at, bytes, fmt::format("{} of {} bytes", what, bytes));
  held += static_cast<std::int64_t>(bytes);
  return at;
}

bool release(void* at) {
  const auto found = allocations().starting(at);
  if (!found) return false;
  const std::size_t bytes = found->range.end - found->range.begin;
  allocations().remove(at);
  emulation::unmap(static_cast<std::byte*>(at), bytes);
  held -= static_cast<std::int64_t>(bytes);
  return true;
}

std::size_t allocated_bytes() { return static_cast<std::size_t>(held.load()); }
void count_bytes(std::int64_t bytes) { held += bytes; }

std::unique_ptr<Module> Module::loaded(const void* image) {
  auto module = std::make_unique<Module>(image);
  module->code();
  return module;
}

const std::shared_ptr<const CodeObject>& Module::code() {
  if (!code_) {
    code_ = std::make_shared<const CodeObject>(image_, target());
    allocations().add(reinterpret_cast<const void*>(code_->base()), code_->bytes(), "a code object");
  }
  return code_;
}

Module::~Module() {
  if (code_) allocations().remove(reinterpret_cast<const void*>(code_->base()));
}

hipError_t enqueue(Module& module, const std::string& kernel, dim3 grid, dim3 block, void* const* arguments,
                   std::size_t dynamic_lds, hipStream_t stream) try {
  Launch launch{.code = module.code()};
  launch.kernel = launch.code->kernel(kernel);
  if (!launch.kernel)
    return refused(hipErrorInvalidDeviceFunction,
                   fmt::format("there is no kernel {} in this code object", kernel));
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads == 0 || threads > most_threads || grid.x == 0 || grid.y == 0 || grid.z == 0)
    return refused(
        hipErrorInvalidConfiguration,
        fmt::format(
            "kernel {}: a grid of {} x {} x {} blocks of {} threads; at least 1 block of 1 to {} is needed",
            kernel, grid.x, grid.y, grid.z, threads, most_threads));
  if (launch.kernel->lds_bytes + dynamic_lds > target().lds)
    return refused(hipErrorInvalidValue,
                   fmt::format("kernel {}: {} bytes of shared memory; {} has {}", kernel,
                               launch.kernel->lds_bytes + dynamic_lds, target().name, target().lds));
  launch.grid = {grid.x, grid.y, grid.z};
  launch.block = {block.x, block.y, block.z};
  launch.dynamic_lds = static_cast<std::uint32_t>(dynamic_lds);
  launch.arguments = arguments_of(launch, arguments, allocations());
  Queues::all().enqueue(queue_of(stream), {.run = [launch] { return execute(launch, allocations()); }});
  return result(hipSuccess);
} catch (const std::runtime_error& e) {
  return refused(hipErrorNoBinaryForGpu, fmt::format("kernel {}: {}", kernel, e.what()));
}

}  // namespace podium::amd
