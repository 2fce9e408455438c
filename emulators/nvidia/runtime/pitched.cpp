// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Memory in rows that begin at multiples of a pitch.
#include "emulators/nvidia/runtime/pitched.hpp"

#include <string>
#include <utility>

#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

constexpr std::size_t row_alignment = 512;  // what devices give

Box box_of(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& box) {
  const std::size_t slice = memory.ysize * memory.pitch;
  return {static_cast<std::byte*>(memory.ptr) + position.z * slice + position.y * memory.pitch + position.x,
          box.width,
          box.height,
          box.depth,
          memory.pitch,
          slice};
}

cudaError_t copy_box(const cudaMemcpy3DParms& box, const char* call, cudaStream_t stream, bool wait) {
  Box to, from;
  if (const cudaError_t status = boxes_of(box, call, to, from); status != cudaSuccess) return status;
  return copy(to, from, box.kind, stream, wait);
}

}  // namespace

cudaError_t boxes_of(const cudaMemcpy3DParms& box, const std::string& call, Box& to, Box& from) {
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
  to = box_of(box.dstPtr, box.dstPos, box.extent);
  from = box_of(box.srcPtr, box.srcPos, box.extent);
  return cudaSuccess;
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
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box) {
  return copy_box(*box, "cudaMemcpy3D", nullptr, true);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
  return copy_box(*box, "cudaMemcpy3DAsync", stream, false);
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent box) {
  return set(box_of(memory, {0, 0, 0}, box), value, 1, nullptr, true);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent box, cudaStream_t stream) {
  return set(box_of(memory, {0, 0, 0}, box), value, 1, stream, false);
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"
