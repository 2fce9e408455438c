// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a worker waits at its gate on the host.
#pragma once
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "suite/device/lane.hpp"

namespace podium::device {

// Sleeps until the judge, in another process, has opened the gate; spinning would take a core from it.
inline void pass_gate(Page& page, std::uint32_t ticket) {
  const std::atomic_ref word(page.gate);
  for (std::uint32_t seen; (seen = word.load(std::memory_order_acquire)) != ticket;)
    syscall(SYS_futex, &page.gate, FUTEX_WAIT, seen, nullptr, nullptr, 0);
}

}  // namespace podium::device
