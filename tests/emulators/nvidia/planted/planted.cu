// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes with addresses, barriers, warps, launches.
#include <cassert>

#include "planted.hpp"

namespace {

using planted::Memory;
using planted::threads;

__global__ void global_read(const int* in, int* out, int ahead) { *out = in[threadIdx.x + ahead]; }
__global__ void global_write(int* out, int n) { out[threadIdx.x + n - threads + 1] = 1; }
__global__ void misaligned(int* out) { *reinterpret_cast<int*>(reinterpret_cast<char*>(out) + 2) = 1; }
__global__ void null_pointer(int** pointers) { *pointers[0] = 1; }
__global__ void shared_overrun(int* out, int at) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x + at] = 1;
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x];
}
// Of an array of its own, which the compiler cannot keep in registers: `at` is 15 where it is right.
struct Table {
  int of[16];
};
__device__ void fill(Table& table, int seed) {
  for (int i = 0; i < 16; ++i) table.of[i] = i * seed;
}
__global__ void local_read(int* out, int at) {
  Table table;
  fill(table, at);
  out[threadIdx.x] = table.of[at];
}
__global__ void local_write(int* out, int at) {
  Table table;
  fill(table, at);
  table.of[at] = 7;
  out[threadIdx.x] = table.of[threadIdx.x % 16];
}
__global__ void local_misaligned(int* out, int bytes) {
  Table table;
  fill(table, bytes);
  out[threadIdx.x] = *reinterpret_cast<int*>(reinterpret_cast<char*>(table.of) + bytes);
}
__device__ __noinline__ int element(const Table* table, int at) { return table->of[at]; }
__device__ __noinline__ void set_element(Table* table, int at) { table->of[at] = 7; }
__device__ __noinline__ int element_beside_own(const Table* table, int at) {
  Table own;
  fill(own, at);
  return element(table, at) + element(&own, 0);
}
__device__ __noinline__ int element_of_copy(Table table, int at) { return table.of[at]; }
__global__ void local_passed_read(int* out, int at) {
  Table table;
  fill(table, at);
  out[threadIdx.x] = element(&table, at);
}
__global__ void local_passed_write(int* out, int at) {
  Table table;
  fill(table, at);
  set_element(&table, at);
  out[threadIdx.x] = table.of[threadIdx.x % 16];
}
__global__ void local_passed_twice(int* out, int at) {
  Table table;
  fill(table, at);
  out[threadIdx.x] = element_beside_own(&table, at);
}
__global__ void local_copied(int* out, int at) {
  Table table;
  fill(table, at);
  out[threadIdx.x] = element_of_copy(table, at);
}
__global__ void parameter_read(int* out, int at, const __grid_constant__ Table table) {
  out[threadIdx.x] = table.of[at];
}
__global__ void parameter_passed(int* out, int at, const __grid_constant__ Table table) {
  out[threadIdx.x] = element(&table, at);
}
__device__ int counts[16];
__device__ int behind_counts[16];  // or before it
__constant__ int factors[16];
__constant__ int beside_factors[16];
__global__ void variable_read(int* out, int at) {
  behind_counts[threadIdx.x % 16] = 2;
  out[threadIdx.x] = counts[at];
}
__global__ void variable_write(int* out, int at) {
  counts[at] = behind_counts[15] + 3;
  out[threadIdx.x] = 3;
}
__global__ void constant_read(int* out, int at) { out[threadIdx.x] = factors[at] + beside_factors[at % 16]; }
// Half a warp at one barrier, half at another one of the same number.
__global__ void barrier_apart(int* out, bool right) {
  if (threadIdx.x % 32 < 16) {
    if (right)
      asm volatile("barrier.sync 1;" ::: "memory");
    else
      asm volatile("bar.sync 1;" ::: "memory");
    out[threadIdx.x] = 1;
  } else {
    if (right)
      asm volatile("barrier.sync 1;" ::: "memory");
    else
      asm volatile("bar.sync 1;" ::: "memory");
    out[threadIdx.x] = 2;
  }
}
// Half a warp at one barrier, half at the other.
__global__ void barrier_halves(int* out) {
  asm volatile("bar.sync %0, 64;" ::"r"(threadIdx.x % 32 < 16 ? 1 : 2) : "memory");
  asm volatile("bar.sync %0, 64;" ::"r"(threadIdx.x % 32 < 16 ? 2 : 1) : "memory");
  out[threadIdx.x] = 1;
}
// Barriers count warps, however many of their threads there are.
__global__ void part_of_a_warp(int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (threadIdx.x >= 40) return;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = tile[39 - threadIdx.x];
  if (threadIdx.x == 0) out[threads - 1] = 1;
}
// Threads that leave a loop one by one. Where nvcc unrolls it, lanes of a warp are at two copies of the
// barrier, and an H200 waits for ever; where it does not, it does not.
template <int copies>
__device__ void leave_one_by_one(int* out, int count) {
  int own = 0;
#pragma unroll copies
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) {
    own += 1;
    out[threadIdx.x] = own;
    __syncthreads();
  }
}
__global__ void barrier_unrolled(int* out, int count) { leave_one_by_one<4>(out, count); }
__global__ void barrier_not_unrolled(int* out, int count) { leave_one_by_one<1>(out, count); }
// Warps may: what counts is the barrier's number.
__global__ void warps_apart(int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = 7;
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 1, 64; // elsewhere" ::: "memory");
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}
__global__ void barrier_count(int* out) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;");
  else
    asm volatile("bar.sync 1, 32;");
  out[threadIdx.x] = 1;
}
__global__ void barrier_twice(int* out) {
  asm volatile("bar.arrive 1, 128;");
  asm volatile("bar.sync 1, 128;");
  out[threadIdx.x] = 1;
}
__global__ void deadlock(int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");
  asm volatile("bar.sync 2, 64;");
  out[threadIdx.x] = 1;
}
// Two warps, and two barriers for both.
__global__ void barriers_crossed(int* out, bool right) {
  const bool swapped = !right && threadIdx.x >= 32;
  asm volatile("bar.sync %0, 64;" ::"r"(swapped ? 2 : 1) : "memory");
  asm volatile("bar.sync %0, 64;" ::"r"(swapped ? 1 : 2) : "memory");
  out[threadIdx.x] = 1;
}
// The second block waits for the first one, which waits for the second.
__global__ void __cluster_dims__(2) blocks_crossed(int* out, bool right) {
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const auto meet = [] { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); };
  const auto tell = [&] {
    if (blockIdx.x == 0 && threadIdx.x == 0)
      asm volatile(
          "{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, 1;"
          "  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; }" ::"r"(at)
          : "memory");
  };
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
  meet();
  if (right) tell();
  if (blockIdx.x == 1)
    asm volatile(
        "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 p, [%0], 0; @!p bra WAIT; "
        "}" ::"r"(at)
        : "memory");
  meet();
  if (!right) tell();
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}
__global__ void lane_masks(int* out, bool right) {
  const unsigned mask = right || threadIdx.x % 32 < 16 ? 0xffffffffu : 0xffff8000u;
  out[threadIdx.x] = __shfl_xor_sync(mask, static_cast<int>(threadIdx.x), 1);
}
__global__ void not_in_mask(int* out) {
  out[threadIdx.x] = __shfl_xor_sync(1u, static_cast<int>(threadIdx.x), 1);
}
__global__ void mixed_operations(int* out) {
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1, 1);
  else
    out[threadIdx.x] = static_cast<int>(__ballot_sync(0xffffffffu, true));
}
// cp.async without waiting for it: shared memory still holds what was there before.
__global__ void missing_wait(const int* in, int* out, bool wait) {
  __shared__ int buffer[threads];
  buffer[threadIdx.x] = -1;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&buffer[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.commit_group;" ::"r"(to),
               "l"(in + threadIdx.x)
               : "memory");
  if (wait) asm volatile("cp.async.wait_group 0;" ::: "memory");
  out[threadIdx.x] = *const_cast<volatile int*>(&buffer[threadIdx.x]);
}
// Shared memory is not zero when a block begins.
__global__ void unwritten(int* out) {
  __shared__ int buffer[threads];
  out[threadIdx.x] = *const_cast<volatile int*>(&buffer[threadIdx.x]);
}
// As long as nothing clears it, a flag may look set.
__global__ void uncleared_flag(int* out, bool set) {
  __shared__ int flag;
  if (set) {
    if (threadIdx.x == 0) flag = 1;
    __syncthreads();
  }
  if (*const_cast<volatile int*>(&flag) != 0) out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void no_mbarrier(int* out) {
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
  out[threadIdx.x] = 1;
}
__global__ void mbarrier_for_ever(int* out, int arrivals) {
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(arrivals) : "memory");
  __syncthreads();
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
  asm volatile(
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(at)
      : "memory");
  out[threadIdx.x] = 1;
}
__global__ void too_many_arrivals(int* out, unsigned arrivals) {
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(at) : "memory");
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0], %1; }" ::"r"(at), "r"(arrivals)
                 : "memory");
  }
  out[threadIdx.x] = 1;
}
// A copy of whole ranges, which counts in units of 16 bytes.
__global__ void bulk_size(const int* in, int* out, unsigned bytes) {
  __shared__ alignas(16) int buffer[threads];
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier)),
                 to = static_cast<unsigned>(__cvta_generic_to_shared(buffer));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(at), "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
        "l"(in), "r"(bytes), "r"(at)
        : "memory");
  }
  __syncthreads();
  asm volatile(
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(at)
      : "memory");
  out[threadIdx.x] = buffer[threadIdx.x];
}
__global__ void barrier_number(int* out, int number, int count) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(count) : "memory");
  out[threadIdx.x] = number;
}
__global__ void asserted(int* out, int n) {
  assert(n == threads);
  out[threadIdx.x] = n;
}
__global__ void __cluster_dims__(2) clusters(int* out) { out[blockIdx.x * 32 + threadIdx.x] = 1; }
__global__ void not_cooperating(int* out) { out[blockIdx.x % 2 * 32 + threadIdx.x] = 1; }
__global__ void trapped(int* out) {
  if (out) __trap();
}
__global__ void unknown_instruction(int* out) {
  int value = static_cast<int>(threadIdx.x);
  asm volatile("vadd2.u32.u32.u32 %0, %0, %0, %0;" : "+r"(value));
  out[threadIdx.x] = value;
}
// Each block waits for the one before it, as decoupled look-back does.
__global__ void look_back(int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0)
    while (atomicAdd(&out[blockIdx.x - 1], 0) == 0) {
    }
  atomicExch(&out[blockIdx.x], static_cast<int>(blockIdx.x) + 1);
}

void run(const char* name, Memory& in, Memory& out) {
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("global_read")) global_read<<<1, threads>>>(in.at, out.at, 1);
  if (is("right_global_read")) global_read<<<1, threads>>>(in.at, out.at, 0);
  if (is("global_write")) global_write<<<1, threads>>>(out.at, threads);
  if (is("freed")) {
    cudaFree(in.at);
    global_read<<<1, threads>>>(in.at, out.at, 0);
  }
  if (is("misaligned")) misaligned<<<1, 1>>>(out.at);
  if (is("null_pointer")) null_pointer<<<1, 1>>>(reinterpret_cast<int**>(in.at));
  if (is("shared_overrun")) shared_overrun<<<1, threads, threads * sizeof(int)>>>(out.at, 1);
  if (is("right_shared")) shared_overrun<<<1, threads, threads * sizeof(int)>>>(out.at, 0);
  if (is("too_much_shared")) shared_overrun<<<1, threads, 64 << 10>>>(out.at, 0);
  if (is("too_many_threads")) trapped<<<1, 2048>>>(nullptr);
  if (is("barrier_count")) barrier_count<<<1, threads>>>(out.at);
  if (is("barrier_twice")) barrier_twice<<<1, threads>>>(out.at);
  if (is("deadlock")) deadlock<<<1, threads>>>(out.at);
  if (is("lane_masks")) lane_masks<<<1, threads>>>(out.at, false);
  if (is("right_lane_masks")) lane_masks<<<1, threads>>>(out.at, true);
  if (is("not_in_mask")) not_in_mask<<<1, threads>>>(out.at);
  if (is("mixed_operations")) mixed_operations<<<1, threads>>>(out.at);
  if (is("missing_wait")) missing_wait<<<1, threads>>>(in.at, out.at, false);
  if (is("right_wait")) missing_wait<<<1, threads>>>(in.at, out.at, true);
  if (is("unwritten")) unwritten<<<1, threads>>>(out.at);
  if (is("uncleared_flag")) uncleared_flag<<<2, threads / 2>>>(out.at, false);
  if (is("right_uncleared_flag")) uncleared_flag<<<2, threads / 2>>>(out.at, true);
  if (is("no_mbarrier")) no_mbarrier<<<1, threads>>>(out.at);
  if (is("mbarrier_for_ever")) mbarrier_for_ever<<<1, threads>>>(out.at, threads + 1);
  if (is("right_mbarrier")) mbarrier_for_ever<<<1, threads>>>(out.at, threads);
  bool right = false;
  const auto last = [&](int beyond) { return right ? 15 : 15 + beyond; };
  if (planted::is_either(name, "local_read", &right)) local_read<<<1, threads>>>(out.at, last(5));
  if (planted::is_either(name, "local_write", &right)) local_write<<<1, threads>>>(out.at, last(1));
  if (planted::is_either(name, "local_passed_read", &right))
    local_passed_read<<<1, threads>>>(out.at, last(1));
  if (planted::is_either(name, "local_passed_write", &right))
    local_passed_write<<<1, threads>>>(out.at, last(-16));
  if (planted::is_either(name, "local_passed_twice", &right))
    local_passed_twice<<<1, threads>>>(out.at, last(1));
  if (planted::is_either(name, "local_copied", &right)) local_copied<<<1, threads>>>(out.at, last(2));
  if (planted::is_either(name, "local_misaligned", &right))
    local_misaligned<<<1, threads>>>(out.at, right ? 60 : 2);
  if (planted::is_either(name, "variable_read", &right)) variable_read<<<1, threads>>>(out.at, last(1));
  if (planted::is_either(name, "variable_write", &right)) variable_write<<<1, 1>>>(out.at, last(-16));
  if (planted::is_either(name, "constant_read", &right)) constant_read<<<1, threads>>>(out.at, last(40));
  if (planted::is_either(name, "barrier_apart", &right)) barrier_apart<<<1, threads>>>(out.at, right);
  if (is("barrier_halves")) barrier_halves<<<1, threads>>>(out.at);
  if (is("right_part_of_a_warp")) part_of_a_warp<<<1, 48>>>(out.at);
  if (is("right_exited_part_of_a_warp")) part_of_a_warp<<<1, threads>>>(out.at);
  if (is("barrier_unrolled")) barrier_unrolled<<<1, threads>>>(out.at, 7 * threads + 10);
  if (is("right_barrier_unrolled")) barrier_not_unrolled<<<1, threads>>>(out.at, 7 * threads + 10);
  if (is("right_warps_apart")) warps_apart<<<1, threads>>>(out.at);
  Table table;
  for (int i = 0; i < 16; ++i) table.of[i] = i * 15;
  if (planted::is_either(name, "parameter_read", &right))
    parameter_read<<<1, threads>>>(out.at, last(1), table);
  if (planted::is_either(name, "parameter_passed", &right))
    parameter_passed<<<1, threads>>>(out.at, last(3), table);
  if (planted::is_either(name, "too_many_arrivals", &right))
    too_many_arrivals<<<1, threads>>>(out.at, right ? 2 : 3);
  if (planted::is_either(name, "barriers_crossed", &right)) barriers_crossed<<<1, threads>>>(out.at, right);
  if (planted::is_either(name, "blocks_crossed", &right)) blocks_crossed<<<2, 32>>>(out.at, right);
  if (planted::is_either(name, "bulk_size", &right))
    bulk_size<<<1, threads>>>(in.at, out.at, right ? 256 : 248);
  if (planted::is_either(name, "barrier_odd_count", &right))
    barrier_number<<<1, threads>>>(out.at, 3, right ? 64 : 63);
  if (planted::is_either(name, "barrier_number", &right))
    barrier_number<<<1, threads>>>(out.at, right ? 15 : 16, 64);
  if (planted::is_either(name, "assertion", &right)) asserted<<<1, threads>>>(out.at, right ? threads : 0);
  if (planted::is_either(name, "cluster_shape", &right)) clusters<<<right ? 2 : 3, 32>>>(out.at);
  if (planted::is_either(name, "grid_at_a_time", &right)) {
    void* arguments[] = {&out.at};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&not_cooperating), right ? 2 : 100000, 32, arguments);
  }
  if (is("trap")) trapped<<<1, 1>>>(out.at);
  if (is("right_trap")) trapped<<<1, 1>>>(nullptr);
  if (is("unknown_instruction")) unknown_instruction<<<1, threads>>>(out.at);
  if (is("right_look_back")) look_back<<<threads, 32>>>(out.at);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
