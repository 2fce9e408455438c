// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Device memory that two processes see: pages of an anonymous file, whose descriptor is the handle that
// travels.
#pragma once
#include <cstddef>

namespace podium::emulation {

// Pages of zeros; -1 if the system has none to give. The descriptor is closed on exec and belongs to the
// caller.
int make_shared_file(std::size_t bytes);

// Both map with nothing accessible on either side of [at, at + bytes), so that what no check saw stops at
// once; nullptr if the system refuses. `bytes` is rounded up to pages.
std::byte* map_file(int descriptor, std::size_t bytes);
std::byte* map_private(std::size_t bytes);
void unmap(std::byte* at, std::size_t bytes);

}  // namespace podium::emulation
