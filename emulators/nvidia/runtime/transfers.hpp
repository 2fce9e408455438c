// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Copies and sets of memory, from bytes to boxes of rows. Each is held against the bounds of what it names
// when it is asked for, and again when its turn comes: the memory may be freed by then, which loses the
// device.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

namespace podium::ptx {

// `depth` slices of `height` rows of `width` bytes; from a row to the next, and from a slice to the next, so
// many bytes.
struct Box {
  std::byte* at = nullptr;
  std::size_t width = 0, height = 1, depth = 1, pitch = 0, slice = 0;
};
Box bytes_at(const void* at, std::size_t bytes);
Box rows_at(const void* at, std::size_t pitch, std::size_t width, std::size_t height);
// The same of rows of elements; too many to be counted in bytes lie nowhere.
Box elements_at(const void* at, std::size_t pitch, std::size_t element, std::size_t width,
                std::size_t height);

// What does it when it is called. cudaErrorInvalidValue or cudaErrorInvalidPitchValue with a sentence: a box
// lies elsewhere than in allocations, as far as `kind` or its first byte says that it is the device's, its
// rows overlap, or elements are misaligned.
cudaError_t copy_work(const Box& to, const Box& from, cudaMemcpyKind kind, std::function<void()>& work);
// Every element of 1, 2 or 4 bytes becomes the lower ones of `value`.
cudaError_t set_work(const Box& to, unsigned value, std::size_t element, std::function<void()>& work);

// The same as the stream's next work; `wait`: until it is done.
cudaError_t copy(const Box& to, const Box& from, cudaMemcpyKind kind, cudaStream_t stream, bool wait);
cudaError_t set(const Box& to, unsigned value, std::size_t element, cudaStream_t stream, bool wait);

}  // namespace podium::ptx
