// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Numbered pieces of work on several threads.
#pragma once
#include <cstdint>
#include <functional>

namespace podium {

// How many processors this process may use; at least 1.
int processors();

// Calls work(k) once for every k of [0, pieces), in no order, on at most `threads` threads, of which the
// caller's is one; returns when all have ended. What one of them throws is thrown here, and no further piece
// begins.
void in_parallel(std::int64_t pieces, int threads, const std::function<void(std::int64_t)>& work);

}  // namespace podium
