// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/access.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <unistd.h>

std::string podium::gpu::why_no_nvidia_device(bool too_old) {
  if (access("/dev/nvidiactl", F_OK) != 0) return "there is no /dev/nvidiactl; is the NVIDIA driver loaded?";
  if (access("/dev/nvidiactl", R_OK | W_OK) != 0)
    return "this user may not open /dev/nvidiactl; ask the machine's administrator";
  int runtime = 0;
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  if (too_old)
    return fmt::format("the driver is older than CUDA {}.{}; update it, or build with an older toolkit",
                       runtime / 1000, runtime % 1000 / 10);
  return "see nvidia-smi";
}
