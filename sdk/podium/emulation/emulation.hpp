// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// GPU kernels on the CPU: what a kernel in the portable dialect may use, and podium::launch. C++20,
// Boost.Context.
//
// A block runs on one OS thread and never leaves it; blocks are spread over a pool of threads. A GPU thread
// is a fiber, given to it when it first waits; until then the threads of a block run one after another on one
// fiber. Environment: PODIUM_HOST_WORKERS (OS threads), PODIUM_HOST_REVERSE=1 (threads of a block in reverse
// order). -DPODIUM_WARP=64 makes warps as wide as CDNA's.
#pragma once
#include <podium/emulation/atomics.hpp>
#include <podium/emulation/language.hpp>
#include <podium/emulation/launch.hpp>
#include <podium/emulation/math.hpp>
#include <podium/emulation/synchronisation.hpp>
#include <podium/emulation/vectors.hpp>
