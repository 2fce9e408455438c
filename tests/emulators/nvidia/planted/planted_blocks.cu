// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes with the order of accesses to memory between blocks: fences, and the flags and counters that they
// go with.
#include <cooperative_groups.h>

#include "planted.hpp"

namespace {

using planted::Memory;
using planted::threads;

__global__ void write(int* in) { in[threadIdx.x] = 1; }
__global__ void other_block(int* in, int* out, bool right) {
  if (blockIdx.x == 0 && !right) in[threadIdx.x] = 1;
  if (blockIdx.x == 1) out[threadIdx.x] = in[threadIdx.x];
}
__global__ void blocks_write(int* out, bool right) {
  if (threadIdx.x < 2) out[threadIdx.x * (threads - 1)] = right ? 4 : static_cast<int>(blockIdx.x);
}
enum class Flaw { none, no_release, no_acquire, block_scope, cluster_scope, plain_flag };
// Block 1 takes what block 0 left, as look-back does.
__device__ void take_what_is_left(int* data, int* flags, int* out, Flaw flaw) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 8;
    if (flaw == Flaw::block_scope)
      __threadfence_block();
    else if (flaw == Flaw::cluster_scope)
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
    else if (flaw != Flaw::no_release)
      __threadfence();
    if (flaw == Flaw::plain_flag)
      *flags = 1;
    else
      atomicExch(flags, 1);
    return;
  }
  while (atomicAdd(flags, 0) == 0) {
  }
  if (flaw == Flaw::cluster_scope)
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
  else if (flaw != Flaw::no_acquire)
    __threadfence();
  out[0] = out[threads - 1] = *data;
}
__global__ void look_back(int* data, int* flags, int* out, Flaw flaw) {
  take_what_is_left(data, flags, out, flaw);
}
__global__ void __cluster_dims__(2) look_back_in_cluster(int* data, int* flags, int* out, Flaw flaw) {
  take_what_is_left(data, flags, out, flaw);
}
// The same by instructions that release and acquire themselves.
__device__ void hand_over_in_cluster(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 8;
    asm volatile("st.release.cluster.global.b32 [%0], 1;" ::"l"(flag) : "memory");
    return;
  }
  int found = 0;
  while (found == 0)
    asm volatile("ld.acquire.cluster.global.b32 %0, [%1];" : "=r"(found) : "l"(flag) : "memory");
  out[0] = out[threads - 1] = *data;
}
__global__ void release_to_cluster(int* data, int* flag, int* out) { hand_over_in_cluster(data, flag, out); }
__global__ void __cluster_dims__(2) right_release_to_cluster_(int* data, int* flag, int* out) {
  hand_over_in_cluster(data, flag, out);
}
__global__ void right_release_acquire_(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 8;
    asm volatile("st.release.gpu.global.b32 [%0], 1;" ::"l"(flag) : "memory");
    return;
  }
  int found = 0;
  while (found == 0) asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(found) : "l"(flag) : "memory");
  out[0] = out[threads - 1] = *data;
}
// Between the two blocks of a cluster, whose fences are of its scope, a block of another one counts, and
// fences for all. The second block looks at the count once, behind that.
__global__ void __cluster_dims__(2) right_counted_between_(int* data, int* out) {
  int* const count = data + 1;
  int* const second = data + 2;
  const auto cluster_fence = [] { asm volatile("fence.acq_rel.cluster;" ::: "memory"); };
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 8;
    cluster_fence();
    atomicAdd(count, 1);
  } else if (blockIdx.x == 2) {
    while (atomicAdd(count, 0) == 0) {
    }
    __threadfence();
    atomicAdd(count, 1);
    atomicExch(second, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(second, 0) == 0) {
    }
    out[1] = atomicAdd(count, 0);
    cluster_fence();
    out[0] = out[threads - 1] = *data;
  }
}
enum class Fences { none, one, all };
// The block that comes last adds what all left.
__global__ void last_block(int* parts, unsigned* arrived, int* out, Fences fences) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (fences == Fences::all) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    if (fences == Fences::one) __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i * blockDim.x + threadIdx.x];
  out[threadIdx.x] = out[threadIdx.x + 32] = sum;
}
__global__ void grid(int* in, int* out, bool right) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  in[i] = static_cast<int>(i);
  if (right) cooperative_groups::this_grid().sync();
  out[i] = in[threads - 1 - i];
}
__global__ void __cluster_dims__(2) cluster(int* out, bool right) {
  __shared__ int tile[32];
  const auto group = cooperative_groups::this_cluster();
  group.sync();  // the other one has begun
  tile[threadIdx.x] = static_cast<int>(blockIdx.x);
  if (right) group.sync();
  const int* const other = group.map_shared_rank(tile, blockIdx.x ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];
  group.sync();  // nobody leaves while its memory is read
}
// As CUDA's guide and its headers begin such loops: with a plain read of what is compared.
__global__ void cas_loop(int* out) {
  int old = *out, assumed = 0;
  do {
    assumed = old;
    old = atomicCAS(out, assumed, assumed + 1);
  } while (assumed != old);
}
// What a thread frees, the next one gets.
__global__ void heap(int* out) {
  int* const mine = static_cast<int*>(malloc(sizeof(int)));
  *mine = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = *mine;
  free(mine);
}
// Groups of several warps keep barriers where shared memory is the system's.
__global__ void warps_together(int* out) {
  const auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
  if (tile.meta_group_rank() == 1) out[threads - 1 - tile.thread_rank()] = 1;
  tile.sync();
  if (tile.meta_group_rank() == 1) out[tile.thread_rank()] += 1;
}

void run(const char* name, Memory& in, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return planted::is_either(name, mistake, &right); };
  const auto flagged = [&](Flaw flaw) { look_back<<<2, 32>>>(in.at, in.at + 1, out.at, flaw); };
  const auto counted = [&](Fences fences) {
    Memory parts(1024);
    last_block<<<32, 32>>>(parts.at, reinterpret_cast<unsigned*>(in.at), out.at, fences);
    cudaDeviceSynchronize();
  };
  if (is("other_block")) {  // what one launch leaves, the next one may read
    if (right) write<<<1, threads>>>(in.at);
    other_block<<<2, threads>>>(in.at, out.at, right);
  }
  if (is("blocks_write")) blocks_write<<<2, threads>>>(out.at, right);
  if (is("look_back") && right) flagged(Flaw::none);
  if (is("look_back_without_release")) flagged(Flaw::no_release);
  if (is("look_back_without_acquire")) flagged(Flaw::no_acquire);
  if (is("look_back_block_scope")) flagged(Flaw::block_scope);
  if (is("look_back_cluster_scope")) {
    if (right)
      look_back_in_cluster<<<2, 32>>>(in.at, in.at + 1, out.at, Flaw::cluster_scope);
    else
      flagged(Flaw::cluster_scope);
  }
  if (is("release_to_cluster"))
    (right ? right_release_to_cluster_ : release_to_cluster)<<<2, 32>>>(in.at, in.at + 1, out.at);
  if (is("look_back_plain_flag")) flagged(Flaw::plain_flag);
  if (is("release_acquire") && right) right_release_acquire_<<<2, 32>>>(in.at, in.at + 1, out.at);
  if (is("counted_between") && right) right_counted_between_<<<4, 32>>>(in.at, out.at);
  if (is("last_block")) counted(right ? Fences::one : Fences::none);
  if (is("last_block_all_fence") && right) counted(Fences::all);
  if (is("cas_loop") && right) cas_loop<<<2, 32>>>(out.at);
  if (is("heap") && right) heap<<<1, threads>>>(out.at);
  if (is("warps_together") && right) warps_together<<<1, 2 * threads>>>(out.at);
  if (is("grid_not_cooperative") && !right) grid<<<2, 32>>>(in.at, out.at, true);
  if (is("grid")) {
    void* arguments[] = {&in.at, &out.at, &right};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&grid), 2, 32, arguments);
  }
  if (is("cluster")) cluster<<<2, 32>>>(out.at, right);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
