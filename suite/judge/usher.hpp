// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A thread that sees the worker to its next gate while the judge's own checks what the call before has left.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace podium::judge {

// From one thread, which is not its own: begin(), go() and finish() in turn, dismiss() at any time.
class Usher {
 public:
  Usher() = default;
  ~Usher();
  Usher(const Usher&) = delete;
  Usher& operator=(const Usher&) = delete;

  // Gets ready: looks for go() for a millisecond, and then sleeps. With the first the thread begins.
  void begin(std::function<void()> work);
  void go();  // the work is done from now on, if any was begun
  // Whether work was told to go since it was begun; it is done then. Throws what it threw. Work that was only
  // begun will not be done.
  bool finish();
  void dismiss();  // no work is left when it returns; what it threw is lost

 private:
  enum State { idle, ready, going, leave };
  void serve();
  void become(State state);

  std::atomic<State> state_ = idle;
  bool told_ =
      false;  // to go; of the thread that it works for, as is the rest but for `thrown_` while it goes
  std::function<void()> work_;
  std::exception_ptr thrown_;
  std::thread thread_;
};

}  // namespace podium::judge
