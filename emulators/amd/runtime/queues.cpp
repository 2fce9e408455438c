// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/queues.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "emulators/common/report.hpp"

namespace podium::amd {
namespace {

constexpr std::chrono::microseconds between_looks{50};  // at a gate that is closed

}  // namespace

Queues& Queues::all() {
  static Queues* const one = new Queues;
  return *one;
}

Queues::Queues() {
  std::thread([this] { work(); }).detach();
}

Queue* Queues::create(bool blocking) {
  const std::lock_guard lock(mutex_);
  return &queues_.emplace_back(blocking);
}

void Queues::destroy(Queue* queue) {
  const std::lock_guard lock(mutex_);
  queue->gone_ = true;
  queues_.remove_if([](const Queue& q) { return q.gone_ && q.entries_.empty(); });
}

void Queues::enqueue(Queue* queue, Operation operation) {
  const std::lock_guard lock(mutex_);
  if (queue->captured_) {
    queue->captured_->push_back(std::move(operation));
    return;
  }
  queue->entries_.push_back({++numbered_, std::move(operation)});
  changed_.notify_all();
}

void Queues::wait(Queue* queue) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue->entries_.empty(); });
}

void Queues::wait_for_all() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return null_.entries_.empty() &&
           std::ranges::all_of(queues_, [](const Queue& q) { return q.entries_.empty(); });
  });
}

bool Queues::idle(Queue* queue) {
  const std::lock_guard lock(mutex_);
  return queue->entries_.empty();
}

bool Queues::capture(Queue* queue) {
  const std::lock_guard lock(mutex_);
  if (queue->captured_) return false;
  queue->captured_.emplace();
  return true;
}

std::optional<std::vector<Operation>> Queues::captured(Queue* queue) {
  const std::lock_guard lock(mutex_);
  return std::exchange(queue->captured_, std::nullopt);
}

bool Queues::captures(Queue* queue) {
  const std::lock_guard lock(mutex_);
  return queue->captured_.has_value();
}

std::string Queues::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

// The null stream and those that take turns with it go by the order in which all was enqueued.
bool Queues::may_begin(const Queue& queue) const {
  if (queue.entries_.empty()) return false;
  const auto number = queue.entries_.front().number;
  if (&queue == &null_)
    return std::ranges::none_of(queues_, [&](const Queue& other) {
      return other.blocking_ && !other.entries_.empty() && other.entries_.front().number < number;
    });
  return !queue.blocking_ || null_.entries_.empty() || null_.entries_.front().number > number;
}

Queue* Queues::next() {
  waits_ = false;
  const auto good = [&](Queue& queue) {
    if (!may_begin(queue)) return false;
    const auto& ready = queue.entries_.front().operation.ready;
    if (!ready || !failure_.empty() || ready()) return true;
    waits_ = true;
    return false;
  };
  if (good(null_)) return &null_;
  for (Queue& queue : queues_)
    if (good(queue)) return &queue;
  return nullptr;
}

void Queues::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Queue* const queue = next();
    if (!queue) {
      if (waits_)
        changed_.wait_for(lock, between_looks);
      else
        changed_.wait(lock);
      continue;
    }
    const bool fails = !failure_.empty();
    const Operation& operation = queue->entries_.front().operation;  // a deque does not move its front
    lock.unlock();
    const std::string failure = fails ? "" : operation.run();
    if (!failure.empty()) emulation::say(failure);
    lock.lock();
    if (!failure.empty() && failure_.empty()) failure_ = failure;
    queue->entries_.pop_front();
    if (queue->gone_) queues_.remove_if([](const Queue& q) { return q.gone_ && q.entries_.empty(); });
    changed_.notify_all();
  }
}

}  // namespace podium::amd
