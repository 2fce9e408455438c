// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that may begin before the one before them has ended (programmatic dependent launch), and rely on
// what that one does without waiting for it.
#include "planted.hpp"
#include "planted_copies.hpp"

namespace {

using planted::Memory;
using planted::threads;

__device__ void let_the_next_begin() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
__device__ void wait_for_the_one_before() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

// `other` is read, `out` is written.
__global__ void first(const int* other, int* out) {
  let_the_next_begin();
  out[threadIdx.x] = other[threadIdx.x] + 1;
}
__global__ void first_alone(const int* other, int* out) { out[threadIdx.x] = other[threadIdx.x] + 1; }

__global__ void passes(const int* from, int* to) {
  let_the_next_begin();
  wait_for_the_one_before();
  to[threadIdx.x] = from[threadIdx.x] + 1;
}

enum class Wait { none, before, behind, of_one, of_one_and_barrier };

__device__ void wait_as(Wait how) {
  if (how == Wait::before || (threadIdx.x == 0 && how >= Wait::of_one)) wait_for_the_one_before();
  if (how == Wait::of_one_and_barrier) __syncthreads();
}

__global__ void reads(int* of_first, int* out, Wait how) {
  wait_as(how);
  const int value = of_first[threadIdx.x];
  if (how == Wait::behind) wait_for_the_one_before();
  out[threadIdx.x] = value + 1;
}
__global__ void writes(int* to, Wait how) {
  wait_as(how);
  to[threadIdx.x] = 5;
}
__global__ void counts(int* to, Wait how) {
  wait_as(how);
  atomicAdd(to + threadIdx.x, 1);
}
__global__ void copies(int* of_first, int* out, Wait how) {
  __shared__ alignas(16) int tile[threads];
  __shared__ planted::Word barrier;
  planted::begin(&barrier, 1);
  wait_as(how);
  if (threadIdx.x == 0) {
    planted::expect(&barrier, sizeof tile);
    planted::load(tile, of_first, sizeof tile, &barrier);
  }
  planted::await(&barrier, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Behind what was launched last, and beside it where that allows it.
template <class... Parameters, class... Arguments>
void overlapping(void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 1, config.blockDim = threads;
  config.attrs = &attribute, config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

void run(const char* name, Memory& in, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return planted::is_either(name, mistake, &right); };
  Memory between(threads);
  const auto begin = [&] { first<<<1, threads>>>(in.at, between.at); };
  const auto how = [&] { return right ? Wait::before : Wait::none; };
  if (is("dependent_reads")) begin(), overlapping(reads, between.at, out.at, how());
  if (is("dependent_waits_too_late"))
    begin(), overlapping(reads, between.at, out.at, right ? Wait::before : Wait::behind);
  if (is("dependent_one_waits"))
    begin(), overlapping(reads, between.at, out.at, right ? Wait::of_one_and_barrier : Wait::of_one);
  if (is("dependent_writes")) {  // what the one before writes
    first<<<1, threads>>>(in.at, out.at);
    overlapping(writes, out.at, how());
  }
  if (is("dependent_overwrites")) {  // what the one before reads
    first<<<1, threads>>>(in.at, out.at);
    overlapping(writes, in.at, how());
  }
  if (is("dependent_counts")) {
    first<<<1, threads>>>(in.at, out.at);
    overlapping(counts, out.at, how());
  }
  if (is("dependent_copies")) begin(), overlapping(copies, between.at, out.at, how());
  if (is("dependent_chain")) {
    begin();
    overlapping(passes, between.at, in.at);
    overlapping(reads, in.at, out.at, how());
  }
  // Nothing may begin before the other has ended.
  if (is("dependent_of_none") && right) {
    first_alone<<<1, threads>>>(in.at, between.at);
    overlapping(reads, between.at, out.at, Wait::none);
  }
  if (is("dependent_alone") && right) begin(), reads<<<1, threads>>>(between.at, out.at, Wait::none);
  if (is("dependent_behind_host") && right) {
    begin();
    cudaDeviceSynchronize();
    overlapping(reads, between.at, out.at, Wait::none);
  }
  // What the one before has nothing to do with.
  if (is("dependent_elsewhere") && right) begin(), overlapping(reads, in.at, out.at, Wait::none);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
