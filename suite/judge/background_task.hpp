// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A thread that sees the worker to its next gate while the judge's own checks what the call before has left.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace podium::judge {

// From one thread, which is not its own: prepare(), start() and finish() in turn, cancel() at any time.
class BackgroundTask {
 public:
  BackgroundTask() = default;
  ~BackgroundTask();
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  // Gets prepared: looks for start() for a millisecond, and then sleeps. With the first the thread begins.
  void prepare(std::function<void()> work);
  void start();  // the work is done from now on, if any was prepared
  // Whether work was started since it was prepared; it is done then. Throws what it threw. Work that was only
  // prepared will not be done.
  bool finish();
  void cancel();  // no work is left when it returns; what it threw is lost

 private:
  enum State { idle, prepared, running, leave };
  void serve();
  void become(State state);

  std::atomic<State> state_ = idle;
  bool started_ =
      false;  // to go; of the thread that it works for, as is the rest but for `thrown_` while it goes
  std::function<void()> work_;
  std::exception_ptr thrown_;
  std::thread thread_;
};

}  // namespace podium::judge
