// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes around groups that a thread waits for itself, of cp.async and wgmma, and pipelines that are right.
#include "planted_copies.hpp"

namespace {

using namespace planted;

__device__ void copy(int* to, const int* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int pending>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}
__device__ int mirrored() { return threads - 1 - static_cast<int>(threadIdx.x); }

// A barrier is no wait for a copy.
__global__ void barrier_alone(const int* in, int* out, bool right) {
  __shared__ int tile[threads];
  copy(&tile[threadIdx.x], in + threadIdx.x);
  commit();
  if (right) wait<0>();
  __syncthreads();
  out[threadIdx.x] = tile[mirrored()];
  __syncthreads();
  wait<0>();
}
// The copy is in no group: the wait is for groups.
__global__ void not_committed(const int* in, int* out, bool right) {
  __shared__ int tile[threads];
  copy(&tile[threadIdx.x], in + threadIdx.x);
  if (right) commit();
  wait<0>();
  __syncthreads();
  out[threadIdx.x] = tile[mirrored()];
}
// The second of two groups is read when the first one has come.
__global__ void one_of_two(const int* in, int* out, bool right) {
  __shared__ int tiles[2][threads];
  for (auto& tile : tiles) {
    copy(&tile[threadIdx.x], in + threadIdx.x);
    commit();
  }
  if (right)
    wait<0>();
  else
    wait<1>();
  __syncthreads();
  out[threadIdx.x] = tiles[1][mirrored()];
}
// The thread changes what its copy is about to write.
__global__ void written_over(const int* in, int* out, bool right) {
  __shared__ int tile[threads];
  copy(&tile[threadIdx.x], in + threadIdx.x);
  commit();
  if (right) wait<0>();
  tile[threadIdx.x] = 8;
  wait<0>();
  out[threadIdx.x] = tile[threadIdx.x];
}
// Producers end without a wait.
__global__ void ended(const int* in, int* out, bool right) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    copy(&tile[threadIdx.x], in + threadIdx.x);
    commit();
    if (right) wait<0>();
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    return;
  }
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = out[threadIdx.x - 32] = tile[threadIdx.x - 32];
}
enum class At { right, barrier, both };
// The copies count at an mbarrier, and it is not that which the readers wait for. `both`: the copying threads
// wait for their own, too, and then for one another.
__global__ void at_mbarrier(const int* in, int* out, At how) {
  __shared__ int tile[threads];
  __shared__ Word barrier;
  begin(&barrier, threads);
  copy(&tile[threadIdx.x], in + threadIdx.x);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
  if (how == At::both) asm volatile("cp.async.wait_all;" ::: "memory");
  if (how == At::right)
    await(&barrier, 0);
  else
    __syncthreads();
  out[threadIdx.x] = tile[mirrored()];
}

// What happens to wgmma.mma_async's accumulator before the product is made; `operand`: not to that, but to B,
// which is told by the result alone, where the product happens late; `fragment`: to the register that holds
// A.
enum class Early { read, copied, written, operand, fragment };
__global__ void multiplied(int* out, Early early, bool right) {
  __shared__ alignas(1024) unsigned short elements[128 + 1024];
  for (unsigned i = threadIdx.x; i < 128 + 1024; i += group) elements[i] = 0x3c00;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const Word b = static_cast<Word>(shared_address(elements) >> 4) | 8ull << 16 | 16ull << 32;
  float d[4] = {1, 1, 1, 1}, seen = 0;
  asm volatile(
      "{ .reg .pred p, q; .reg .f32 copy; .reg .b32 fragment; mov.b32 fragment, %5; setp.ne.s32 p, %7, 0; "
      "setp.ge.s32 q, %8, 2; "
      "wgmma.fence.sync.aligned;"
      "  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {fragment, fragment, "
      "fragment, fragment}, %6, 1, 1, 1, "
      "0;"
      "  wgmma.commit_group.sync.aligned; @p wgmma.wait_group.sync.aligned 0; @q bra BEHIND;"
      "  mov.f32 copy, %0; setp.eq.s32 q, %8, 1; @q bra COPIED; add.f32 %4, %0, 0f00000000; bra BEHIND;"
      "  COPIED: add.f32 %4, copy, 0f00000000;"
      "  BEHIND: setp.eq.s32 q, %8, 2; @q add.f32 %1, %4, 0f3F800000;"
      "  setp.eq.s32 q, %8, 4; @q mov.b32 fragment, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(seen)
      : "r"(0x3c003c00), "l"(b), "r"(static_cast<int>(right)), "r"(static_cast<int>(early))
      : "memory");
  if (early == Early::operand) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 128; i += group) elements[i] = 0;
    __syncthreads();
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  if (threadIdx.x < threads)
    out[threadIdx.x] = static_cast<int>(early >= Early::operand   ? d[0]
                                        : early == Early::written ? d[1]
                                                                  : seen);
}

// A product adds to registers of which the first was not written before: told by the result, in which each
// bit of it is one.
__global__ void begun(int* out, bool right) {
  __shared__ alignas(1024) unsigned char elements[256];
  for (unsigned i = threadIdx.x; i < sizeof elements; i += group) elements[i] = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const Word b = static_cast<Word>(shared_address(elements) >> 4) | 8ull << 16 | 16ull << 32;
  int sum = 0;
  asm volatile(
      "{ .reg .pred p; .reg .b32 d<4>; setp.ne.s32 p, %3, 0; @p mov.b32 d0, 0; mov.b32 d1, 0; mov.b32 d2, 0;"
      "  mov.b32 d3, 0; wgmma.fence.sync.aligned;"
      "  wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {d0, d1, d2, d3}, {%1, %1, %1, %1}, %2, 1;"
      "  wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; mov.b32 %0, d0; }"
      : "=r"(sum)
      : "r"(0x01010101), "l"(b), "r"(static_cast<int>(right))
      : "memory");
  if (threadIdx.x < threads) out[threadIdx.x] = sum;
}

// Two stages, of which one is read while the other is brought: by cp.async ...
__global__ void right_stages_(const int* in, int* out) {
  __shared__ int tiles[3][threads];
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    copy(&tiles[round][threadIdx.x], in + threadIdx.x);
    commit();
  }
  for (int round = 0; round < 7; ++round) {
    wait<1>();
    __syncthreads();
    if (round < 5) copy(&tiles[(round + 2) % 3][threadIdx.x], in + threadIdx.x);
    commit();
    sum += tiles[round % 3][mirrored()] + 1;
  }
  out[threadIdx.x] = sum;
}
// ... or by a thread of a warp that does nothing else, and mbarriers both ways ...
__global__ void right_pipeline_(const int* in, int* out) {
  __shared__ alignas(16) int tiles[2][threads];
  __shared__ Word full[2], empty[2];
  for (int i = 0; i < 2; ++i) {
    begin(&full[i], 1);
    begin(&empty[i], threads);
  }
  if (threadIdx.x >= threads) {  // who brings
    for (unsigned round = 0; threadIdx.x == threads && round < 6; ++round) {
      const unsigned stage = round % 2;
      await(&empty[stage], (round / 2 & 1) ^ 1);
      expect(&full[stage], tile_bytes);
      load(tiles[stage], in, tile_bytes, &full[stage]);
    }
    return;
  }
  int sum = 0;
  for (unsigned round = 0; round < 6; ++round) {
    const unsigned stage = round % 2;
    await(&full[stage], round / 2 & 1);
    sum += tiles[stage][mirrored()] + 1;
    arrive(&empty[stage]);
  }
  out[threadIdx.x] = sum;
}
// ... or by cp.async that counts at mbarriers, with stores of what came out.
__global__ void right_copied_through_(const int* in, int* out) {
  __shared__ alignas(16) int tiles[2][threads];
  __shared__ alignas(16) int made[2][threads];
  __shared__ Word full[2];
  for (auto& barrier : full) begin(&barrier, threads);
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned stage = round % 2;
    copy(&tiles[stage][threadIdx.x], in + threadIdx.x);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&full[stage]))
                 : "memory");
    await(&full[stage], round / 2 & 1);
    if (threadIdx.x == 0) wait_read<1>();
    __syncthreads();
    made[stage][threadIdx.x] = tiles[stage][mirrored()] + static_cast<int>(round);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) store(out, made[stage], tile_bytes);
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

void run(const char* name, Memory& in, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return is_either(name, mistake, &right); };
  if (is("barrier_alone")) barrier_alone<<<1, threads>>>(in.at, out.at, right);
  if (is("not_committed")) not_committed<<<1, threads>>>(in.at, out.at, right);
  if (is("one_of_two_groups")) one_of_two<<<1, threads>>>(in.at, out.at, right);
  if (is("written_over")) written_over<<<1, threads>>>(in.at, out.at, right);
  if (is("ended_without_wait")) ended<<<1, threads>>>(in.at, out.at, right);
  if (is("copies_at_mbarrier")) at_mbarrier<<<1, threads>>>(in.at, out.at, right ? At::right : At::barrier);
  if (is("copies_at_both") && right) at_mbarrier<<<1, threads>>>(in.at, out.at, At::both);
  if (is("wgmma_looked_at")) multiplied<<<1, group>>>(out.at, Early::read, right);
  if (is("wgmma_copied")) multiplied<<<1, group>>>(out.at, Early::copied, right);
  if (is("wgmma_written_over")) multiplied<<<1, group>>>(out.at, Early::written, right);
  if (is("wgmma_operand_changed")) multiplied<<<1, group>>>(out.at, Early::operand, right);
  if (is("wgmma_fragment_changed")) multiplied<<<1, group>>>(out.at, Early::fragment, right);
  if (is("wgmma_begun")) begun<<<1, group>>>(out.at, right);
  if (is("stages") && right) right_stages_<<<1, threads>>>(in.at, out.at);
  if (is("pipeline") && right) right_pipeline_<<<1, threads + 32>>>(in.at, out.at);
  if (is("copied_through") && right) right_copied_through_<<<1, threads>>>(in.at, out.at);
}

}  // namespace

int main(int count, char** arguments) { return say_what_happens(count, arguments, run); }
