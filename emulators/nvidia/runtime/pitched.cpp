// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Memory in rows that begin at multiples of a pitch.
#include "emulators/nvidia/runtime/pitched.hpp"

#include <cstring>

#include "emulators/nvidia/runtime/memory.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

constexpr std::size_t row_alignment = 512;  // what devices give

std::byte* row_of(const cudaPitchedPtr& memory, const cudaPos& position, std::size_t slice, std::size_t row) {
  return static_cast<std::byte*>(memory.ptr) +
         ((position.z + slice) * memory.ysize + position.y + row) * memory.pitch + position.x;
}

void set_box(const cudaPitchedPtr& to, int value, const cudaExtent& box) {
  for (std::size_t slice = 0; slice < box.depth; ++slice)
    for (std::size_t row = 0; row < box.height; ++row)
      std::memset(row_of(to, {0, 0, 0}, slice, row), value, box.width);
}

cudaError_t copy(const cudaMemcpy3DParms& box, const char* call, cudaStream_t stream, bool wait) {
  if (const cudaError_t status = check_box(box, call); status != cudaSuccess) return status;
  return enqueue(stream, [=] { copy_box(box); }, wait);
}

}  // namespace

cudaError_t check_box(const cudaMemcpy3DParms& box, const std::string& call) {
  if (box.srcArray || box.dstArray)
    return refused(cudaErrorNotSupported,
                   call + ": emulated devices have no CUDA arrays; copy between memory (cudaPitchedPtr)");
  if (!box.srcPtr.ptr || !box.dstPtr.ptr)
    return refused(cudaErrorInvalidValue, call + ": srcPtr or dstPtr is null");
  for (const auto& [memory, position] :
       {std::pair(box.srcPtr, box.srcPos), std::pair(box.dstPtr, box.dstPos)})
    if (position.x + box.extent.width > memory.pitch ||
        (box.extent.depth > 1 && position.y + box.extent.height > memory.ysize))
      return refused(cudaErrorInvalidValue, call + ": the box goes beyond a row, or a slice's rows");
  return cudaSuccess;
}
void copy_box(const cudaMemcpy3DParms& box) {
  for (std::size_t slice = 0; slice < box.extent.depth; ++slice)
    for (std::size_t row = 0; row < box.extent.height; ++row)
      std::memmove(row_of(box.dstPtr, box.dstPos, slice, row), row_of(box.srcPtr, box.srcPos, slice, row),
                   box.extent.width);
}

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaMallocPitch(void** at, size_t* pitch, size_t width, size_t height) {
  *pitch = (width + row_alignment - 1) / row_alignment * row_alignment;
  return cudaMalloc(at, *pitch * height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent box) {
  *memory = {nullptr, 0, box.width, box.height};
  return cudaMallocPitch(&memory->ptr, &memory->pitch, box.width, box.height * box.depth);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box) { return copy(*box, "cudaMemcpy3D", nullptr, true); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
  return copy(*box, "cudaMemcpy3DAsync", stream, false);
}
cudaError_t cudaMemset2D(void* at, size_t pitch, int value, size_t width, size_t height) {
  const cudaError_t status = cudaMemset2DAsync(at, pitch, value, width, height, nullptr);
  return status == cudaSuccess ? cudaStreamSynchronize(nullptr) : status;
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent box) {
  return enqueue(nullptr, [=] { set_box(memory, value, box); }, true);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent box, cudaStream_t stream) {
  return enqueue(stream, [=] { set_box(memory, value, box); }, false);
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"
