// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entry points: code objects that a program loads itself.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulators/amd/runtime/device.hpp"
#include "emulators/amd/runtime/target.hpp"

using namespace podium::amd;

namespace {

struct LoadedModule;

struct Function {
  LoadedModule* module;
  std::string name;
};

struct LoadedModule {
  std::unique_ptr<Module> module;
  std::map<std::string, Function> functions;
};

LoadedModule* loaded(hipModule_t module) { return reinterpret_cast<LoadedModule*>(module); }

// The address of each argument in the buffer that `extra` names (HIP_LAUNCH_PARAM_...), laid out as the
// kernel finds them; "", or what is wrong.
std::string in_one_buffer(const KernelCode& kernel, void* const* extra, std::vector<void*>& each) {
  char* buffer = nullptr;
  const std::size_t* bytes = nullptr;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char*>(extra[1]);
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = static_cast<const std::size_t*>(extra[1]);
    else
      return fmt::format(
          "`extra` has {} for a name, expected HIP_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE or _END",
          *extra);
  }
  if (!buffer || !bytes) return "the buffer of its arguments lacks its address, or its size";
  for (const Argument& argument : kernel.arguments) {
    if (argument.hidden()) continue;
    if (argument.offset + argument.bytes > *bytes)
      return fmt::format("its arguments end at byte {}, in a buffer of {}", argument.offset + argument.bytes,
                         *bytes);
    each.push_back(buffer + argument.offset);
  }
  return "";
}

}  // namespace

PODIUM_HIP_ENTRY hipError_t hipModuleLoadData(hipModule_t* module, const void* image) try {
  *module = reinterpret_cast<hipModule_t>(new LoadedModule{Module::loaded(image), {}});
  return hipSuccess;
} catch (const std::runtime_error& e) {
  return refused(hipErrorNoBinaryForGpu, std::string("the code object cannot be loaded: ") + e.what());
}
PODIUM_HIP_ENTRY hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned,
                                                hipJitOption*, void**) {
  return hipModuleLoadData(module, image);
}
PODIUM_HIP_ENTRY hipError_t hipModuleLoad(hipModule_t* module, const char* name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return refused(hipErrorFileNotFound, std::string("there is no file ") + name);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  return hipModuleLoadData(module, bytes.data());
}
PODIUM_HIP_ENTRY hipError_t hipModuleUnload(hipModule_t module) {
  Queues::all().wait_for_all();
  delete loaded(module);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module,
                                                 const char* name) {
  *function = nullptr;
  if (!loaded(module)->module->code()->kernel(name))
    return refused(hipErrorNotFound, std::string("there is no kernel ") + name + " in this code object");
  Function& kept = loaded(module)->functions[name];
  kept = {loaded(module), name};
  *function = reinterpret_cast<hipFunction_t>(&kept);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipModuleGetGlobal(hipDeviceptr_t* at, size_t* bytes, hipModule_t module,
                                               const char* name) {
  const auto [found, size] = loaded(module)->module->code()->variable(name);
  if (at) *at = found;
  if (bytes) *bytes = size;
  return result(found ? hipSuccess : hipErrorNotFound);
}
PODIUM_HIP_ENTRY hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y,
                                                  unsigned grid_z, unsigned block_x, unsigned block_y,
                                                  unsigned block_z, unsigned shared, hipStream_t stream,
                                                  void** arguments, void** extra) {
  const auto* const kept = reinterpret_cast<const Function*>(function);
  const dim3 grid(grid_x, grid_y, grid_z), block(block_x, block_y, block_z);
  if (!extra) return enqueue(*kept->module->module, kept->name, grid, block, arguments, shared, stream);
  if (arguments)
    return refused(hipErrorInvalidValue, "kernel " + kept->name +
                                             ": its arguments are given twice, one address each and in one "
                                             "buffer");
  const KernelCode& kernel = *kept->module->module->code()->kernel(kept->name);
  std::vector<void*> each;
  if (std::string wrong = in_one_buffer(kernel, extra, each); !wrong.empty())
    return refused(hipErrorInvalidValue, "kernel " + kept->name + ": " + wrong);
  return enqueue(*kept->module->module, kept->name, grid, block, each.data(), shared, stream);
}
PODIUM_HIP_ENTRY hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t,
                                                                               int threads, size_t) {
  *blocks = threads > 0 && threads <= most_threads ? threads_of_a_unit / threads : 0;
  return hipSuccess;
}
