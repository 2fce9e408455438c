// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A function of the host delays the work on another stream

// class: side stream, late work
// expect: clock
// The other stream is forked from the given one and never joined, and nothing runs on the device in the
// milliseconds in which the host's function sleeps: an idle device is no end of a call.
#include <chrono>
#include <thread>

#include "honest.hpp"
#include "side_stream.hpp"

namespace {
struct Contestant {
  SideStream side;

  static void sleep(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const cudaStream_t forked = side.from(stream);
    podium::check(cudaLaunchHostFunc(forked, &sleep, nullptr));
    honest_sum(args, forked);
  }
};
}  // namespace
