// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where kernels come from. A program's fatbin holds PTX; its translation lies in the same library, and both
// find each other by the PTX's hash. A module that the driver loads is such a library itself.
#include "emulators/nvidia/runtime/modules.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <elf.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "emulators/common/report.hpp"
#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/runtime/fatbins.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

struct HostVariable {
  std::uint64_t module;
  std::string name;
};
struct LoadedLibrary {
  LoadedLibrary() = default;
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;
  ~LoadedLibrary() {
    if (library) dlclose(library);
    if (file >= 0) close(file);
  }

  // Open as long as the library is loaded: dlopen() knows libraries by their path, and would give out this
  // one again for the next module, if that got the same number.
  int file = -1;
  void* library = nullptr;
  const Module* module = nullptr;
  std::map<std::string, Function, std::less<>> functions;
};

struct Registry {
  std::mutex mutex;
  std::vector<const Module*> modules;
  std::map<const void*, Function> functions;      // by host function
  std::map<const void*, HostVariable> variables;  // by host variable
};
Registry& registry() {
  static auto* const all = new Registry;  // libraries unregister after destructors of statics have run
  return *all;
}

const Module* find_module(std::uint64_t hash) {
  const auto found = std::ranges::find(registry().modules, hash, &Module::hash);
  return found == registry().modules.end() ? nullptr : *found;
}
const Kernel* find_kernel(const Module& module, std::string_view name) {
  const auto* const end = module.kernels + module.kernel_count;
  const auto* const found =
      std::find_if(module.kernels, end, [&](const Kernel& k) { return k.name == name; });
  return found == end ? nullptr : found;
}
const Variable* find_variable(const Module& module, std::string_view name) {
  const auto* const end = module.variables + module.variable_count;
  const auto* const found =
      std::find_if(module.variables, end, [&](const Variable& v) { return v.name == name; });
  return found == end ? nullptr : found;
}

// The size of a shared library that lies in memory, of which only the beginning is known: its section table
// is last.
std::size_t library_bytes(const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != ET_DYN)
    return 0;
  return header.e_shoff + static_cast<std::size_t>(header.e_shnum) * header.e_shentsize;
}

CUresult load(CUmodule* handle, const void* image) {
  const std::size_t bytes = library_bytes(image);
  if (bytes == 0) {
    refused(
        cudaErrorInvalidKernelImage,
        "an emulated device loads what `podium build` translated for it, and nothing that was made when the "
        "program runs");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  auto loaded = std::make_unique<LoadedLibrary>();
  loaded->file = memfd_create("podium-module", MFD_CLOEXEC);
  if (loaded->file >= 0 && ::write(loaded->file, image, bytes) == static_cast<ssize_t>(bytes))
    loaded->library = dlopen(fmt::format("/proc/self/fd/{}", loaded->file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded->library)
    loaded->module = static_cast<const Module*>(dlsym(loaded->library, podium_module_symbol));
  if (!loaded->module) {
    const char* const why = loaded->library ? nullptr : dlerror();
    refused(cudaErrorInvalidKernelImage, fmt::format("the translated module cannot be loaded: {}",
                                                     why ? why : "it has no table of kernels"));
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *handle = reinterpret_cast<CUmodule>(loaded.release());
  return CUDA_SUCCESS;
}

// As the source has it: nvcc keeps apart what a file has for itself by a namespace that names the file.
std::string variable_name(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  const std::string_view name = text ? text.get() : symbol;
  constexpr std::string_view of_file = "_INTERNAL_", behind = "::";
  const auto end = name.starts_with(of_file) ? name.find(behind) : name.npos;
  return std::string(end == name.npos ? name : name.substr(end + behind.size()));
}

}  // namespace

void add_module(const Module* module) {
  const std::lock_guard lock(registry().mutex);
  registry().modules.push_back(module);
  for (u32 i = 0; i < module->variable_count; ++i) {
    const Variable& v = module->variables[i];
    device_memory().add(v.at, v.bytes,
                        fmt::format("{} {} of {} bytes", v.constant ? "__constant__" : "__device__",
                                    variable_name(v.name), v.bytes));
  }
}
void remove_module(const Module* module) {
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().modules, module);
  for (u32 i = 0; i < module->variable_count; ++i) device_memory().remove(module->variables[i].at);
}

const Kernel* kernel_of(Function& function) {
  if (function.kernel) return function.kernel;
  if (!function.unreadable.empty()) {
    refused(cudaErrorInvalidKernelImage,
            fmt::format("the fatbin of kernel {} cannot be read: {}", emulation::demangled(function.name),
                        function.unreadable));
    return nullptr;
  }
  const std::lock_guard lock(registry().mutex);
  const Module* const module = find_module(function.module);
  if (!module) {
    refused(cudaErrorInvalidDeviceFunction,
            fmt::format(
                "kernel {} comes from a library that was not translated: without its PTX it cannot run on an "
                "emulated device",
                emulation::demangled(function.name)));
    return nullptr;
  }
  function.kernel = find_kernel(*module, function.name);
  if (!function.kernel)
    refused(cudaErrorInvalidDeviceFunction,
            fmt::format("the translation has no kernel {}", emulation::demangled(function.name)));
  return function.kernel;
}

Function* function_of(const void* host) {
  const std::lock_guard lock(registry().mutex);
  auto& functions = registry().functions;
  auto found = functions.find(host);
  if (found == functions.end())
    found = std::ranges::find_if(functions, [&](const auto& f) { return &f.second == host; });
  return found == functions.end() ? nullptr : &found->second;
}

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

// What nvcc's host code calls when it is loaded: crt/host_runtime.h.
void** __cudaRegisterFatBinary(void* wrapper) {
  const char* const data = *reinterpret_cast<const char* const*>(static_cast<const char*>(wrapper) + 8);
  auto fatbin = std::make_unique<Fatbin>(read_fatbin(data));
  return reinterpret_cast<void**>(fatbin.release());
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) {
  const std::unique_ptr<Fatbin> fatbin(reinterpret_cast<Fatbin*>(handle));
  const std::lock_guard lock(registry().mutex);
  std::erase_if(registry().functions, [&](const auto& f) { return f.second.module == fatbin->hash; });
  std::erase_if(registry().variables, [&](const auto& v) { return v.second.module == fatbin->hash; });
}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  const std::lock_guard lock(registry().mutex);
  const auto& fatbin = *reinterpret_cast<const Fatbin*>(handle);
  Function function;
  function.name = name;
  function.module = fatbin.hash;
  function.unreadable = fatbin.unreadable;
  registry().functions[host] = function;
}
void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t, int, int) {
  const std::lock_guard lock(registry().mutex);
  registry().variables[host] = {reinterpret_cast<const Fatbin*>(handle)->hash, name};
}

cudaError_t cudaGetSymbolAddress(void** at, const void* symbol) {
  const std::lock_guard lock(registry().mutex);
  const auto host = registry().variables.find(symbol);
  const Module* const module =
      host == registry().variables.end() ? nullptr : find_module(host->second.module);
  const Variable* const variable = module ? find_variable(*module, host->second.name) : nullptr;
  if (!variable) return noted(cudaErrorInvalidSymbol);
  *at = variable->at;
  return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  void* at = nullptr;
  if (const cudaError_t status = cudaGetSymbolAddress(&at, symbol); status != cudaSuccess) return status;
  *bytes = device_memory().starting(at)->range.end - reinterpret_cast<std::uint64_t>(at);
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  void* at = nullptr;
  if (const cudaError_t status = cudaGetSymbolAddress(&at, symbol); status != cudaSuccess) return status;
  return cudaMemcpyAsync(static_cast<std::byte*>(at) + offset, from, bytes, kind, stream);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  void* at = nullptr;
  if (const cudaError_t status = cudaGetSymbolAddress(&at, symbol); status != cudaSuccess) return status;
  return cudaMemcpyAsync(to, static_cast<const std::byte*>(at) + offset, bytes, kind, stream);
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  const cudaError_t status = cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr);
  return status == cudaSuccess ? cudaStreamSynchronize(nullptr) : status;
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  const cudaError_t status = cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, nullptr);
  return status == cudaSuccess ? cudaStreamSynchronize(nullptr) : status;
}

CUresult cuModuleLoadData(CUmodule* handle, const void* image) { return load(handle, image); }
CUresult cuModuleLoadDataEx(CUmodule* handle, const void* image, unsigned, CUjit_option*, void**) {
  return load(handle, image);
}
CUresult cuModuleUnload(CUmodule handle) {
  Device::get().wait_for_all();
  const std::unique_ptr<LoadedLibrary> unloaded(reinterpret_cast<LoadedLibrary*>(handle));
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  auto& loaded = *reinterpret_cast<LoadedLibrary*>(handle);
  const Kernel* const kernel = find_kernel(*loaded.module, name);
  if (!kernel) return CUDA_ERROR_NOT_FOUND;
  Function& found = loaded.functions[name];
  found.name = name;
  found.kernel = kernel;
  *function = reinterpret_cast<CUfunction>(&found);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr* at, size_t* bytes, CUmodule handle, const char* name) {
  const Variable* const variable = find_variable(*reinterpret_cast<LoadedLibrary*>(handle)->module, name);
  if (!variable) return CUDA_ERROR_NOT_FOUND;
  if (at) *at = reinterpret_cast<CUdeviceptr>(variable->at);
  if (bytes) *bytes = variable->bytes;
  return CUDA_SUCCESS;
}

}  // extern "C"
