// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The honest answer, and what a saboteur does with the memory that all contestants share. A helper: no
// contestant.
#pragma once
#include <podium/parked.hpp>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cstdint>

namespace {
inline void twice(const problem::Arguments& args) {
  for (std::int64_t i = 0; i < args.n; ++i) args.y.data[i] = 2 * args.x.data[i];
}

// The arena, and where the last call had its tensors in it.
inline unsigned char* arena_begin = nullptr;
inline unsigned char* arena_end = nullptr;

// With a file of /proc, as its mapping says.
inline void find_arena(const void* tensor) {
  if (arena_begin) return;
  const auto at = reinterpret_cast<std::uintptr_t>(tensor);
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long begin = 0, end = 0;
    if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && at >= begin && at < end) {
      arena_begin = reinterpret_cast<unsigned char*>(begin);
      arena_end = reinterpret_cast<unsigned char*>(end);
    }
  }
  if (maps) fclose(maps);
}

// Time of the last call: after some 20 ms without one it is others' turn.
inline std::int64_t last_call = 0;

inline std::int64_t milliseconds_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

inline void note_call(const problem::Arguments& args) {
  find_arena(args.y.data);
  last_call = milliseconds_now();
}

// Guards, inputs and outputs of whoever is on turn. Not while it is the saboteur's own.
inline void spoil() {
  constexpr std::int64_t others_turn = 100;  // milliseconds without a call
  if (!arena_begin || milliseconds_now() - last_call < others_turn) return;
  for (unsigned char* at = arena_begin; at < arena_end; at += 64) *at = 0x77;
}
}  // namespace
