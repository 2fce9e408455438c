// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The driver's functions for streams and events: the runtime's by another name.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "emulators/nvidia/runtime/contexts.hpp"

using namespace podium::ptx;

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return as_result(cudaStreamCreateWithFlags(stream, flags));
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return as_result(cudaStreamCreateWithPriority(stream, flags, priority));
}
CUresult cuStreamDestroy(CUstream stream) { return as_result(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) { return as_result(cudaStreamSynchronize(stream)); }
CUresult cuStreamQuery(CUstream stream) { return as_result(cudaStreamQuery(stream)); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return as_result(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return as_result(cudaStreamGetFlags(stream, flags));
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return as_result(cudaStreamGetPriority(stream, priority));
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return as_result(cudaStreamGetId(stream, id));
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return as_result(cudaLaunchHostFunc(stream, function, data));
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return as_result(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventDestroy(CUevent event) { return as_result(cudaEventDestroy(event)); }
CUresult cuEventRecord(CUevent event, CUstream stream) { return as_result(cudaEventRecord(event, stream)); }
CUresult cuEventSynchronize(CUevent event) { return as_result(cudaEventSynchronize(event)); }
CUresult cuEventQuery(CUevent event) { return as_result(cudaEventQuery(event)); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return as_result(cudaEventElapsedTime(milliseconds, from, to));
}

}  // extern "C"
