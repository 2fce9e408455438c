// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How much memory the device has, and who holds it.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

namespace podium::ptx {

inline constexpr std::size_t device_bytes = std::size_t{16} << 30;

bool take_memory(std::size_t bytes);  // false: the device has not so much left
void give_memory_back(std::size_t bytes);
std::size_t memory_taken();
// Whether some block of memory is mapped at two addresses now (cuMemMap): what is told apart by address may
// be the same.
bool memory_has_two_addresses();

// Has the stream do it behind what it was given before; `wait`: until it has been done.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work, bool wait);

}  // namespace podium::ptx
