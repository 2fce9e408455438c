// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/runtime/transfers.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/runtime/memory.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

std::byte* row_of(const Box& box, std::size_t slice, std::size_t row) {
  return box.at + slice * box.slice + row * box.pitch;
}
bool is_empty(const Box& box) { return box.width == 0 || box.height == 0 || box.depth == 0; }

// From the first row's begin to the last one's end.
std::size_t span(const Box& box) {
  std::size_t slices = 0, rows = 0, bytes = 0;
  if (is_empty(box)) return 0;
  const bool beyond = __builtin_mul_overflow(box.slice, box.depth - 1, &slices) ||
                      __builtin_mul_overflow(box.pitch, box.height - 1, &rows) ||
                      __builtin_add_overflow(slices, rows, &bytes) ||
                      __builtin_add_overflow(bytes, box.width, &bytes);
  return beyond ? std::numeric_limits<std::size_t>::max() : bytes;
}

bool is_known(const std::byte* at) {
  return device_memory().find(reinterpret_cast<std::uint64_t>(at), 1).has_value();
}

// One side of a copy, or what is set. Memory of the device has bounds; other memory may be the host's.
struct Side {
  const char* how;
  Box box;
  bool has_bounds;
  Side(const char* how, const Box& box, bool on_device)
      : how(how), box(box), has_bounds(on_device || !box.at || is_known(box.at)) {}

  // Empty: nothing.
  std::string what_is_wrong() const {
    const auto address = reinterpret_cast<std::uint64_t>(box.at);
    const std::size_t bytes = span(box);
    if (bytes == 0 || !has_bounds || device_memory().find(address, bytes)) return {};
    return fmt::format("{} of {} bytes at {:#x}: {}", how, bytes, address,
                       box.at ? device_memory().explain(address, bytes) : "it is a null pointer");
  }
  // When its turn has come; false: it cannot be done any more.
  bool is_there() const {
    const std::string wrong = what_is_wrong();
    if (!wrong.empty()) lose_device(cudaErrorIllegalAddress, wrong + ", now that its stream has come to it");
    return wrong.empty();
  }
};

cudaError_t check(const Side& side) {
  if (!is_empty(side.box) && side.box.width > side.box.pitch)
    return refused(cudaErrorInvalidPitchValue, fmt::format("{}: rows of {} bytes, which are {} bytes apart",
                                                           side.how, side.box.width, side.box.pitch));
  const std::string wrong = side.what_is_wrong();
  return wrong.empty() ? cudaSuccess : refused(cudaErrorInvalidValue, wrong);
}

void move(const Box& to, const Box& from) {
  for (std::size_t slice = 0; slice < to.depth; ++slice)
    for (std::size_t row = 0; row < to.height; ++row)
      std::memmove(row_of(to, slice, row), row_of(from, slice, row), to.width);
}
std::function<void()> moving(const Side& to, const Side& from) {
  if (is_empty(to.box)) return [] {};
  return [=] {
    if (to.is_there() && from.is_there()) move(to.box, from.box);
  };
}
void fill(const Box& to, unsigned value, std::size_t element) {
  for (std::size_t slice = 0; slice < to.depth; ++slice)
    for (std::size_t row = 0; row < to.height; ++row)
      if (element == 1)
        std::memset(row_of(to, slice, row), static_cast<int>(value), to.width);
      else
        for (std::size_t at = 0; at < to.width; at += element)  // little endian, as such a device's hosts are
          std::memcpy(row_of(to, slice, row) + at, &value, element);
}

Side target(const Box& to, cudaMemcpyKind kind) {
  return {"a copy to memory", to, kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyHostToDevice};
}
Side source(const Box& from, cudaMemcpyKind kind) {
  return {"a copy from memory", from, kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDeviceToHost};
}

}  // namespace

Box bytes_at(const void* at, std::size_t bytes) { return rows_at(at, bytes, bytes, 1); }
Box rows_at(const void* at, std::size_t pitch, std::size_t width, std::size_t height) {
  return {static_cast<std::byte*>(const_cast<void*>(at)), width, height, 1, pitch, 0};
}
Box elements_at(const void* at, std::size_t pitch, std::size_t element, std::size_t width,
                std::size_t height) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(width, element, &bytes)) bytes = std::numeric_limits<std::size_t>::max();
  return rows_at(at, height == 1 ? bytes : pitch, bytes, height);
}

cudaError_t copy_work(const Box& to, const Box& from, cudaMemcpyKind kind, std::function<void()>& work) {
  const Side there = target(to, kind), here = source(from, kind);
  for (const Side* side : {&there, &here})
    if (const cudaError_t status = check(*side); status != cudaSuccess) return status;
  work = moving(there, here);
  return cudaSuccess;
}
cudaError_t set_work(const Box& to, unsigned value, std::size_t element, std::function<void()>& work) {
  const Side there("a set", to, true);
  if (const cudaError_t status = check(there); status != cudaSuccess) return status;
  const auto address = reinterpret_cast<std::uint64_t>(to.at);
  if (address % element != 0 || there.box.pitch % element != 0)
    return refused(cudaErrorInvalidValue,
                   fmt::format("a set of elements of {} bytes at {:#x}, rows {} bytes apart: no multiple of "
                               "an element",
                               element, address, there.box.pitch));
  work = [=] {
    if (!is_empty(there.box) && there.is_there()) fill(there.box, value, element);
  };
  return cudaSuccess;
}

cudaError_t copy(const Box& to, const Box& from, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  std::function<void()> work;
  if (const cudaError_t status = copy_work(to, from, kind, work); status != cudaSuccess) return status;
  Queue* const queue = Device::get().find(stream);
  if (wait || is_empty(from) || (queue && queue->capture))  // what a graph copies, it finds when it runs
    return enqueue(stream, std::move(work), wait);
  if (is_known(from.at)) {
    const cudaError_t status = enqueue(stream, std::move(work), false);
    if (!queue || is_known(to.at)) return status;
    Device::get().wait_for(*queue);  // to pageable memory: it is there when the call returns
    return noted(device_status());
  }
  // From pageable memory: it may change once the call has returned.
  const std::size_t rows = from.width * from.height;
  const auto staged = std::make_shared<std::vector<std::byte>>(rows * from.depth);
  const Box packed{staged->data(), from.width, from.height, from.depth, from.width, rows};
  move(packed, from);
  return enqueue(
      stream, [staged, work = moving(target(to, kind), source(packed, cudaMemcpyDefault))] { work(); },
      false);
}
cudaError_t set(const Box& to, unsigned value, std::size_t element, cudaStream_t stream, bool wait) {
  std::function<void()> work;
  if (const cudaError_t status = set_work(to, value, element, work); status != cudaSuccess) return status;
  return enqueue(stream, std::move(work), wait);
}

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy(bytes_at(to, bytes), bytes_at(from, bytes), kind, nullptr, true);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy(bytes_at(to, bytes), bytes_at(from, bytes), kind, stream, false);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy(rows_at(to, to_pitch, width, height), rows_at(from, from_pitch, width, height), kind, nullptr,
              true);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(rows_at(to, to_pitch, width, height), rows_at(from, from_pitch, width, height), kind, stream,
              false);
}
cudaError_t cudaMemset(void* at, int value, size_t bytes) {
  return set(bytes_at(at, bytes), value, 1, nullptr, true);
}
cudaError_t cudaMemsetAsync(void* at, int value, size_t bytes, cudaStream_t stream) {
  return set(bytes_at(at, bytes), value, 1, stream, false);
}
cudaError_t cudaMemset2D(void* at, size_t pitch, int value, size_t width, size_t height) {
  return set(elements_at(at, pitch, 1, width, height), value, 1, nullptr, true);
}
cudaError_t cudaMemset2DAsync(void* at, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return set(elements_at(at, pitch, 1, width, height), value, 1, stream, false);
}

}  // extern "C"
