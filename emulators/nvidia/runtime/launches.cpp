// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernel launches: what is checked at once, as a device's driver does, and what is enqueued.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulators/common/processors.hpp"
#include "emulators/common/report.hpp"
#include "emulators/nvidia/device/idle.hpp"
#include "emulators/nvidia/device/team.hpp"
#include "emulators/nvidia/runtime/architecture.hpp"
#include "emulators/nvidia/runtime/arguments.hpp"
#include "emulators/nvidia/runtime/launches.hpp"
#include "emulators/nvidia/runtime/memory.hpp"
#include "emulators/nvidia/runtime/modules.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

struct Mode {
  Asynchrony asynchrony = Asynchrony::lazy;
  u64 seed = 1;
};

// $PODIUM_EMULATED_ASYNC: lazy, eager, random:SEED.
Mode mode_of_environment() {
  const char* const text = std::getenv("PODIUM_EMULATED_ASYNC");
  const std::string_view mode = text ? text : "lazy";
  constexpr std::string_view random = "random";
  if (mode == "eager") return {Asynchrony::eager, 1};
  if (!mode.starts_with(random)) return {};
  return {Asynchrony::random,
          mode.size() > random.size() ? std::strtoull(text + random.size() + 1, nullptr, 10) : 1};
}

// $PODIUM_EMULATED_THREADS, which is taken at its word; else as many as this process may run on, and as find
// a processor that has nothing to do: a team of threads that only take turns is slower than one thread.
Workers workers_of_environment() {
  if (const char* const text = std::getenv("PODIUM_EMULATED_THREADS")) {
    u32 most = 0;
    const char* const end = text + std::strlen(text);
    if (const auto [rest, failed] = std::from_chars(text, end, most);
        failed == std::errc() && rest == end && most >= 1 && most <= most_workers)
      return {most, true};
    static const bool once [[maybe_unused]] = [&] {
      emulation::say(
          fmt::format("PODIUM_EMULATED_THREADS is '{}'; expected a number from 1 to {}: one thread "
                      "runs each launch",
                      text, most_workers));
      return true;
    }();
    return {};
  }
  static const u32 most = emulation::processors();
  static const auto online = static_cast<u32>(sysconf(_SC_NPROCESSORS_ONLN));
  return {most == 1 ? 1 : std::min(most, 1 + idle_processors(online)), false};
}

cudaError_t check(const Function& function, const Request& r) {
  const Kernel& kernel = *function.kernel;
  const std::string name = "kernel " + emulation::demangled(kernel.name);
  const u64 threads = product(r.block);
  if (product(r.grid) == 0 || threads == 0 || r.grid.y > 65535 || r.grid.z > 65535 || r.grid.x > 0x7fffffff)
    return refused(cudaErrorInvalidConfiguration,
                   fmt::format("{}: a grid of ({},{},{}) blocks of ({},{},{}) threads is none", name,
                               r.grid.x, r.grid.y, r.grid.z, r.block.x, r.block.y, r.block.z));
  if (threads > kernel.most_threads || threads > 1024 || r.block.z > 64)
    return refused(cudaErrorInvalidConfiguration,
                   fmt::format("{}: blocks of {} threads; at most {} are possible", name, threads,
                               std::min<u64>(kernel.most_threads, 1024)));
  if (kernel.required[0] != 0 &&
      (kernel.required[0] != r.block.x || kernel.required[1] != r.block.y || kernel.required[2] != r.block.z))
    return refused(cudaErrorInvalidValue, name + ": its blocks must have the shape that it states");
  const std::size_t fixed = kernel.static_end - shared_begin;
  if (r.dynamic_bytes > function.allowed_dynamic ||
      (function.allowed_dynamic <= 48 << 10 && r.dynamic_bytes + fixed > 48 << 10) ||
      r.dynamic_bytes + fixed > static_cast<std::size_t>(architecture().shared_per_block))
    return refused(cudaErrorInvalidValue,
                   fmt::format("{}: {} bytes of dynamic shared memory beside {} static ones; {} are allowed "
                               "(cudaFuncSetAttribute allows more)",
                               name, r.dynamic_bytes, fixed, function.allowed_dynamic));
  if (r.cooperative && product(r.grid) > static_cast<u64>(multiprocessors) *
                                             blocks_per_multiprocessor(kernel, threads, r.dynamic_bytes))
    return refused(cudaErrorCooperativeLaunchTooLarge,
                   fmt::format("{}: {} blocks do not fit the device at a time", name, product(r.grid)));
  const dim3& c = r.cluster;
  if (product(c) > largest_cluster_of(function))
    return refused(cudaErrorInvalidClusterSize,
                   fmt::format("{}: clusters of {} blocks; {} has {}, and from sm_90 on 16 where "
                               "cudaFuncAttributeNonPortableClusterSizeAllowed is set (cudaFuncSetAttribute)",
                               name, product(c), architecture().name, largest_cluster_of(function)));
  if (r.grid.x % c.x != 0 || r.grid.y % c.y != 0 || r.grid.z % c.z != 0)
    return refused(
        cudaErrorInvalidConfiguration,
        fmt::format("{}: clusters of ({},{},{}) blocks do not divide the grid", name, c.x, c.y, c.z));
  return cudaSuccess;
}

// What is to be enqueued, its arguments copied. `before`: what the kernel touches that it may begin before
// the end of, if there is one.
cudaError_t prepare(Function& function, Request r, const Arguments& arguments,
                    const std::shared_ptr<Touched>& before, Work& work) {
  if (device_status() != cudaSuccess) return noted(device_status());
  const Kernel* const kernel = kernel_of(function);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (r.device_updatable)
    return refused(cudaErrorNotSupported,
                   "kernel " + emulation::demangled(kernel->name) +
                       ": kernels' nodes that a device updates "
                       "(cudaLaunchAttributeDeviceUpdatableKernelNode) are not emulated");
  if (kernel->cluster[0] != 0) r.cluster = {kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]};
  const bool clustered = r.cluster.x != 0;
  if (!clustered) r.cluster = {1, 1, 1};
  if (const cudaError_t status = check(function, r); status != cudaSuccess) {
    emulation::say(cudaGetErrorString(status));  // shown beside the row even if the caller ignores the status
    return status;
  }
  std::shared_ptr<std::vector<u8>> parameters;
  if (const cudaError_t status = copy(*kernel, arguments, parameters); status != cudaSuccess) return status;
  const Shape shape{{r.grid.x, r.grid.y, r.grid.z},
                    {r.block.x, r.block.y, r.block.z},
                    {r.cluster.x, r.cluster.y, r.cluster.z},
                    static_cast<u32>(r.dynamic_bytes),
                    clustered};
  const bool cooperative = r.cooperative;
  const auto touched = kernel->launches_dependents ? std::make_shared<Touched>() : nullptr;
  work = {.ready = {},
          .run =
              [=] {
                const Mode mode = mode_of_environment();
                if (touched) *touched = {emulation::demangled(kernel->name), {}};  // a graph runs it again
                const Task task{*kernel,   shape,       *parameters,  mode.asynchrony,
                                mode.seed, cooperative, before.get(), touched.get()};
                const Workers workers = memory_has_two_addresses() ? Workers{} : workers_of_environment();
                if (const auto fault = run_launch(task, workers)) lose_device(cudaErrorLaunchFailure, *fault);
                if (before) before->by.clear();
              },
          .touched = touched};
  return cudaSuccess;
}

cudaError_t launch(Function* function, const Request& r, const Arguments& arguments, cudaStream_t stream) {
  if (!function) return noted(cudaErrorInvalidDeviceFunction);
  Queue* const queue = Device::get().find(stream);
  if (!queue) return noted(cudaErrorInvalidResourceHandle);
  Work work;
  const auto before = r.overlaps ? Device::get().touched_by_last(*queue) : nullptr;
  if (const cudaError_t status = prepare(*function, r, arguments, before, work); status != cudaSuccess)
    return status;
  // As a part of the launch: a work of its own would lie between this kernel and one that may overlap with
  // it.
  for (const cudaEvent_t event : {r.programmatic_event, r.completion_event})
    if (event)
      work.run = [run = work.run, recorded = record(event, *queue)] {
        run();
        recorded();
      };
  Device::get().enqueue(*queue, std::move(work));
  return cudaSuccess;
}

cudaError_t launch(const void* host, const Request& request, void** arguments, cudaStream_t stream) {
  return launch(function_of(host), request, {.pointers = arguments}, stream);
}

// What CUDA's headers say of it leaves a kernel's results alone.
bool is_hint(int attribute) {
  constexpr int nvlink_scheduling = 16;  // cudaLaunchAttributeNvlinkUtilCentricScheduling: CUDA 13 has it
  constexpr std::array hints{int{cudaLaunchAttributeIgnore},
                             int{cudaLaunchAttributeAccessPolicyWindow},
                             int{cudaLaunchAttributeSynchronizationPolicy},
                             int{cudaLaunchAttributeClusterSchedulingPolicyPreference},
                             int{cudaLaunchAttributePriority},
                             int{cudaLaunchAttributeMemSyncDomainMap},
                             int{cudaLaunchAttributeMemSyncDomain},
                             int{cudaLaunchAttributePreferredClusterDimension},
                             int{cudaLaunchAttributePreferredSharedMemoryCarveout},
                             nvlink_scheduling};
  return std::ranges::find(hints, attribute) != hints.end();
}
void tell_of_attribute(int attribute) {
  static auto* const told = new std::set<int>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (told->insert(attribute).second)
    emulation::say(fmt::format(
        "a launch has the attribute {}, which emulated devices do not know: it changes nothing", attribute));
}

// An attribute of a launch, by the runtime's number, which is the driver's.
static_assert(int{cudaLaunchAttributeClusterDimension} == int{CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION});
static_assert(int{cudaLaunchAttributeCooperative} == int{CU_LAUNCH_ATTRIBUTE_COOPERATIVE});
static_assert(int{cudaLaunchAttributeProgrammaticStreamSerialization} ==
              int{CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION});
static_assert(int{cudaLaunchAttributeProgrammaticEvent} == int{CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT});
static_assert(int{cudaLaunchAttributeLaunchCompletionEvent} ==
              int{CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT});
static_assert(int{cudaLaunchAttributeDeviceUpdatableKernelNode} ==
              int{CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE});
template <class Value>
void apply(int id, const Value& value, Request& r) {
  switch (id) {
    case cudaLaunchAttributeClusterDimension:
      r.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      return;
    case cudaLaunchAttributeCooperative:
      r.cooperative = value.cooperative != 0;
      return;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
      r.overlaps = value.programmaticStreamSerializationAllowed != 0;
      return;
    case cudaLaunchAttributeProgrammaticEvent:
      r.programmatic_event = value.programmaticEvent.event;
      return;
    case cudaLaunchAttributeLaunchCompletionEvent:
      r.completion_event = value.launchCompletionEvent.event;
      return;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      r.device_updatable = value.deviceUpdatableKernelNode.deviceUpdatable != 0;
      return;
    default:
      if (!is_hint(id)) tell_of_attribute(id);
  }
}

struct PendingCall {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<PendingCall> calls;

}  // namespace

Request request_of(const cudaLaunchConfig_t& config) {
  Request r{.grid = config.gridDim, .block = config.blockDim, .dynamic_bytes = config.dynamicSmemBytes};
  for (unsigned i = 0; i < config.numAttrs; ++i) apply(config.attrs[i].id, config.attrs[i].val, r);
  return r;
}

Request request_of(const CUlaunchConfig& config) {
  Request r{.grid = {config.gridDimX, config.gridDimY, config.gridDimZ},
            .block = {config.blockDimX, config.blockDimY, config.blockDimZ},
            .dynamic_bytes = config.sharedMemBytes};
  for (unsigned i = 0; i < config.numAttrs; ++i) apply(config.attrs[i].id, config.attrs[i].value, r);
  return r;
}

cudaError_t kernel_work(const cudaKernelNodeParams& node, Work& work) {
  Function* const function = function_of(node.func);
  if (!function) return noted(cudaErrorInvalidDeviceFunction);
  const Request r{.grid = node.gridDim, .block = node.blockDim, .dynamic_bytes = node.sharedMemBytes};
  return prepare(*function, r, {.pointers = node.kernelParams, .extra = node.extra}, nullptr, work);
}

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

// kernel<<<...>>>() pushes, and the kernel's stub pops and launches: crt/host_runtime.h.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
  calls.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  const PendingCall call = calls.back();
  calls.pop_back();
  *grid = call.grid;
  *block = call.block;
  *shared = call.shared;
  *static_cast<cudaStream_t*>(stream) = call.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = reinterpret_cast<cudaKernel_t>(function_of(host));
  return *kernel ? cudaSuccess : noted(cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host) { return __cudaGetKernel(kernel, host); }
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host) {
  *function = reinterpret_cast<cudaFunction_t>(function_of(host));
  return *function ? cudaSuccess : noted(cudaErrorInvalidDeviceFunction);
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream) {
  return launch(reinterpret_cast<Function*>(kernel), {.grid = grid, .block = block, .dynamic_bytes = shared},
                {.pointers = arguments}, stream);
}
cudaError_t cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return launch(host, {.grid = grid, .block = block, .dynamic_bytes = shared}, arguments, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* host, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  return launch(host, {.grid = grid, .block = block, .dynamic_bytes = shared, .cooperative = true}, arguments,
                stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host, void** arguments) {
  return launch(host, request_of(*config), arguments, config->stream);
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void** arguments, void** extra) {
  const Request r{.grid = {gx, gy, gz}, .block = {bx, by, bz}, .dynamic_bytes = shared};
  return static_cast<CUresult>(
      launch(reinterpret_cast<Function*>(function), r, {.pointers = arguments, .extra = extra}, stream));
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                   unsigned by, unsigned bz, unsigned shared, CUstream stream,
                                   void** arguments) {
  const Request r{.grid = {gx, gy, gz}, .block = {bx, by, bz}, .dynamic_bytes = shared, .cooperative = true};
  return static_cast<CUresult>(
      launch(reinterpret_cast<Function*>(function), r, {.pointers = arguments}, stream));
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
  return static_cast<CUresult>(launch(reinterpret_cast<Function*>(function), request_of(*config),
                                      {.pointers = arguments, .extra = extra}, config->hStream));
}

}  // extern "C"
