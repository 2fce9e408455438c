// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The trusted process of one device: owns memory, seeds, references and verdicts, and its own clock.
#pragma once
#include <memory>

#include "suite/device/device.hpp"

namespace podium::judge {

using Opener = std::unique_ptr<device::Device> (*)(int ordinal);

// Serves podium on `socket` until it says farewell or dies. Returns the process's exit status.
int serve(int socket, Opener open);

}  // namespace podium::judge
