// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/runtime/queue.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

std::recursive_mutex mutex;
constexpr std::chrono::microseconds between_looks{20};

}  // namespace

thread_local int Device::captures = 0;
thread_local cudaStreamCaptureMode Device::capture_mode = cudaStreamCaptureModeGlobal;
thread_local bool Device::spoiled = false;

Device::Device() { queues_.push_back(std::make_unique<Queue>(true)); }

Device& Device::get() {
  static Device* const device = new Device;  // plugins' destructors may still call
  return *device;
}

Queue* Device::find(cudaStream_t stream) {
  const std::lock_guard lock(mutex);
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
    return queues_.front().get();
  const auto found =
      std::ranges::find(queues_, reinterpret_cast<Queue*>(stream), &std::unique_ptr<Queue>::get);
  return found == queues_.end() ? nullptr : found->get();
}
cudaStream_t Device::create(bool blocking) {
  const std::lock_guard lock(mutex);
  queues_.push_back(std::make_unique<Queue>(blocking));
  return reinterpret_cast<cudaStream_t>(queues_.back().get());
}
void Device::destroy(cudaStream_t stream) {
  Queue* const queue = find(stream);
  if (!queue || queue == queues_.front().get()) return;
  wait_for(*queue);
  const std::lock_guard lock(mutex);
  std::erase_if(queues_, [&](const auto& q) { return q.get() == queue; });
}

std::shared_ptr<Touched> Device::touched_by_last(const Queue& queue) {
  const std::lock_guard lock(mutex);
  if (!queue.capture) return queue.work_.empty() ? nullptr : queue.work_.back().work.touched;
  const std::vector<Work>& nodes = queue.capture->nodes;
  return nodes.empty() || nodes.back().queue != &queue ? nullptr : nodes.back().touched;
}

void Device::enqueue(Queue& queue, Work work) {
  const std::lock_guard lock(mutex);
  work.queue = &queue;
  if (queue.capture)
    queue.capture->nodes.push_back(std::move(work));
  else
    queue.work_.push_back({next_++, std::move(work)});
}

// The default stream waits for what was enqueued before on blocking streams, and these for it.
bool Device::may_run(const Queue& queue) const {
  if (queue.work_.empty()) return false;
  if (queue.blocking_) {
    const bool is_default = &queue == queues_.front().get();
    for (const auto& other : queues_) {
      if (other.get() == &queue || !other->blocking_ || other->work_.empty()) continue;
      if (!is_default && other.get() != queues_.front().get()) continue;
      if (other->work_.front().number < queue.work_.front().number) return false;
    }
  }
  const Work& work = queue.work_.front().work;
  return !work.ready || work.ready();
}

bool Device::step() {
  const std::lock_guard lock(mutex);
  for (const auto& queue : queues_) {
    if (!may_run(*queue)) continue;
    const Work work = std::move(queue->work_.front().work);
    queue->work_.pop_front();
    if (work.run && device_status() == cudaSuccess) work.run();
    return true;
  }
  return false;
}

void Device::run_ready() {
  while (step()) {
  }
}
void Device::wait_for(const std::function<bool()>& done) {
  while (!done() && device_status() == cudaSuccess)
    if (!step()) std::this_thread::sleep_for(between_looks);
}
bool Device::idle(const Queue& queue) {
  const std::lock_guard lock(mutex);
  return queue.work_.empty();
}
void Device::wait_for(Queue& queue) {
  wait_for([&] { return idle(queue); });
}
void Device::wait_for_all() {
  wait_for([&] {
    const std::lock_guard lock(mutex);
    return std::ranges::all_of(queues_, [](const auto& queue) { return queue->work_.empty(); });
  });
}

void Device::end_capture(const std::shared_ptr<CapturedWork>& capture) {
  const std::lock_guard lock(mutex);
  for (const auto& queue : queues_)
    if (queue->capture == capture) queue->capture.reset();
}

bool Device::spoils_capture() {
  if (captures == 0 || capture_mode == cudaStreamCaptureModeRelaxed) return false;
  return spoiled = true;
}

}  // namespace podium::ptx
