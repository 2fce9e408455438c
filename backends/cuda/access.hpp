// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Why CUDA's runtime, or HIP's over it, sees no device on this machine.
#pragma once
#include <string>

namespace podium::gpu {

// In one clause that says what to do; `too_old`: the runtime called the driver insufficient.
std::string why_no_nvidia_device(bool too_old);

}  // namespace podium::gpu
