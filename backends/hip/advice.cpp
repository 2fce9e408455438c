// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What to do about errors of HIP's runtime whose own text does not say it.
#include <fmt/format.h>

#include <cstdlib>

#include "backends/gpu/vendor.hpp"
#include "backends/hip/versions.hpp"

namespace podium::gpu {
namespace {

// Of the device in use, "gfx942"; empty if it cannot be told.
std::string architecture_in_use() {
  int ordinal = 0;
  hip::Properties properties{};
  if (hipGetDevice(&ordinal) != hipSuccess || hip::properties(&properties, ordinal) != hipSuccess) return {};
  return hip::architecture(properties);
}

}  // namespace

std::string advice(api::Status status) {
  if (std::getenv("PODIUM_EMULATED")) return {};  // its own sentences say all, and no driver has a part in it
  switch (status) {
    case hipErrorNoBinaryForGpu:
    case hipErrorInvalidImage:
    case hipErrorInvalidDeviceFunction: {
      const std::string architecture = architecture_in_use();
      if (architecture.empty()) return "the code may be for another architecture; run `podium build` again";
      return fmt::format(
          "the code holds nothing for this device, which is {0}: build it with `podium build --backend hip "
          "--arch {0}`, or add --offload-arch={0} to what compiled it",
          architecture);
    }
    case hipErrorInsufficientDriver:
      return "the kernel's amdgpu driver is older than this ROCm: update AMD's package amdgpu-dkms, or the "
             "kernel";
    case hipErrorIllegalState:
    case hipErrorContextIsDestroyed:
    case hipErrorDeinitialized:
    case hipErrorLaunchTimeOut:
      return "the GPU was reset or removed: `sudo dmesg | grep amdgpu` says why; try again, and if that "
             "fails `sudo amd-smi reset --gpureset`, then a restart of the machine";
    case hipErrorLaunchFailure:
    case hipErrorIllegalAddress:
      return "a kernel was stopped: `sudo dmesg | grep amdgpu` names a page fault and its address";
    case hipErrorECCNotCorrectable:
      return "the GPU's memory had an uncorrectable error: `amd-smi metric --ecc` counts them; discard its "
             "results, and reset the GPU";
    default:
      return {};
  }
}

}  // namespace podium::gpu
