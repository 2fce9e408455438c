// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/runtime/arguments.hpp"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "emulators/common/report.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

constexpr int most_keys = 16;  // of extra: an end that was forgotten is soon found

struct PackedArguments {
  const void* at = nullptr;
  std::optional<std::size_t> bytes;
};

cudaError_t refuse(const Kernel& kernel, const std::string& why) {
  return refused(cudaErrorInvalidValue, fmt::format("kernel {}: {}", emulation::demangled(kernel.name), why));
}

std::size_t bytes_needed(const Kernel& kernel) {
  std::size_t bytes = 0;
  for (u32 i = 0; i < kernel.parameter_count; ++i)
    bytes = std::max<std::size_t>(bytes, kernel.parameters[i].offset + kernel.parameters[i].bytes);
  return bytes;
}

// "": it can be read.
std::string read(void** extra, PackedArguments& packed) {
  for (int i = 0; i < most_keys; ++i, extra += 2) {
    const auto key = reinterpret_cast<std::uintptr_t>(extra[0]);
    switch (key) {
      case CU_LAUNCH_PARAM_END_AS_INT:
        return "";
      case CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT:
        packed.at = extra[1];
        break;
      case CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT:
        if (!extra[1]) return "extra has CU_LAUNCH_PARAM_BUFFER_SIZE, and no pointer to a size behind it";
        packed.bytes = *static_cast<const std::size_t*>(extra[1]);
        break;
      default:
        return fmt::format(
            "extra has the key {:#x}; expected CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE "
            "or CU_LAUNCH_PARAM_END",
            key);
    }
  }
  return "extra does not end; CU_LAUNCH_PARAM_END must be its last key";
}

cudaError_t copy_pointed(const Kernel& kernel, void** pointers, std::vector<u8>& bytes) {
  for (u32 i = 0; i < kernel.parameter_count; ++i) {
    if (!pointers[i])
      return refuse(kernel, fmt::format("kernelParams[{}] is null; expected the address of an argument", i));
    std::memcpy(bytes.data() + kernel.parameters[i].offset, pointers[i], kernel.parameters[i].bytes);
  }
  return cudaSuccess;
}

cudaError_t copy_packed(const Kernel& kernel, void** extra, std::vector<u8>& bytes) {
  PackedArguments packed;
  if (const std::string problem = read(extra, packed); !problem.empty()) return refuse(kernel, problem);
  const std::size_t needed = bytes_needed(kernel);
  if (needed == 0 && !packed.at && packed.bytes.value_or(0) == 0) return cudaSuccess;
  if (!packed.at) return refuse(kernel, "extra has no CU_LAUNCH_PARAM_BUFFER_POINTER, or a null one");
  if (!packed.bytes) return refuse(kernel, "extra has no CU_LAUNCH_PARAM_BUFFER_SIZE");
  if (*packed.bytes < needed)
    return refuse(kernel, fmt::format("extra's buffer has {} bytes, the kernel's parameters have {}",
                                      *packed.bytes, needed));
  std::memcpy(bytes.data(), packed.at, needed);
  return cudaSuccess;
}

}  // namespace

cudaError_t copy(const Kernel& kernel, const Arguments& arguments, std::shared_ptr<std::vector<u8>>& bytes) {
  // Aligned as the largest vector that a kernel loads from there.
  bytes = std::make_shared<std::vector<u8>>(kernel.parameter_bytes + 64);
  if (arguments.pointers && arguments.extra)
    return refuse(kernel, "both kernelParams and extra are given; expected one of them");
  if (arguments.extra) return copy_packed(kernel, arguments.extra, *bytes);
  if (arguments.pointers) return copy_pointed(kernel, arguments.pointers, *bytes);
  if (kernel.parameter_count == 0) return cudaSuccess;
  return refuse(kernel,
                fmt::format("neither kernelParams nor extra is given; it has {} {}", kernel.parameter_count,
                            kernel.parameter_count == 1 ? "parameter" : "parameters"));
}

}  // namespace podium::ptx
