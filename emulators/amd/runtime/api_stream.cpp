// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entry points: streams, events, gates, graphs. Events know what was done and no times.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "emulators/amd/runtime/device.hpp"

using namespace podium::amd;

namespace {

struct Event {
  std::shared_ptr<std::atomic<std::uint64_t>> reached = std::make_shared<std::atomic<std::uint64_t>>(0);
  std::uint64_t recorded = 0;
};

struct Graph {
  std::vector<Operation> operations;
};

Event* event_of(hipEvent_t event) { return reinterpret_cast<Event*>(event); }

// A word that another process writes as well.
std::uint32_t word_at(const void* at) {
  return __atomic_load_n(static_cast<const std::uint32_t*>(at), __ATOMIC_ACQUIRE);
}

}  // namespace

PODIUM_HIP_ENTRY hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  *stream = reinterpret_cast<hipStream_t>(Queues::all().create((flags & hipStreamNonBlocking) == 0));
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipStreamCreate(hipStream_t* stream) {
  return hipStreamCreateWithFlags(stream, hipStreamDefault);
}
PODIUM_HIP_ENTRY hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int) {
  return hipStreamCreateWithFlags(stream, flags);
}
// There is one device. rocPRIM asks which a stream is of.
PODIUM_HIP_ENTRY int hipGetStreamDeviceId(hipStream_t) { return 0; }
PODIUM_HIP_ENTRY hipError_t hipStreamGetDevice(hipStream_t, hipDevice_t* device) {
  *device = 0;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipStreamDestroy(hipStream_t stream) {
  Queues::all().destroy(queue_of(stream));
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipStreamSynchronize(hipStream_t stream) {
  Queues::all().wait(queue_of(stream));
  return state_of_device();
}
PODIUM_HIP_ENTRY hipError_t hipDeviceSynchronize() {
  Queues::all().wait_for_all();
  return state_of_device();
}
PODIUM_HIP_ENTRY hipError_t hipStreamQuery(hipStream_t stream) {
  return Queues::all().idle(queue_of(stream)) ? state_of_device() : hipErrorNotReady;
}
PODIUM_HIP_ENTRY hipError_t hipStreamWaitValue32(hipStream_t stream, void* at, uint32_t value, unsigned flags,
                                                 uint32_t mask) {
  const auto holds = [=] {
    const std::uint32_t now = word_at(at) & mask;
    switch (flags) {
      case hipStreamWaitValueEq:
        return now == (value & mask);
      case hipStreamWaitValueAnd:
        return (now & value) != 0;
      case hipStreamWaitValueGte:
        return static_cast<std::int32_t>(now - value) >= 0;
      default:
        return ~(now | value) != 0;
    }
  };
  Queues::all().enqueue(queue_of(stream), {.run = [] { return std::string(); }, .ready = holds});
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipStreamWriteValue32(hipStream_t stream, void* at, uint32_t value, unsigned) {
  Queues::all().enqueue(queue_of(stream), {.run = [=] {
                          __atomic_store_n(static_cast<std::uint32_t*>(at), value, __ATOMIC_RELEASE);
                          return std::string();
                        }});
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  Queues::all().enqueue(queue_of(stream), {.run = [=] {
                          function(data);
                          return std::string();
                        }});
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) {
  *event = reinterpret_cast<hipEvent_t>(new Event);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, 0); }
PODIUM_HIP_ENTRY hipError_t hipEventDestroy(hipEvent_t event) {
  delete event_of(event);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  const std::uint64_t number = ++event_of(event)->recorded;
  Queues::all().enqueue(queue_of(stream), {.run = [reached = event_of(event)->reached, number] {
                          reached->store(number);
                          return std::string();
                        }});
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned) {
  Queues::all().enqueue(
      queue_of(stream),
      {.run = [] { return std::string(); },
       .ready = [reached = event_of(event)->reached,
                 number = event_of(event)->recorded] { return reached->load() >= number; }});
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipEventQuery(hipEvent_t event) {
  return event_of(event)->reached->load() >= event_of(event)->recorded ? state_of_device() : hipErrorNotReady;
}
PODIUM_HIP_ENTRY hipError_t hipEventSynchronize(hipEvent_t event) {
  // A stream of its own waits for it, and the caller for that stream.
  Queue* const waiting = Queues::all().create(false);
  static_cast<void>(hipStreamWaitEvent(reinterpret_cast<hipStream_t>(waiting), event, 0));
  Queues::all().wait(waiting);
  Queues::all().destroy(waiting);
  return state_of_device();
}
// No time is kept that somebody could take for a device's.
PODIUM_HIP_ENTRY hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t, hipEvent_t) {
  *milliseconds = 0;
  return hipSuccess;
}

// A graph is what was enqueued, in order; a launch of it enqueues it again.
PODIUM_HIP_ENTRY hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode) {
  Queue* const queue = queue_of(stream);
  if (queue == Queues::all().null() || !Queues::all().capture(queue))
    return result(hipErrorStreamCaptureUnsupported);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  auto captured = Queues::all().captured(queue_of(stream));
  *graph = nullptr;
  if (!captured) return result(hipErrorInvalidValue);
  *graph = reinterpret_cast<hipGraph_t>(new Graph{std::move(*captured)});
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  *status =
      Queues::all().captures(queue_of(stream)) ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t*, size_t* count) {
  *count = reinterpret_cast<Graph*>(graph)->operations.size();
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* executable, hipGraph_t graph,
                                                         unsigned long long) {
  *executable = reinterpret_cast<hipGraphExec_t>(new Graph(*reinterpret_cast<Graph*>(graph)));
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, hipGraphNode_t*,
                                                char*, size_t) {
  return hipGraphInstantiateWithFlags(executable, graph, 0);
}
PODIUM_HIP_ENTRY hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  for (const Operation& operation : reinterpret_cast<Graph*>(executable)->operations)
    Queues::all().enqueue(queue_of(stream), operation);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipGraphDestroy(hipGraph_t graph) {
  delete reinterpret_cast<Graph*>(graph);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  delete reinterpret_cast<Graph*>(executable);
  return hipSuccess;
}
