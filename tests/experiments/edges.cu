// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where the time between two events goes that is not the kernel's: kernels of known length write the device's
// own clock (%globaltimer) in their first and last instructions, between two events that were all queued
// before any of it began.
//   nvcc -std=c++20 -O3 -arch=sm_90 tests/experiments/edges.cu -o edges && ./edges
// Medians in microseconds: the events apart, the kernel by its own clock, the difference, and that less what
// the events are apart with nothing between them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                             \
  if (const cudaError_t status = (call); status != cudaSuccess) \
  std::printf("%s: %s\n", #call, cudaGetErrorString(status)), std::exit(1)

namespace {

constexpr int launches = 400, threads = 256;

__device__ unsigned long long now() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
  return nanoseconds;
}

__device__ void wait(unsigned long long cycles) {
  for (const long long start = clock64(); clock64() - start < static_cast<long long>(cycles);) {
  }
}

// first and last: what the clock says in each block, of gridDim.x elements.
__global__ void clocked(unsigned long long* first, unsigned long long* last, unsigned long long cycles) {
  if (threadIdx.x == 0) first[blockIdx.x] = now();
  wait(cycles);
  __syncthreads();
  if (threadIdx.x == 0) last[blockIdx.x] = now();
}

__global__ void hold(unsigned long long cycles) { wait(cycles); }

__global__ void ticks(unsigned long long* step) {  // the least step of the clock, in nanoseconds
  unsigned long long least = ~0ULL, before = now();
  for (int i = 0; i < 100000; ++i) {
    const unsigned long long at = now();
    if (at != before) least = min(least, at - before);
    before = at;
  }
  *step = least;
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
  return all[all.size() / 2];
}

struct Apart {
  double events, kernel;  // microseconds
};

cudaStream_t stream;
cudaEvent_t start, stop;
unsigned long long* clocks;  // of the blocks: the first, then the last

// With no blocks nothing stands between the events.
Apart measure(int blocks, unsigned long long cycles) {
  std::vector<double> events, kernel;
  std::vector<unsigned long long> read(2 * std::max(blocks, 1));
  for (int launch = 0; launch < launches; ++launch) {
    hold<<<1, 1, 0, stream>>>(100000);  // until everything behind it is queued
    CHECK(cudaEventRecord(start, stream));
    if (blocks > 0) clocked<<<blocks, threads, 0, stream>>>(clocks, clocks + blocks, cycles);
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaStreamSynchronize(stream));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    events.push_back(1000.0 * milliseconds);
    if (blocks == 0) continue;
    CHECK(cudaMemcpy(read.data(), clocks, 2 * blocks * sizeof read[0], cudaMemcpyDeviceToHost));
    const auto first = *std::min_element(read.begin(), read.begin() + blocks);
    const auto last = *std::max_element(read.begin() + blocks, read.begin() + 2 * blocks);
    kernel.push_back(1e-3 * static_cast<double>(last - first));
  }
  return {median(events), blocks > 0 ? median(kernel) : 0};
}

}  // namespace

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  const int full = 2 * device.multiProcessorCount;
  CHECK(cudaMalloc(&clocks, 2 * full * sizeof *clocks));
  ticks<<<1, 1, 0, stream>>>(clocks);
  unsigned long long step = 0;
  CHECK(cudaMemcpyAsync(&step, clocks, sizeof step, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  measure(full, 1000);  // warm
  const double nothing = measure(0, 0).events;
  std::printf("%s: the kernel's clock advances by %llu ns; events with nothing between them: %.2f\n",
              device.name, step, nothing);
  std::printf("%7s %9s %9s %9s %9s %9s\n", "blocks", "cycles", "events", "kernel", "apart", "less");
  for (const int blocks : {1, full})
    for (const unsigned long long cycles : {0ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 10000000ULL}) {
      const Apart apart = measure(blocks, cycles);
      std::printf("%7d %9llu %9.2f %9.2f %9.2f %9.2f\n", blocks, cycles, apart.events, apart.kernel,
                  apart.events - apart.kernel, apart.events - apart.kernel - nothing);
    }
  return 0;
}
