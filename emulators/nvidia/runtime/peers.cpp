// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Other devices, of which there are none: what names one is refused, and a copy from the device to itself is
// one.
#include <cuda_runtime_api.h>

#include "emulators/nvidia/runtime/status.hpp"

using namespace podium::ptx;

namespace {

cudaError_t refuse_device(int device) {
  return refused(cudaErrorInvalidDevice, "invalid device ordinal: there is no device " +
                                             std::to_string(device) + ", and emulated devices are one");
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  for (const int device : {to_device, from_device})
    if (device != 0) return refuse_device(device);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  for (const int device : {to_device, from_device})
    if (device != 0) return refuse_device(device);
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned) { return refuse_device(device); }
cudaError_t cudaDeviceDisablePeerAccess(int device) { return refuse_device(device); }
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int from, int to) {
  return refuse_device(from != 0 ? from : to);
}

}  // extern "C"
