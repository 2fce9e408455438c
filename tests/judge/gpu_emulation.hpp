// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The GPU's text of a judge's program, run on the CPU: what stands before it and behind it makes a block of
// threads out of fibers that take turns at barriers, block after block. It finds wrong arithmetic of threads
// and barriers that not all threads reach; not races within a block, nor between blocks.
#pragma once
#include <string>

namespace podium::judge {

inline const std::string emulation_prologue = R"c(
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#define __CUDACC_RTC__ 1
#define __device__
#define __global__
#define __shared__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((visibility("default")))
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
struct Dim { unsigned x; };
static Dim threadIdx, blockIdx, gridDim;
struct ulonglong2 { unsigned long long x, y; };
template <class To, class From> static To as(From x) { To to; std::memcpy(&to, &x, sizeof to); return to; }
static long long __double_as_longlong(double x) { return as<long long>(x); }
static double __longlong_as_double(long long x) { return as<double>(x); }
static unsigned __float_as_uint(float x) { return as<unsigned>(x); }
static float __uint_as_float(unsigned x) { return as<float>(x); }
static unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
template <class T> static T atomicAdd(T* at, T x) { const T old = *at; *at = old + x; return old; }
template <class T> static T atomicMin(T* at, T x) {
  const T old = *at;
  if (x < old) *at = x;
  return old;
}
template <class T> static T atomicCAS(T* at, T seen, T wanted) {
  const T old = *at;
  if (old == seen) *at = wanted;
  return old;
}
static unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
static unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int byte = 0; byte < 4; ++byte) c += (a >> 8 * byte & 0xff) * (b >> 8 * byte & 0xff);
  return c;
}
static int __double2int_rd(double x) {
  const double whole = __builtin_floor(x);
  return whole >= 0x1p31 ? 0x7fffffff : whole < -0x1p31 ? -0x7fffffff - 1 : static_cast<int>(whole);
}
template <class T> static T __ldg(const T* at) { return *at; }
[[noreturn]] static void __trap() { std::abort(); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }
// A timer in nanoseconds that shows whole steps, on a device on which each look takes its time.
static unsigned long long emulated_now = 0, emulated_step = 1000, emulated_look = 20, emulated_megahertz = 1980;
extern "C" __attribute__((visibility("default"))) void podium_emulate_clock(
    unsigned long long step, unsigned long long look, unsigned long long megahertz) {
  emulated_step = step, emulated_look = look, emulated_megahertz = megahertz;
}
static unsigned long long podium_emulated_timer() {
  emulated_now += emulated_look;
  return emulated_now / emulated_step * emulated_step;
}
static long long clock64() { return static_cast<long long>(emulated_now * emulated_megahertz / 1000); }
static ucontext_t scheduler, fibers[256];
static bool ended[256];
static __attribute__((noinline)) void __syncthreads() {
  const unsigned me = threadIdx.x;
  asm volatile("" ::: "memory");
  swapcontext(&fibers[me], &scheduler);
  asm volatile("" ::: "memory");
}
// All threads of the block ask, so all of them have answered once everybody had a turn.
static unsigned long long answer_of(unsigned other, unsigned long long mine, int width) {
  static unsigned long long answers[256];
  const unsigned me = threadIdx.x;
  answers[me] = mine;
  __syncthreads();
  const bool same = other / static_cast<unsigned>(width) == me / static_cast<unsigned>(width);
  const unsigned long long theirs = same ? answers[other] : mine;
  __syncthreads();
  return theirs;
}
static unsigned long long __shfl_down_sync(unsigned, unsigned long long mine, int down, int width) {
  return answer_of(threadIdx.x + static_cast<unsigned>(down), mine, width);
}
static unsigned long long __shfl_xor_sync(unsigned, unsigned long long mine, int across, int width) {
  return answer_of(threadIdx.x ^ static_cast<unsigned>(across), mine, width);
}
)c";

inline const std::string emulation_epilogue = R"c(
namespace {
using Kernel = void (*)(podium::program::Context);
Kernel running;
podium::program::Context context;
void fiber() {
  running(context);
  ended[threadIdx.x] = true;
}
}  // namespace
extern "C" __attribute__((visibility("default"))) void podium_emulate(Kernel kernel, const unsigned long long* words,
                                                                      int groups) {
  constexpr unsigned threads = podium::program::block_threads;
  constexpr unsigned long stack = 64 * 1024;
  static const std::unique_ptr<char[]> stacks(new char[threads * stack]);
  running = kernel;
  std::memcpy(&context, words, sizeof context);
  gridDim.x = static_cast<unsigned>(groups);
  for (unsigned group = gridDim.x; group-- > 0;) {
    blockIdx.x = group;
    for (unsigned t = 0; t < threads; ++t) {
      getcontext(&fibers[t]);
      fibers[t].uc_stack = {stacks.get() + t * stack, 0, stack};
      fibers[t].uc_link = &scheduler;
      makecontext(&fibers[t], fiber, 0);
      ended[t] = false;
    }
    for (unsigned left = threads; left > 0;) {
      for (unsigned t = 0; t < threads; ++t)
        if (!ended[t]) {
          threadIdx.x = t;
          swapcontext(&scheduler, &fibers[t]);
        }
      unsigned waiting = 0;
      for (const bool one : ended) waiting += !one;
      if (waiting > 0 && waiting != left) {
        std::fprintf(stderr, "%u of %u threads wait at a barrier that the others do not reach\n", waiting, left);
        std::abort();
      }
      left = waiting;
    }
  }
}
)c";

}  // namespace podium::judge
