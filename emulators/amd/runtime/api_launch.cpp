// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entry points that compilers call: programs say what code they carry, and <<<>>> becomes two of these calls.
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulators/amd/runtime/device.hpp"

using namespace podium::amd;

namespace {

struct FatBinary {
  std::uint32_t magic, version;
  const void* binary;
  const void* unused;
};

struct Named {
  Module* module;
  std::string name;
};

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  hipStream_t stream;
};

struct Registered {
  std::mutex mutex;
  std::map<const void*, Named> kernels, variables;
};

Registered& registered() {
  static auto* const one = new Registered;
  return *one;
}

thread_local std::vector<Configuration> configurations;

Named* find(std::map<const void*, Named>& all, const void* key) {
  const std::lock_guard lock(registered().mutex);
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

std::pair<std::byte*, std::size_t> variable(const void* symbol) try {
  Named* const named = find(registered().variables, symbol);
  if (!named) return {nullptr, 0};
  return named->module->code()->variable(named->name);
} catch (const std::runtime_error& e) {
  static_cast<void>(refused(hipErrorInvalidSymbol, e.what()));
  return {nullptr, 0};
}

}  // namespace

PODIUM_HIP_ENTRY void** __hipRegisterFatBinary(const void* data) {
  return reinterpret_cast<void**>(new Module(static_cast<const FatBinary*>(data)->binary));
}
PODIUM_HIP_ENTRY void __hipUnregisterFatBinary(void**) {}
PODIUM_HIP_ENTRY void __hipRegisterFunction(void** module, const void* host, char*, const char* name,
                                            unsigned, void*, void*, void*, void*, int*) {
  const std::lock_guard lock(registered().mutex);
  registered().kernels[host] = {reinterpret_cast<Module*>(module), name};
}
PODIUM_HIP_ENTRY void __hipRegisterVar(void** module, void* host, char*, char* name, int, size_t, int, int) {
  const std::lock_guard lock(registered().mutex);
  registered().variables[host] = {reinterpret_cast<Module*>(module), name};
}
PODIUM_HIP_ENTRY hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                       hipStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                                      hipStream_t* stream) {
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *stream = c.stream;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                            size_t shared, hipStream_t stream) {
  Named* const kernel = find(registered().kernels, function);
  if (!kernel) return refused(hipErrorInvalidDeviceFunction, "this function is no kernel of the program");
  return enqueue(*kernel->module, kernel->name, grid, block, arguments, shared, stream);
}
PODIUM_HIP_ENTRY hipError_t hipLaunchCooperativeKernel(const void*, dim3, dim3, void**, unsigned,
                                                       hipStream_t) {
  return refused(hipErrorNotSupported, "a cooperative launch: the emulator keeps only a few blocks resident");
}
PODIUM_HIP_ENTRY hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function) try {
  Named* const kernel = find(registered().kernels, function);
  const auto* const code = kernel ? kernel->module->code()->kernel(kernel->name) : nullptr;
  if (!code) return result(hipErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->sharedSizeBytes = code->lds_bytes;
  attributes->localSizeBytes = code->scratch_bytes;
  attributes->maxThreadsPerBlock = 1024;
  return hipSuccess;
} catch (const std::runtime_error& e) {
  return refused(hipErrorNoBinaryForGpu, e.what());
}

PODIUM_HIP_ENTRY hipError_t hipGetSymbolAddress(void** at, const void* symbol) {
  *at = variable(symbol).first;
  return result(*at ? hipSuccess : hipErrorInvalidSymbol);
}
PODIUM_HIP_ENTRY hipError_t hipGetSymbolSize(size_t* bytes, const void* symbol) {
  const auto [at, size] = variable(symbol);
  *bytes = size;
  return result(at ? hipSuccess : hipErrorInvalidSymbol);
}
PODIUM_HIP_ENTRY hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                                   size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  const auto [at, size] = variable(symbol);
  if (!at) return result(hipErrorInvalidSymbol);
  if (offset + bytes > size) return result(hipErrorInvalidValue);
  return hipMemcpyAsync(at + offset, from, bytes, kind, stream);
}
PODIUM_HIP_ENTRY hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t bytes,
                                              size_t offset, hipMemcpyKind kind) {
  const auto status = hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr);
  return status == hipSuccess ? hipStreamSynchronize(nullptr) : status;
}
PODIUM_HIP_ENTRY hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                                hipMemcpyKind kind) {
  const auto [at, size] = variable(symbol);
  if (!at) return result(hipErrorInvalidSymbol);
  if (offset + bytes > size) return result(hipErrorInvalidValue);
  return hipMemcpy(to, at + offset, bytes, kind);
}
