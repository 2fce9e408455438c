// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of many blocks, that have nothing to do with one another or much: `PROGRAM NAME` runs one and
// prints what CUDA then says and a digest of the memory. teams_test.py holds that, for any number of threads
// of the system, against what one of them makes.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>

#include "../planted/planted.hpp"

namespace {

using planted::Memory;
using planted::threads;

constexpr int blocks = 96, count = blocks * threads, rounds = 40;

__device__ unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
// Some work, that blocks run at the same time where they can.
__device__ int mixed(int value, int turns = rounds) {
  __shared__ int tile[threads];
  for (int round = 0; round < turns; ++round) {
    tile[threadIdx.x] = value;
    __syncthreads();
    value = value * 31 + tile[(threadIdx.x + round) % threads];
    __syncthreads();
  }
  return value;
}
__device__ int place() { return static_cast<int>(blockIdx.x * threads + threadIdx.x); }

__global__ void apart(const int* in, int* out) { out[place()] = mixed(in[place()] + place()); }
// As many stacks as a block can need.
__global__ void wide(const int* in, int* out) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int value = in[at] + at;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    value = value * 31 + round;
  }
  out[at] = value;
}

// Which warp wrote last.
__global__ void order_of_warps(int* out) {
  __shared__ volatile int last;
  int all = 0;
  for (int round = 0; round < 4 * rounds; ++round) {
    last = static_cast<int>(threadIdx.x / 32);
    __syncthreads();
    all = all * 31 + const_cast<const int&>(last);
    __syncthreads();
  }
  out[place()] = all;
}
// Sums whose last bits depend on it.
__global__ void sums_of_warps(float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int round = 0; round < 4 * rounds; ++round) {
    atomicAdd(&sum, 1.0f / static_cast<float>(place() + round + 1));
    if (round % rounds == 0) __syncthreads();
  }
  __syncthreads();
  out[place()] = sum;
}

// Every block does the same to one word, which is no race; and changes its own, which happens once.
__device__ int counts[count];
__global__ void same_value(int* out) {
  counts[place()] += 1 + mixed(0, 4);
  out[0] = 7;
  __syncthreads();
  out[threads + place()] = counts[place()];
}

__global__ void tickets(int* counter, int* out) {
  const int value = mixed(place(), 4);
  if (threadIdx.x == 0) out[1 + blockIdx.x] = atomicAdd(counter, 1) * 1000 + (value & 7);
}
__global__ void rounding(float* sum) {
  const int value = mixed(place(), 4);
  atomicAdd(sum, 1.0f / static_cast<float>((value & 1023) + 1));
}

__device__ void copy_to(int* tile, const int* from) {
  __shared__ alignas(8) unsigned long long barrier;
  asm volatile(
      "{ .reg .pred done;\n"
      "mbarrier.init.shared.b64 [%0], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], 16, [%0];\n"
      "again: mbarrier.try_wait.parity.shared.b64 done, [%0], 0;\n"
      "@!done bra again; }" ::"r"(shared_address(&barrier)),
      "r"(shared_address(tile)), "l"(from)
      : "memory");
}
// A copy of the asynchronous proxy, of which no race is seen, hands a number on from block to block.
__global__ void relay(int* out) {
  __shared__ alignas(16) int tile[4];
  if (threadIdx.x != 0) return;
  int* const mine = out + blockIdx.x * 4;
  copy_to(tile, mine);
  tile[0] += 1;
  asm volatile(
      "fence.proxy.async;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;\n"
      "cp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group 0;" ::"l"(mine + 4),
      "r"(shared_address(tile))
      : "memory");
}

// Who is waited for runs before.
__global__ void look_back(int* values, volatile int* flags, int* out) {
  const int value = mixed(1, 4) & 1;
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
    __threadfence();
    before = values[blockIdx.x - 1];
  }
  values[blockIdx.x] = before + value + 1;
  __threadfence();
  flags[blockIdx.x] = 1;
  out[blockIdx.x] = before;
}

// Mistakes: in which block; late is the first of two, and takes the longest.
__global__ void two_faults(int* out) {
  const int value = mixed(place(), blockIdx.x == 3 ? 400 : 2);
  if (blockIdx.x == 3 || blockIdx.x == 70) out[place() + (1 << 20) * static_cast<int>(blockIdx.x)] = value;
  out[place()] = value;
}
__global__ void neighbours(int* out) {
  const int value = mixed(place(), 4);
  out[place()] = value;
  if (blockIdx.x > 0) out[place()] += out[place() - threads];
}
// The second of two words of which others read the first; each is the block's own.
__global__ void race_in_a_block(int* out) {
  const int value = mixed(place(), 4);
  out[place()] = value;
  if (blockIdx.x == 50) out[place() ^ 1] = value + 1;
}
// What one block in the middle does alone: it reads words that its neighbours wrote before, or wrote too
// early or too late; all others write what nobody reads.
__device__ bool in_the_middle() { return blockIdx.x == gridDim.x / 2; }
__global__ void reads_a_neighbour(int* out) {
  const int value = mixed(place(), 4);
  out[place()] = value;
  __syncthreads();
  if (in_the_middle()) out[count + place()] += out[place() ^ 1];
}
__global__ void race_of_a_read(int* out) {
  const int value = mixed(place(), 4);
  out[place()] = value;
  if (in_the_middle()) out[count + place()] = out[place() ^ 1];
}
__global__ void race_after_a_read(int* in, int* out) {
  const int value = mixed(place(), 4);
  out[place()] = value + in[place() ^ 1];
  if (in_the_middle()) in[place()] = value;
}
__global__ void barrier_of_one(int* out) {
  const int value = mixed(place(), 4);
  if (blockIdx.x % 40 == 20 && threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  out[place()] = value;
}
__global__ void not_written(int* out) {
  __shared__ int tile[threads];
  const int value = mixed(place(), blockIdx.x == 5 ? 200 : 2);
  if (blockIdx.x < 5) tile[threadIdx.x] = value;
  __syncthreads();
  out[place()] = tile[threadIdx.x ^ 1];
}
__global__ void not_copied(const int* in, int* out) {
  __shared__ alignas(16) int tile[4];
  const int value = mixed(place(), 2);
  if (threadIdx.x != 0) return;
  if (blockIdx.x < 5) copy_to(tile, in);
  out[place()] = tile[0] + value;
}
__global__ void prints(int* out) {
  const int value = mixed(place(), 4);
  if (threadIdx.x == 0) printf("block %d says %d\n", static_cast<int>(blockIdx.x), value);
  out[place()] = value;
}
// Local memory that another block's thread had before: its bits are all ones.
__global__ void local_memory(const int* in, int* out) {
  int mine[32];
  for (int i = in[0] + 8; i < 32 - in[1]; ++i) mine[(i + in[2]) % 32] = place() + i;  // eight are not written
  out[place()] = mixed(mine[in[3] + threadIdx.x % 32], 4);
}
__global__ void __cluster_dims__(2, 1, 1) pairs(int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = place();
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  int theirs = 0;
  asm volatile(
      "{ .reg .u32 at, rank; mov.u32 rank, %%cluster_ctarank; xor.b32 rank, rank, 1;\n"
      "mapa.shared::cluster.u32 at, %1, rank; ld.shared::cluster.u32 %0, [at]; }"
      : "=r"(theirs)
      : "r"(shared_address(&tile[threadIdx.x]))
      : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  out[place()] = mixed(theirs, 4);
}

void run(const char* name, const Memory& in, const Memory& out) {
  const auto is = [&](const char* kernel) { return std::strcmp(name, kernel) == 0; };
  auto* const floats = reinterpret_cast<float*>(out.at);
  for (int time = 0; time < 2; ++time) {  // the second time, the first one is known
    if (is("apart")) apart<<<blocks, threads>>>(in.at, out.at);
    if (is("wide")) wide<<<count / 1024, 1024>>>(in.at, out.at);
    if (is("order_of_warps")) order_of_warps<<<blocks, threads>>>(out.at);
    if (is("sums_of_warps")) sums_of_warps<<<blocks, threads>>>(floats);
    if (is("same_value")) same_value<<<blocks, threads>>>(out.at);
    if (is("tickets")) tickets<<<blocks, threads>>>(in.at, out.at);
    if (is("rounding")) rounding<<<blocks, threads>>>(floats);
    if (is("relay")) relay<<<blocks, 32>>>(out.at);
    if (is("look_back")) look_back<<<blocks, threads>>>(in.at, in.at + blocks + time * blocks, out.at);
    if (is("two_faults")) two_faults<<<blocks, threads>>>(out.at);
    if (is("neighbours")) neighbours<<<blocks, threads>>>(out.at);
    if (is("race_in_a_block")) race_in_a_block<<<blocks, threads>>>(out.at);
    if (is("reads_a_neighbour")) reads_a_neighbour<<<blocks, threads>>>(out.at);
    if (is("race_of_a_read")) race_of_a_read<<<blocks, threads>>>(out.at);
    if (is("race_after_a_read")) race_after_a_read<<<blocks, threads>>>(in.at, out.at);
    if (is("alone_reads_a_neighbour")) reads_a_neighbour<<<1, threads>>>(out.at);
    if (is("alone_race_of_a_read")) race_of_a_read<<<1, threads>>>(out.at);
    if (is("alone_race_after_a_read")) race_after_a_read<<<1, threads>>>(in.at, out.at);
    if (is("barrier_of_one")) barrier_of_one<<<blocks, threads>>>(out.at);
    if (is("not_written")) not_written<<<blocks, threads>>>(out.at);
    if (is("not_copied")) not_copied<<<blocks, threads>>>(in.at, out.at);
    if (is("prints")) prints<<<blocks, threads>>>(out.at);
    if (is("local_memory")) local_memory<<<blocks, threads>>>(in.at, out.at);
    if (is("pairs")) pairs<<<blocks, threads>>>(out.at);
  }
}

int threads_now() {
  namespace fs = std::filesystem;
  return static_cast<int>(std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator()));
}

}  // namespace

int main(int arguments, char** values) {
  if (arguments != 2) return 2;
  Memory in(count), out(2 * count);
  run(values[1], in, out);
  // What was enqueued happens when somebody waits for it.
  int most = 0;
  bool done = false;
  std::thread watch;
  try {
    watch = std::thread([&] {
      while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
        const int now = threads_now() - 1;
        most = now > most ? now : most;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    });
  } catch (const std::system_error&) {  // a test forbids threads
  }
  const cudaError_t launched = cudaGetLastError(), waited = cudaDeviceSynchronize();
  __atomic_store_n(&done, true, __ATOMIC_RELEASE);
  if (watch.joinable()) watch.join();
  const cudaError_t status = launched != cudaSuccess ? launched : waited;
  std::printf("%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status));
  std::fprintf(stderr, "at most %d threads\n", most);
  static int memory[2 * count];
  if (status != cudaSuccess || cudaMemcpy(memory, out.at, out.bytes, cudaMemcpyDefault) != cudaSuccess)
    return 0;
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const int value : memory) digest = (digest ^ static_cast<unsigned>(value)) * 0x100000001b3;
  std::printf("%016llx %d %d\n", static_cast<unsigned long long>(digest), memory[0], memory[4 * blocks]);
}
