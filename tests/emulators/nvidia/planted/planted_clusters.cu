// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes with the end of a block whose shared memory others of its cluster are at.
#include <cooperative_groups.h>

#include "planted_copies.hpp"

namespace {

using planted::Memory;
using planted::threads;
using planted::Word;

enum class Until { nothing, a_while, told, all_have_met };

constexpr unsigned arrivals = 32;

// The other block, at its mbarrier.
__device__ void tell(const Word* barrier) {
  asm volatile(
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(planted::of_other_block(barrier))
      : "memory");
}
__device__ void wait(const Word* barrier) {
  asm volatile(
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 p, [%0], 0; @!p bra WAIT; "
      "}" ::"r"(planted::shared_address(barrier))
      : "memory");
}
__device__ void stay(int times) {
  for (; times > 0; --times) asm volatile("nanosleep.u32 100;");
}

// The first block has its values from the second one, which stays until it is told or all have met, or long
// enough by luck.
__global__ void __cluster_dims__(2) visited(int* out, Until until) {
  __shared__ int tile[32];
  __shared__ Word barrier;
  const auto group = cooperative_groups::this_cluster();
  planted::begin(&barrier, arrivals);
  tile[threadIdx.x] = 3;
  group.sync();
  if (blockIdx.x == 0) {
    out[threadIdx.x] = out[threadIdx.x + 32] = group.map_shared_rank(tile, 1)[threadIdx.x];
    if (until == Until::told) tell(&barrier);
  } else if (until == Until::told && threadIdx.x == 0) {  // one is enough: the block lasts as long as it
    wait(&barrier);
  } else if (until == Until::a_while) {
    stay(100);
  }
  if (until == Until::all_have_met) group.sync();
}
// Each block leaves the other one a value; who was written to may be gone.
__global__ void __cluster_dims__(2) written(int* out, bool right) {
  __shared__ int tile[32];
  const auto group = cooperative_groups::this_cluster();
  group.sync();
  group.map_shared_rank(tile, blockIdx.x ^ 1)[threadIdx.x] = 4;
  if (right) group.sync();
  out[blockIdx.x * 32 + threadIdx.x] = right ? tile[threadIdx.x] : 4;
}
// Counts in the first block's memory, which may have gone.
__global__ void __cluster_dims__(2) summed(int* out, bool right) {
  __shared__ int sum;
  const auto group = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  group.sync();
  if (blockIdx.x == 1) atomicAdd(group.map_shared_rank(&sum, 0), 1);
  if (!right) return;
  group.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = out[threads - 1] = sum;
}
// Values that are sent, and counted at an mbarrier of the block that waits for them.
__global__ void __cluster_dims__(2) sent(int* out) {
  __shared__ int tile[32];
  __shared__ Word barrier;
  const auto group = cooperative_groups::this_cluster();
  planted::begin(&barrier, arrivals);
  group.sync();
  if (blockIdx.x == 0) {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                     planted::of_other_block(tile + threadIdx.x)),
                 "r"(threadIdx.x), "r"(planted::of_other_block(&barrier))
                 : "memory");
    return;
  }
  planted::expect(&barrier, sizeof tile[0]);
  wait(&barrier);
  out[threadIdx.x] = out[threadIdx.x + 32] = tile[threadIdx.x];
}
// The second block waits until its counter says that all have written to it.
__global__ void __cluster_dims__(2) counted(int* out) {
  __shared__ int tile[32], count;
  const auto group = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) count = 0;
  group.sync();
  if (blockIdx.x == 0) {
    group.map_shared_rank(tile, 1)[threadIdx.x] = 6;
    __threadfence();
    atomicAdd(group.map_shared_rank(&count, 1), 1);
    return;
  }
  while (*static_cast<volatile int*>(&count) != 32) {
  }
  __threadfence();
  out[threadIdx.x] = out[threadIdx.x + 32] = tile[threadIdx.x];
}
// A block whose memory is written to must have begun.
__global__ void __cluster_dims__(2) not_begun(int* out, bool right) {
  __shared__ int tile[32];
  const auto group = cooperative_groups::this_cluster();
  if (right) group.sync();
  if (blockIdx.x == 0) group.map_shared_rank(tile, 1)[threadIdx.x] = 7;
  group.sync();
  if (blockIdx.x == 1) out[threadIdx.x] = out[threadIdx.x + 32] = tile[threadIdx.x];
}
// Who has ended, arrives nowhere any more, but may have: a wait is for those that live.
__global__ void __cluster_dims__(2) arrived_and_gone(int* out) {
  planted::sync_cluster();
  if (blockIdx.x == 0) {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    return;
  }
  out[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (threadIdx.x >= 32) stay(100);
  planted::sync_cluster();
  if (threadIdx.x == 0) out[0] = out[threads - 1] + 1;
}
// The second block is told of something, and has ended; or does so without listening.
__global__ void __cluster_dims__(2) told_too_late(int* out, bool right, int times) {
  __shared__ Word barrier;
  const auto group = cooperative_groups::this_cluster();
  planted::begin(&barrier, arrivals);
  group.sync();
  if (blockIdx.x == 1) {
    if (right) wait(&barrier);
    stay(times);
    return;
  }
  stay(1);
  tell(&barrier);
  out[threadIdx.x] = out[threadIdx.x + 32] = 5;
}

void run(const char* name, Memory&, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return planted::is_either(name, mistake, &right); };
  if (is("visited")) visited<<<2, 32>>>(out.at, right ? Until::all_have_met : Until::nothing);
  if (is("visited_by_luck") && !right) visited<<<2, 32>>>(out.at, Until::a_while);
  if (is("visited_until_told") && right) visited<<<2, 32>>>(out.at, Until::told);
  if (is("written")) written<<<2, 32>>>(out.at, right);
  if (is("summed")) summed<<<2, 32>>>(out.at, right);
  if (is("sent") && right) sent<<<2, 32>>>(out.at);
  if (is("counted") && right) counted<<<2, 32>>>(out.at);
  if (is("not_begun")) not_begun<<<2, 32>>>(out.at, right);
  if (is("arrived_and_gone") && right) arrived_and_gone<<<2, threads>>>(out.at);
  if (is("told_too_late")) told_too_late<<<2, 32>>>(out.at, right, 0);
  if (is("told_by_luck")) told_too_late<<<2, 32>>>(out.at, right, 100);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
