// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The trusted process of one device: owns memory, seeds, references and verdicts, and its own clock.
#pragma once
#include <memory>

#include "suite/device/device.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::judge {

using Opener = std::unique_ptr<device::Device> (*)(int ordinal);

// Serves podium on `socket` until it says farewell or dies. Returns the process's exit status.
int serve(int socket, Opener open);

// The same within any process: gives one answer to each of podium's requests until its end closes, and throws
// protocol::Closed then; another exception where it cannot go on. Workers are left to the caller.
void answer_requests(protocol::Channel podium, Opener open);

}  // namespace podium::judge
