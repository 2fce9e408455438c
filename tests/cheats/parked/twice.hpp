// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The honest answer, and what a saboteur does in others' turns. A helper: no contestant.
#pragma once
#include <podium/parked.hpp>

#include <signal.h>
#include <stdio.h>
#include <time.h>

#include <cstdint>

namespace {
inline void twice(const problem::Arguments& args) {
  for (std::int64_t i = 0; i < args.n; ++i) args.y.data[i] = 2 * args.x.data[i];
}

inline unsigned char *arena_begin = nullptr, *arena_end = nullptr;  // which all contestants share
inline volatile bool off_turn = false;  // from an instance's end to the next one's beginning

inline void find_arena(const void* tensor) {
  const auto at = reinterpret_cast<std::uintptr_t>(tensor);
  FILE* maps = arena_begin ? nullptr : fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long begin = 0, end = 0;
    if (sscanf(line, "%lx-%lx", &begin, &end) != 2 || at < begin || at >= end) continue;
    arena_begin = reinterpret_cast<unsigned char*>(begin);
    arena_end = reinterpret_cast<unsigned char*>(end);
  }
  if (maps) fclose(maps);
}

// Guards, inputs and outputs of whoever is on turn; it takes too little time to be seen by that.
inline void spoil(int) {
  if (off_turn)
    for (unsigned char* at = arena_begin; at < arena_end; at += 4096) *at = 0x77;
}

constexpr timespec until_parked{0, 100'000'000}, between{0, 3'000'000};

// Sends the caller a signal when it is parked; then and again.
inline timer_t wake_by_timer(int signal) {
  sigevent wake{};
  wake.sigev_notify = SIGEV_SIGNAL;
  wake.sigev_signo = signal;
  const itimerspec times{between, until_parked};
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &wake, &timer) == 0) timer_settime(timer, 0, &times, nullptr);
  return timer;
}

// Right whenever it is asked. `Waking`: what is prepared when an instance ends, and undone when the next one
// begins.
template <class Waking, void (*in_others_turn)(int)>
struct Saboteur {
  static inline Waking* waking = nullptr;

  Saboteur() {
    off_turn = false;
    delete waking;
    waking = nullptr;
    signal(SIGCONT, in_others_turn);
  }
  ~Saboteur() {
    off_turn = true;
    waking = new Waking;
  }
  void run(const problem::Arguments& args, podium::Stream) {
    find_arena(args.y.data);
    twice(args);
  }
};

struct Timer {
  timer_t timer = wake_by_timer(SIGCONT);
  ~Timer() { timer_delete(timer); }
};
}  // namespace
