// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a lane's call does on a GPU.
#include <algorithm>
#include <vector>

#include "backends/gpu/api.hpp"
#include "tests/backends/lane_process.hpp"

namespace podium::test {

void enqueue_copy(void* stream, std::byte* arena, std::size_t half) {
  gpu::check(gpu::api::memcpy_async(arena + half, arena, half, gpu::api::any_direction,
                                    static_cast<gpu::api::Stream>(stream)));
}

bool all_zero(const void* at, std::size_t bytes, bool) {
  std::vector<std::byte> copy(bytes, std::byte{1});
  if (bytes > 0) gpu::check(gpu::api::memcpy_async(copy.data(), at, bytes, gpu::api::any_direction, nullptr));
  gpu::check(gpu::api::device_synchronise());
  return std::ranges::all_of(copy, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace podium::test
