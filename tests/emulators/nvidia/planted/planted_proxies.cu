// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes between the generic and the asynchronous proxy: threads write shared memory, and a bulk copy or
// wgmma reads it, or a bulk copy overwrites it.
#include "planted_copies.hpp"

namespace {

using planted::group;
using planted::Memory;
using planted::product;
using planted::shared_address;
using planted::threads;

__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ void copy(int* out, const int* tile) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group; "
      "cp.async.bulk.wait_group 0;" ::"l"(out),
      "r"(shared_address(tile)), "n"(threads * sizeof(int))
      : "memory");
}

enum class Fence { of_all, of_copier, none, too_early, before_barrier, of_global };

__global__ void fenced(int* out, Fence how) {
  __shared__ alignas(16) int tile[threads];
  if (how == Fence::too_early) fence();
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (how == Fence::of_all || (how == Fence::before_barrier && threadIdx.x == 0)) fence();
  if (how == Fence::of_global) asm volatile("fence.proxy.async.global;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (how == Fence::of_copier) fence();
  copy(out, tile);
}

// The second round writes again, behind the fence of the first.
__global__ void second_round(int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = static_cast<int>(threadIdx.x) + round;
    if (right || round == 0) fence();
    __syncthreads();
    if (threadIdx.x == 0) copy(out, tile);
    __syncthreads();
  }
}

// Two warps write halves of each word, and only the second one fences.
template <class Fenced>
__device__ void write_halves(unsigned short* halves, bool right, Fenced fenced) {
  const unsigned warp = threadIdx.x / 32;
  halves[2 * (threadIdx.x % 32) + warp] = warp == 0 ? 3 : 0;
  if (right || warp == 1) fenced();
  __syncthreads();
}
__global__ void of_halves(int* out, bool right) {
  __shared__ alignas(16) unsigned short tile[2 * threads];
  write_halves(tile, right, [] { fence(); });
  if (threadIdx.x == 0) planted::store(out, reinterpret_cast<const int*>(tile), 128);
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  if (threadIdx.x == 1) out[threads - 1] = 3;
}

// Each warp its own half, without a barrier of the block.
__global__ void of_warps(int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (right) fence();
  __syncwarp();
  const unsigned first = threadIdx.x / 32 * 32;
  if (threadIdx.x == first)
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128; cp.async.bulk.commit_group; "
        "cp.async.bulk.wait_group 0;" ::"l"(out + first),
        "r"(shared_address(tile + first))
        : "memory");
}

// The copying thread waits for the others at an mbarrier, where they arrive by themselves or when their
// copies, of which there are none, are done. A fence behind such an arrival comes too late, whenever it
// happens.
__global__ void at_mbarrier(int* out, bool right, bool of_copies) {
  __shared__ alignas(16) int tile[threads];
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = shared_address(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "n"(threads) : "memory");
  __syncthreads();
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (right) fence();
  if (of_copies)
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  else
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
  if (of_copies) fence();
  if (threadIdx.x != 0) return;
  asm volatile(
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(at)
      : "memory");
  copy(out, tile);
}

// What a bulk copy brought needs no fence; what a thread then changes does.
__global__ void brought(const int* in, int* out, bool changes, bool fences) {
  __shared__ alignas(16) int tile[threads];
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = shared_address(&barrier);
  if (threadIdx.x != 0) return;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
  asm volatile(
      "{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], 256; }\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], 256, [%0];\n"
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(at),
      "r"(shared_address(tile)), "l"(in)
      : "memory");
  if (changes) tile[threads - 1] = 7;
  if (fences) fence();
  copy(out, tile);
}

// A bulk copy overwrites what threads wrote.
__global__ void overwritten(const int* in, int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = shared_address(&barrier);
  tile[threadIdx.x] = 5;
  if (right) fence();
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], 256; }\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], 256, [%0];" ::"r"(at),
        "r"(shared_address(tile)), "l"(in)
        : "memory");
  asm volatile(
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(at)
      : "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}

__device__ void fill(unsigned short* elements, unsigned short value) {
  for (unsigned i = threadIdx.x; i < 128 + 1024; i += group) elements[i] = value;
}

// A and B are written by all threads. Fenced by the first one alone it must know of the others' writes.
template <bool registers>
__global__ void multiplied(int* out, Fence how) {
  __shared__ alignas(1024) unsigned short elements[128 + 1024];
  if (how == Fence::too_early) fence();
  fill(elements, 0x3c00);
  if (how == Fence::of_all || (how == Fence::before_barrier && threadIdx.x == 0)) fence();
  __syncthreads();
  if (how == Fence::of_copier) {
    if (threadIdx.x == 0) fence();
    __syncthreads();
  }
  const float sum = product(shared_address(elements), registers, 0);
  if (threadIdx.x < threads) out[threadIdx.x] = static_cast<int>(sum);
}

// One element is changed between two products.
__global__ void changed(int* out, bool right) {
  __shared__ alignas(1024) unsigned short elements[128 + 1024];
  fill(elements, 0x3c00);
  fence();
  __syncthreads();
  float sum = product(shared_address(elements), false, 0);
  __syncthreads();
  if (threadIdx.x == 77) elements[0] = 0x4000;
  if (right) fence();
  __syncthreads();
  sum = product(shared_address(elements), false, sum);
  if (threadIdx.x < threads) out[threadIdx.x] = static_cast<int>(sum);
}

// Copied by cp.async, behind which kernels have no such fence.
__global__ void copied(const int* in, int* out) {
  __shared__ alignas(1024) unsigned short elements[128 + 1024];
  fill(elements, 0x3c00);
  fence();
  __syncthreads();
  if (threadIdx.x < 16)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16; cp.async.wait_all;" ::"r"(
                     shared_address(elements) + 16 * threadIdx.x),
                 "l"(in)
                 : "memory");
  __syncthreads();
  const float sum = product(shared_address(elements), false, 3);
  if (threadIdx.x < threads) out[threadIdx.x] = static_cast<int>(sum);
}

enum class GlobalFence { of_writers, of_global, of_copier, none, of_shared, too_early };
__device__ void fence_global() { asm volatile("fence.proxy.async.global;" ::: "memory"); }

__global__ void of_global_halves(int* in, int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  __shared__ planted::Word barrier;
  write_halves(reinterpret_cast<unsigned short*>(in), right, [] { fence_global(); });
  planted::begin(&barrier, 1);
  if (threadIdx.x != 0) return;
  planted::expect(&barrier, 128);
  planted::load(tile, in, 128, &barrier);
  planted::await(&barrier, 0);
  out[0] = out[threads - 1] = tile[0];
}

// Threads write global memory, and a bulk copy brings it. `second`: the first block writes and tells the
// second one, which copies.
__global__ void from_global(int* in, int* out, GlobalFence how, bool second, bool synchronises) {
  __shared__ alignas(16) int tile[threads];
  __shared__ planted::Word barrier;
  int* const flag = in + threads - 1;
  planted::begin(&barrier, 1);
  if (!second || blockIdx.x == 0) {
    if (how == GlobalFence::too_early) fence_global();
    if (threadIdx.x < threads - 4) in[threadIdx.x] = 3;
    if (how == GlobalFence::of_writers) asm volatile("fence.proxy.async;" ::: "memory");
    if (how == GlobalFence::of_global) fence_global();
    if (how == GlobalFence::of_shared) fence();
    if (synchronises) __syncthreads();
  }
  if (threadIdx.x != 0) return;
  if (second && blockIdx.x == 0) {
    __threadfence();
    atomicExch(flag, 1);
    return;
  }
  if (second) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
  }
  if (how == GlobalFence::of_copier) fence_global();
  planted::expect(&barrier, 128);
  planted::load(tile, in, 128, &barrier);
  planted::await(&barrier, 0);
  out[0] = out[threads - 1] = tile[0];
}

void run(const char* name, Memory& in, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return planted::is_either(name, mistake, &right); };
  if (is("missing_proxy_fence")) fenced<<<1, threads>>>(out.at, right ? Fence::of_all : Fence::none);
  if (is("proxy_fence_too_early"))
    fenced<<<1, threads>>>(out.at, right ? Fence::of_copier : Fence::too_early);
  if (is("proxy_fence_of_one") && !right) fenced<<<1, threads>>>(out.at, Fence::before_barrier);
  if (is("proxy_fence_of_global") && !right) fenced<<<1, threads>>>(out.at, Fence::of_global);
  if (is("proxy_fence_second_round")) second_round<<<1, threads>>>(out.at, right);
  if (is("proxy_fence_of_halves")) of_halves<<<1, threads>>>(out.at, right);
  if (is("global_fence_of_halves")) of_global_halves<<<1, threads>>>(in.at, out.at, right);
  if (is("proxy_fence_of_warps")) of_warps<<<1, threads>>>(out.at, right);
  if (is("proxy_fence_at_mbarrier")) at_mbarrier<<<1, threads>>>(out.at, right, false);
  if (is("proxy_fence_after_arrival")) at_mbarrier<<<1, threads>>>(out.at, right, true);
  if (is("proxy_fence_after_change")) brought<<<1, threads>>>(in.at, out.at, true, right);
  if (is("overwritten_by_copy")) overwritten<<<1, threads>>>(in.at, out.at, right);
  if (is("wgmma_without_fence")) multiplied<false><<<1, group>>>(out.at, right ? Fence::of_all : Fence::none);
  if (is("wgmma_fence_too_early"))
    multiplied<false><<<1, group>>>(out.at, right ? Fence::of_copier : Fence::too_early);
  if (is("wgmma_fence_of_one") && !right) multiplied<false><<<1, group>>>(out.at, Fence::before_barrier);
  if (is("wgmma_registers")) multiplied<true><<<1, group>>>(out.at, right ? Fence::of_all : Fence::none);
  if (is("wgmma_after_change")) changed<<<1, group>>>(out.at, right);
  if (is("wgmma_after_cp_async") && right) copied<<<1, group>>>(in.at, out.at);
  const auto global = [&](GlobalFence how, bool second = false, bool synchronises = true) {
    from_global<<<second ? 2 : 1, threads>>>(in.at, out.at, how, second, synchronises);
  };
  if (is("global_without_fence")) global(right ? GlobalFence::of_writers : GlobalFence::none);
  if (is("global_fence_too_early")) global(right ? GlobalFence::of_global : GlobalFence::too_early);
  if (is("global_fence_of_shared")) global(right ? GlobalFence::of_copier : GlobalFence::of_shared);
  if (is("global_of_another_block")) global(right ? GlobalFence::of_copier : GlobalFence::none, true);
  if (is("global_fence_of_other_block") && right) global(GlobalFence::of_global, true);
  if (is("global_without_barrier") && !right) global(GlobalFence::of_writers, false, false);
  if (is("brought_by_copy") && right) brought<<<1, threads>>>(in.at, out.at, false, false);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
