// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Streams: queues of operations, in order within each, done by one thread that is the device.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace podium::amd {

struct Operation {
  std::function<std::string()> run;  // "" or what went wrong, one sentence
  std::function<bool()> ready{};     // may it begin: looked at again and again; none: at once
};

class Queue {
 public:
  explicit Queue(bool blocking) : blocking_(blocking) {}

 private:
  friend class Queues;
  struct Entry {
    std::uint64_t number;
    Operation operation;
  };
  bool blocking_;  // takes turns with the null stream
  bool gone_ = false;
  std::deque<Entry> entries_;
  std::optional<std::vector<Operation>> captured_;
};

// All streams of the process. Safe to use from several threads; never destroyed, as its thread may be at work
// when the process ends.
class Queues {
 public:
  static Queues& all();

  Queue* null() { return &null_; }
  Queue* create(bool blocking);
  void destroy(Queue* queue);  // when what it holds is done

  // To the end of `queue`, or into the graph that is being captured from it.
  void enqueue(Queue* queue, Operation operation);
  void wait(Queue* queue);
  void wait_for_all();
  bool idle(Queue* queue);

  bool capture(Queue* queue);  // from now on; false: it is being captured already
  std::optional<std::vector<Operation>> captured(Queue* queue);  // and no longer; nothing: it was not
  bool captures(Queue* queue);

  // The first thing that went wrong, which stays: as on a device, nothing is done after it.
  std::string failure();

 private:
  Queues();
  void work();
  bool may_begin(const Queue& queue) const;
  Queue* next();

  std::mutex mutex_;
  std::condition_variable changed_;
  Queue null_{false};
  std::list<Queue> queues_;
  std::uint64_t numbered_ = 0;
  bool waits_ = false;  // some operation is not ready: look again soon
  std::string failure_;
};

}  // namespace podium::amd
