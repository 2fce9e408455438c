// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/kernels.hpp"

#include <fmt/format.h>

#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

[[noreturn]] void refuse(const std::string& what, api::Status status) {
  static_cast<void>(api::last_error());  // else the next launch would report it again
  throw Error(fmt::format("{}: {}", what, describe(status)));
}

}  // namespace

LaneKernels::LaneKernels(const std::string& code, const device::Lane& lane) : lane_(lane) {
  api::Module module{};
  // Machine code alone: the builder has read its sections, so the loader finds their end.
  if (const auto status = api::module_load_data(&module, code.data()); status != api::success)
    refuse("the device does not load the contestant's code", status);
  module_ = Module(module);
}

void* LaneKernels::find(const std::string& name, const Shape& shape) {
  api::Function function{};
  if (const auto status = api::module_get_function(&function, module_, name.c_str()); status != api::success)
    refuse(fmt::format("the device finds no kernel '{}' in the contestant's code", name), status);
  if (const auto status = api::allow_shared(function, shape.shared); status != api::success)
    refuse(fmt::format("the device does not give kernel '{}' {} bytes of shared memory", name, shape.shared),
           status);
  return reinterpret_cast<void*>(function);
}

void LaneKernels::launch(void* kernel, const Shape& shape, void** arguments) {
  const unsigned grid[] = {shape.grid[0], shape.grid[1], shape.grid[2]};
  const unsigned block[] = {shape.block[0], shape.block[1], shape.block[2]};
  const auto status = api::launch(reinterpret_cast<api::Function>(kernel), grid, block, shape.shared,
                                  static_cast<api::Stream>(lane_.stream()), arguments);
  if (status != api::success) refuse("the device refused a launch", status);
}

}  // namespace podium::gpu
