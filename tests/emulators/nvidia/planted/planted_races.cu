// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes with the order of accesses to memory within a block: data races, barriers, asynchronous copies.
#include <cooperative_groups.h>

#include "planted.hpp"

namespace {

using planted::Memory;
using planted::threads;
using Word = unsigned long long;

__device__ unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
__device__ int other_warps() { return static_cast<int>(threadIdx.x) ^ 32; }

// Within a block

__global__ void missing_syncthreads(int* out, bool right) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (right) __syncthreads();
  out[threadIdx.x] = tile[other_warps()];
}
// What is read may be overwritten by who goes round the loop first.
__global__ void missing_second_syncthreads(int* out, bool right) {
  __shared__ int tile[threads];
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = round;
    __syncthreads();
    sum += tile[other_warps()];
    if (right) __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void missing_syncwarp(int* out, bool right) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (right) __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
__global__ void warp_for_block(int* out, bool right) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (right)
    __syncthreads();
  else
    __syncwarp();
  out[threadIdx.x] = tile[other_warps()];
}
// Half a warp meets, and reads what the other half wrote.
__global__ void half_a_warp(int* out, bool right) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncwarp(threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u);
  out[threadIdx.x] = tile[threadIdx.x ^ (right ? 1 : 16)];
}
// A barrier of two warps, and a third that reads.
__global__ void barrier_of_others(int* out, bool right) {
  __shared__ int tile[96];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (right)
    asm volatile("bar.sync 1, 96;" ::: "memory");
  else if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = tile[threadIdx.x - 32];
}
// Warp 0 produces, warp 1 consumes; who only arrives has not waited.
__global__ void arrived_only(int* out, bool right) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = 7;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    return;
  }
  if (right)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  out[threadIdx.x] = out[threadIdx.x - 32] = *const_cast<volatile int*>(&tile[threadIdx.x - 32]);
}
__global__ void two_writers(int* out, bool right) {
  __shared__ int word;
  word = right ? 5 : static_cast<int>(threadIdx.x);  // the same value of all is well defined
  __syncthreads();
  out[threadIdx.x] = word;
}
// Who has written the same itself reads that.
__global__ void others_value(int* out, bool right) {
  __shared__ int word;
  const unsigned at = shared_address(&word);
  if (right || threadIdx.x % 2 == 0) asm volatile("st.shared.u32 [%0], 5;" ::"r"(at) : "memory");
  int found;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(found) : "r"(at) : "memory");
  out[threadIdx.x] = found;
}
__global__ void plain_counter(int* out, bool right) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (right)
    atomicAdd(&count, 1);
  else
    ++count;
  __syncthreads();
  out[threadIdx.x] = count;
}
__global__ void counter_read_early(int* out, bool right) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  if (right) __syncthreads();
  out[threadIdx.x] = count;
}
__global__ void bytes_of_a_word(int* out, bool right) {
  __shared__ unsigned char tile[threads];
  tile[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  if (right) __syncthreads();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}
// Warp 0 writes a byte of each word, warp 1 the next one: two last writes in a word. Warp 2 waits for warp 1
// alone, and reads what warp 0 wrote.
__global__ void bytes_by_turns(int* out, bool right) {
  __shared__ unsigned char tile[32][4];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp < 2) tile[lane][warp] = static_cast<unsigned char>(1 + warp);
  if (right)
    asm volatile("bar.sync 1, 96;" ::: "memory");
  else if (warp > 0)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  if (warp == 2) out[lane] = out[lane + 32] = tile[lane][0];
  asm volatile("bar.sync 2, 96;" ::: "memory");  // warp 0 has not ended before
}
// Warps 0 and 1 write the same half of each word, with the same value; warp 2 another byte, and tells warp 1,
// which then reads what it wrote itself.
__global__ void right_same_half_(int* out) {
  __shared__ alignas(4) unsigned char tile[32][4];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, at = shared_address(tile[lane]);
  if (warp < 2) asm volatile("st.shared.u16 [%0], 5;" ::"r"(at) : "memory");
  if (warp == 2) asm volatile("st.shared.u8 [%0], 1;" ::"r"(at + 2) : "memory");
  if (warp > 0) asm volatile("bar.sync 1, 64;" ::: "memory");
  unsigned short found = 0;
  if (warp == 1) asm volatile("ld.shared.u16 %0, [%1];" : "=h"(found) : "r"(at) : "memory");
  if (warp == 1) out[lane] = out[lane + 32] = found;
  asm volatile("bar.sync 2, 96;" ::: "memory");  // warp 0 has not ended before
}
__global__ void matrix_rows(int* out, bool right) {
  __shared__ alignas(16) int tile[32];
  if (threadIdx.x >= 32) return;
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (right) __syncwarp();
  int value = 0;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(value)
               : "r"(shared_address(&tile[threadIdx.x % 8 * 4]))
               : "memory");
  out[threadIdx.x] = out[threadIdx.x + 32] = value;
}
// A flag between warps: it says that the data is there, if a fence stands before it and behind it.
__global__ void flag_in_a_block(int* out, bool right) {
  __shared__ int data;
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = static_cast<int>(blockDim.x);
    if (right) __threadfence_block();
    atomicExch(&flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    out[0] = out[threads - 1] = data;
  }
}
// What all lanes have read, and met since, one of them may write.
__global__ void shuffled(int* out, bool right) {
  __shared__ int word;
  if (threadIdx.x >= 32) return;
  if (threadIdx.x == 0) word = 2;
  __syncwarp();
  int sum = word;
  if (right)
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) word = sum + 1;
  __syncwarp();
  out[threadIdx.x] = out[threadIdx.x + 32] = word;
}
// Threads that have left count as arrived.
__global__ void right_early_exit_(int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = 3;
  if (threadIdx.x >= 32) return;
  __syncthreads();
  out[threadIdx.x] = out[threadIdx.x + 32] = tile[other_warps()];
}
__global__ void right_tiles_(int* out) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  __shared__ int words[threads];
  words[threadIdx.x] = 1;
  tile.sync();
  int sum = 0;
  for (unsigned i = 0; i < tile.size(); ++i) sum += words[threadIdx.x / 8 * 8 + i];
  out[threadIdx.x] = sum + __syncthreads_count(sum == 8);
}

// Asynchronous copies

__device__ void copy_async(int* to, const int* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.commit_group;" ::"r"(shared_address(to)),
               "l"(from)
               : "memory");
}
__device__ void wait_for_copies() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

// A thread waits for its own copies only.
__global__ void others_copies(const int* in, int* out, bool right) {
  __shared__ int tile[threads];
  copy_async(&tile[threadIdx.x], in + threadIdx.x);
  wait_for_copies();
  if (right) __syncthreads();
  out[threadIdx.x] = tile[other_warps()];
}
// The next copy begins while others still read.
__global__ void copy_too_early(const int* in, int* out, bool right) {
  __shared__ int tile[threads];
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    copy_async(&tile[threadIdx.x], in + threadIdx.x);
    wait_for_copies();
    __syncthreads();
    sum += tile[other_warps()];
    if (right) __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void right_two_buffers_(const int* in, int* out) {
  __shared__ int tiles[2][threads];
  int sum = 0;
  copy_async(&tiles[0][threadIdx.x], in + threadIdx.x);
  for (int round = 0; round < 4; ++round) {
    wait_for_copies();
    __syncthreads();
    if (round < 3) copy_async(&tiles[(round + 1) % 2][threadIdx.x], in + threadIdx.x);
    sum += tiles[round % 2][other_warps()];
  }
  out[threadIdx.x] = sum;
}
// Warp 0 produces and arrives, warp 1 waits for the phase and consumes.
__global__ void phase_not_waited_for(int* out, bool right) {
  __shared__ alignas(8) Word barrier;
  __shared__ int tile[32];
  const unsigned at = shared_address(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at) : "memory");
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = 6;
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
    return;
  }
  if (right)
    asm volatile(
        "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(at)
        : "memory");
  out[threadIdx.x] = out[threadIdx.x - 32] = tile[threadIdx.x - 32];
}

void run(const char* name, Memory& in, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return planted::is_either(name, mistake, &right); };
  if (is("missing_syncthreads")) missing_syncthreads<<<1, threads>>>(out.at, right);
  if (is("missing_second_syncthreads")) missing_second_syncthreads<<<1, threads>>>(out.at, right);
  if (is("missing_syncwarp")) missing_syncwarp<<<1, threads>>>(out.at, right);
  if (is("warp_for_block")) warp_for_block<<<1, threads>>>(out.at, right);
  if (is("half_a_warp")) half_a_warp<<<1, threads>>>(out.at, right);
  if (is("barrier_of_others")) barrier_of_others<<<1, 96>>>(out.at, right);
  if (is("arrived_only")) arrived_only<<<1, threads>>>(out.at, right);
  if (is("two_writers")) two_writers<<<1, threads>>>(out.at, right);
  if (is("others_value")) others_value<<<1, threads>>>(out.at, right);
  if (is("plain_counter")) plain_counter<<<1, threads>>>(out.at, right);
  if (is("counter_read_early")) counter_read_early<<<1, threads>>>(out.at, right);
  if (is("bytes_of_a_word")) bytes_of_a_word<<<1, threads>>>(out.at, right);
  if (is("bytes_by_turns")) bytes_by_turns<<<1, 96>>>(out.at, right);
  if (is("same_half") && right) right_same_half_<<<1, 96>>>(out.at);
  if (is("matrix_rows")) matrix_rows<<<1, threads>>>(out.at, right);
  if (is("flag_in_a_block")) flag_in_a_block<<<1, threads>>>(out.at, right);
  if (is("shuffled")) shuffled<<<1, threads>>>(out.at, right);
  if (is("early_exit") && right) right_early_exit_<<<1, threads>>>(out.at);
  if (is("tiles") && right) right_tiles_<<<1, threads>>>(out.at);
  if (is("others_copies")) others_copies<<<1, threads>>>(in.at, out.at, right);
  if (is("copy_too_early")) copy_too_early<<<1, threads>>>(in.at, out.at, right);
  if (is("two_buffers") && right) right_two_buffers_<<<1, threads>>>(in.at, out.at);
  if (is("phase_not_waited_for")) phase_not_waited_for<<<1, threads>>>(out.at, right);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
