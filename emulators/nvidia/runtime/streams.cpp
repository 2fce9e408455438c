// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cudaStream*, cudaEvent*, host functions, and a stream's wait on a word of memory. Events tell no time: an
// emulated device has none.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <memory>

#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

using Event = std::shared_ptr<EventState>;
const Event& event_of(cudaEvent_t event) { return *reinterpret_cast<const Event*>(event); }

cudaError_t with_queue(cudaStream_t stream, const std::function<cudaError_t(Queue&)>& action) {
  Queue* const queue = Device::get().find(stream);
  return noted(queue ? action(*queue) : cudaErrorInvalidResourceHandle);
}
cudaError_t waited() { return noted(device_status()); }

cudaError_t create_stream(cudaStream_t* stream, unsigned flags) {
  *stream = Device::get().create((flags & cudaStreamNonBlocking) == 0);
  return cudaSuccess;
}

}  // namespace

std::function<void()> record(cudaEvent_t handle, const Queue& queue) {
  const Event event = event_of(handle);
  event->captured_in = queue.capture;
  const std::uint64_t number = ++event->asked;
  return [event, number] { event->done = number; };
}

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create_stream(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return create_stream(stream, flags);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return create_stream(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Device::get().destroy(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_queue(stream, [](Queue& queue) {
    if (Device::get().spoils_capture()) return cudaErrorStreamCaptureUnsupported;
    Device::get().wait_for(queue);
    return device_status();
  });
}
// Not ready is an answer and no error: cudaGetLastError does not give it.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return noted(cudaErrorInvalidResourceHandle);
  Device::get().run_ready();
  if (device_status() != cudaSuccess) return waited();
  return Device::get().idle(*queue) ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaDeviceSynchronize() {
  if (Device::get().spoils_capture()) return noted(cudaErrorStreamCaptureUnsupported);
  Device::get().wait_for_all();
  return waited();
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_queue(stream, [=](Queue& queue) {
    *flags = queue.blocking() ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
  *priority = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return with_queue(stream, [=](const Queue& queue) {
    *id = reinterpret_cast<std::uintptr_t>(&queue);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new Event(std::make_shared<EventState>()));
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<Event*>(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned) {
  return with_queue(stream, [=](Queue& queue) {
    Device::get().enqueue(queue, {.ready = {}, .run = record(handle, queue)});
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned) {
  return with_queue(stream, [=](Queue& queue) {
    const Event event = event_of(handle);
    if (auto capture =
            event->captured_in.lock()) {  // the stream joins the capture, and its order is the wait
      queue.capture = capture;
      return cudaSuccess;
    }
    const std::uint64_t number = event->asked;
    Device::get().enqueue(queue, {.ready = [event, number] { return event->done >= number; }, .run = {}});
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  if (Device::get().spoils_capture()) return noted(cudaErrorStreamCaptureUnsupported);
  const Event event = event_of(handle);
  const std::uint64_t number = event->asked;
  Device::get().wait_for([&] { return event->done >= number; });
  return waited();
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  const Event event = event_of(handle);
  Device::get().run_ready();
  if (device_status() != cudaSuccess) return waited();
  return event->done >= event->asked ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0;
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return with_queue(stream, [=](Queue& queue) {
    Device::get().enqueue(queue, {.ready = {}, .run = [=] { function(data); }});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned) {
  return with_queue(stream, [=](Queue& queue) {
    Device::get().enqueue(queue, {.ready = {}, .run = [=] { function(stream, cudaSuccess, data); }});
    return cudaSuccess;
  });
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return CUDA_ERROR_INVALID_HANDLE;
  const auto* const word = reinterpret_cast<const std::atomic<cuuint32_t>*>(at);
  const unsigned how = flags & 3;
  const auto holds = [=] {
    const cuuint32_t found = word->load(std::memory_order_acquire);
    switch (how) {
      case CU_STREAM_WAIT_VALUE_GEQ:
        return static_cast<std::int32_t>(found - value) >= 0;
      case CU_STREAM_WAIT_VALUE_EQ:
        return found == value;
      case CU_STREAM_WAIT_VALUE_AND:
        return (found & value) != 0;
      default:
        return ~(found | value) != 0;
    }
  };
  Device::get().enqueue(*queue, {.ready = holds, .run = {}});
  return CUDA_SUCCESS;
}
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return CUDA_ERROR_INVALID_HANDLE;
  auto* const word = reinterpret_cast<std::atomic<cuuint32_t>*>(at);
  Device::get().enqueue(*queue, {.ready = {}, .run = [=] { word->store(value, std::memory_order_release); }});
  return CUDA_SUCCESS;
}

}  // extern "C"
