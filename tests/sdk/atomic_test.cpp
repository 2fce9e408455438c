// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Atomic operations, and loops that wait for other threads or blocks.
#include "tests/sdk/kernels.hpp"

namespace {
using namespace podium::test;

class Atomic : public BothOrders {};
INSTANTIATE_TEST_SUITE_P(Orders, Atomic, both_orders(), name_of_order);

struct Results {
  int sum = 0, minimum = 1000, maximum = -1000, difference = 0, exchanged = -1;
  unsigned increments = 0, decrements = 0, bits = 0, masked = ~0u, parity = 0;
  unsigned long long wide = 0;
  float f32 = 0;
  double f64 = 0;
};
__global__ void all(Results* r) {
  const int t = static_cast<int>(threadIdx.x);
  atomicAdd(&r->sum, 1);
  atomicSub(&r->difference, 2);
  atomicMin(&r->minimum, t);
  atomicMax(&r->maximum, t);
  atomicInc(&r->increments, 9);
  atomicDec(&r->decrements, 9);
  atomicOr(&r->bits, 1u << t % 32);
  atomicAnd(&r->masked, ~(1u << t % 16));
  atomicXor(&r->parity, 3);
  atomicAdd(&r->wide, 1ull << 32);
  atomicAdd(&r->f32, 0.5f);
  atomicAdd(&r->f64, 0.25);
  atomicExch(&r->exchanged, 7);
}
TEST_P(Atomic, AddUpAcrossBlocks) {
  Results r;
  launch(all, 100, 100, &r);
  EXPECT_EQ(r.sum, 10000);
  EXPECT_EQ(r.difference, -20000);
  EXPECT_EQ(r.minimum, 0);
  EXPECT_EQ(r.maximum, 99);
  EXPECT_EQ(r.increments, 0u);
  EXPECT_EQ(r.decrements, 0u);
  EXPECT_EQ(r.bits, ~0u);
  EXPECT_EQ(r.masked, 0xFFFF0000u);
  EXPECT_EQ(r.parity, 0u);
  EXPECT_EQ(r.wide, 10000ull << 32);
  EXPECT_EQ(r.f32, 5000);
  EXPECT_EQ(r.f64, 2500);
  EXPECT_EQ(r.exchanged, 7);
}

__global__ void returned(int* seen) {
  int x = 5;
  seen[0] = atomicAdd(&x, 1);
  seen[1] = atomicExch(&x, 9);
  seen[2] = atomicCAS(&x, 8, 1);
  seen[3] = atomicCAS(&x, 9, 1);
  seen[4] = x;
}
TEST_P(Atomic, ReturnWhatWasThere) {
  std::vector<int> seen(5);
  launch(returned, 1, 1, seen.data());
  EXPECT_EQ(seen, (std::vector<int>{5, 6, 9, 9, 1}));
}

// A lock among threads of the same warp, held while others run.
__global__ void locked(int* lock, int* count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  const int before = *count;
  __threadfence();
  *count = before + 1;
  atomicExch(lock, 0);
}
TEST_P(Atomic, LocksWork) {
  int lock = 0, count = 0;
  launch(locked, 8, 128, &lock, &count);
  EXPECT_EQ(count, 1024);
}

// Decoupled look-back: every block waits for the one before it, three ways of waiting.
__global__ void look_back_by_atomics(int* flags) {
  if (threadIdx.x == 0) {
    while (blockIdx.x > 0 && atomicAdd(flags + blockIdx.x - 1, 0) == 0) {
    }
    atomicExch(flags + blockIdx.x, 1);
  }
  __syncthreads();
}
__global__ void look_back_by_fences(volatile int* flags) {
  if (threadIdx.x == 0) {
    while (blockIdx.x > 0 && flags[blockIdx.x - 1] == 0) __threadfence();
    __threadfence();
    flags[blockIdx.x] = 1;
  }
  __syncthreads();
}
// Every thread waits for the next one of its block, the last for the block before.
__global__ void chain(volatile int* flags) {
  const unsigned i = blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x);
  while (i > 0 && flags[i - 1] == 0) __threadfence_block();
  flags[i] = 1;
}
TEST_P(Atomic, BlocksMayWaitForEarlierOnes) {
  std::vector<int> flags(500);
  launch(look_back_by_atomics, 500, 64, flags.data());
  EXPECT_EQ(std::accumulate(flags.begin(), flags.end(), 0), 500);
  flags.assign(500, 0);
  launch(look_back_by_fences, 500, 64, flags.data());
  EXPECT_EQ(std::accumulate(flags.begin(), flags.end(), 0), 500);
  flags.assign(500, 0);
  launch(chain, 5, 100, flags.data());
  EXPECT_EQ(std::accumulate(flags.begin(), flags.end(), 0), 500);
}

// One that waits for a block that has failed must not wait for ever.
__global__ void never_comes(int* flag, podium::Tensor<int, 1> t) {
  if (blockIdx.x == 0) t(1) = 0;
  while (atomicAdd(flag, 0) == 0) {
  }
}
TEST_P(Atomic, WaitingEndsWhenABlockFails) {
  int flag = 0, number = 0;
  const podium::Tensor<int, 1> t{&number, {1}, {1}};
  EXPECT_THAT(error_of([&] { launch(never_comes, 4, 32, &flag, t); }), testing::HasSubstr("index (1)"));
}

}  // namespace
