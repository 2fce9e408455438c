// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Streams: what was enqueued happens when somebody waits for it or asks after it, in the order that CUDA
// promises. So a stream that waits on a word of memory holds all that comes behind it.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace podium::ptx {

struct Touched;  // device/prerequisite.hpp
class Queue;

struct Work {
  std::function<bool()> ready;  // empty: at once
  std::function<void()> run;    // empty: nothing; it only waits
  // Of a kernel behind which the next one may begin before it has ended: what it will have touched.
  std::shared_ptr<Touched> touched{};
  const Queue* queue = nullptr;  // that it was given to
};

struct GraphNode;

// A captured sequence; an order in which it was enqueued is one in which it may run. So is that in which a
// program adds nodes, since a node can depend on earlier ones alone.
struct CapturedWork {
  std::vector<Work> nodes;
  std::vector<std::shared_ptr<const GraphNode>> handles;  // of nodes that a program added or asked after
  // Of a capture: its number, and the graph that it becomes.
  std::uint64_t id = 0;
  cudaGraph_t graph = nullptr;
};

// What cudaGraphNode_t points to.
struct GraphNode {
  std::weak_ptr<CapturedWork> graph;
  std::size_t index;  // in CapturedWork::nodes, also of what the graph was instantiated to
  bool is_kernel;     // that a program added, and may change
};

struct EventState {
  std::uint64_t asked = 0, done = 0;        // records enqueued, and happened
  std::weak_ptr<CapturedWork> captured_in;  // by which a capture spreads to other streams
};

class Queue {
 public:
  explicit Queue(bool blocking) : blocking_(blocking) {}
  bool blocking() const { return blocking_; }     // takes turns with the default stream
  std::shared_ptr<CapturedWork> capture;          // what it is given goes there, if anything
  std::map<int, cudaStreamAttrValue> attributes;  // by cudaStreamAttrID, those that were set

 private:
  friend class Device;
  struct Numbered {
    std::uint64_t number;
    Work work;
  };
  bool blocking_;
  std::deque<Numbered> work_;
};

// What makes an event that the queue records now a thing of the past, when it is its turn.
std::function<void()> record(cudaEvent_t event, const Queue& queue);

// All streams of the process. Calls are serialised; while one waits, others get through.
class Device {
 public:
  static Device& get();

  Queue* find(cudaStream_t stream);  // the default streams' handles included; nullptr: no such stream
  cudaStream_t create(bool blocking);
  void destroy(cudaStream_t stream);

  // Of the last work that the queue has been given and that has not happened; nullptr: nothing may begin
  // before that has ended.
  std::shared_ptr<Touched> touched_by_last(const Queue& queue);
  // Captured instead, where the stream captures.
  void enqueue(Queue& queue, Work work);
  void run_ready();                                  // what can happen without waiting
  void wait_for(const std::function<bool()>& done);  // makes all happen that can, until `done`
  void wait_for(Queue& queue);
  void wait_for_all();
  bool idle(const Queue& queue);
  void end_capture(const std::shared_ptr<CapturedWork>& capture);  // of all streams that joined it

  // Whether this host thread captures, in a mode that forbids it to wait or to allocate. If so, the capture
  // fails.
  bool spoils_capture();
  static thread_local int captures;                        // that this host thread began
  static thread_local cudaStreamCaptureMode capture_mode;  // relaxed: this host thread may do all of it
  static thread_local bool spoiled;

 private:
  Device();
  bool step();
  bool may_run(const Queue& queue) const;

  std::vector<std::unique_ptr<Queue>> queues_;  // the first is the default stream's
  std::uint64_t next_ = 0;
};

}  // namespace podium::ptx
