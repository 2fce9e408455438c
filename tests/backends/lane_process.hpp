// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The other side of the gate for tests: this program once more, in a process of its own, with one lane.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "suite/base/descriptor.hpp"
#include "suite/device/lane.hpp"

namespace podium::test {

// The shared page: the gate, and what the lane's process reports.
struct Board {
  device::Page page;
  std::atomic<std::uint32_t> armed;  // ticket
  std::atomic<std::uint32_t> done;   // ticket of the last call that has returned
  double microseconds;               // of the last ticket
  std::int32_t scratch_wrong;        // allocations that were not zeroed, aligned, or refused in vain
  char error[512];                   // what went wrong over there
  char not_capturable[512];          // why no graph was made
};

// How the lane takes its calls: gated; replayed from a graph, or gated where none can be made; gated after a
// capture of a run that throws; whole.
enum class Way { gated, replayed, after_a_failed_capture, whole };

// What the lane does as its `run`, on its stream: copies the arena's first half over its second.
void enqueue_copy(void* stream, std::byte* arena, std::size_t half);
// The first byte of device memory `at`.
bool all_zero(const void* at, std::size_t bytes, bool pinned);

class LaneProcess {
 public:
  // Starts a process that opens the arena and takes `calls` gated calls, tickets 1, 2, ... With `uid`, as
  // that user.
  LaneProcess(const device::Arena& arena, int calls, uid_t uid = 0, Way way = Way::gated);
  ~LaneProcess();
  Board& board() { return *board_; }
  bool wait_armed(std::uint32_t ticket, int milliseconds = 20000);
  bool wait_done(std::uint32_t ticket, int milliseconds = 20000);
  void open_gate(std::uint32_t ticket);
  int exit_status();  // waits; -1 if a signal ended it

 private:
  Descriptor file_;
  Board* board_ = nullptr;
  pid_t pid_ = -1;
  int status_ = 0;
};

// main() of the other process: `--lane BOARD ARENA BYTES CALLS WAY`; -1 if these are not its arguments.
int lane_main(int argc, char** argv);

}  // namespace podium::test
