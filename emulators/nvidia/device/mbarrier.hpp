// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mbarriers as asynchronous operations use them.
#pragma once
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct Arrival;

// One that a thread gave away, and that happens now.
void mbarrier_arrive(Thread*, int line, u32 at, const Arrival&);

void mbarrier_check(Thread*, int line, u32 at);               // that there is one
void mbarrier_arrivals(Thread*, int line, u32 at, s64 more);  // in the current phase

}  // namespace podium::ptx
