// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The clock of a GPU by its own counters: cycles of one multiprocessor against a timer of fixed rate. On the
// CPU the backend counts by itself, and there is no such kernel.
#pragma once
#include "kernel.hpp"

#if PODIUM_GPU
namespace podium::program {

PODIUM_DEVICE u64 timer_ticks() {
#if defined(__HIP__)
  return u64(wall_clock64());
#elif defined(__CUDACC_RTC__) && !defined(__CUDA_ARCH__)
  return podium_emulated_timer();  // of those who run this text on a CPU
#else
  u64 ticks;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ticks));
  return ticks;
#endif
}

// gfx11's counter of cycles has 20 bits (RDNA 3 ISA, SHADER_CYCLES): a millisecond at 1 GHz.
PODIUM_DEVICE u64 cycles_between(u64 begin, u64 end) {
#if defined(__GFX11__)
  return (end - begin) & 0xfffff;
#else
  return end - begin;
#endif
}

// Begins and ends where the timer steps, which some GPUs let it do but once a microsecond. A timer that
// stands still is left after so many looks, and nothing is written.
PODIUM_DEVICE void measure_clock(Words words) {
  int looks = 1 << 14;
  const u64 before = timer_ticks();
  u64 first = before, last;
  while (first == before && --looks > 0) first = timer_ticks();
  const u64 begin = u64(clock64());
  do last = timer_ticks();
  while (last - first < words.word[clock_ticks] && --looks > 0);
  const u64 end = u64(clock64());
  if (looks <= 0) return;
  u64* const result = words.address<u64>(clock_result);
  result[0] = cycles_between(begin, end);
  result[1] = last - first;
}

}  // namespace podium::program

PODIUM_KERNEL(podium_clock) {
  if (podium::program::first_in_group()) podium::program::measure_clock(words);
}
#endif
