// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Barriers and shared memory.
#include <cmath>

#include "tests/sdk/kernels.hpp"

namespace {
using namespace podium::test;

class Barrier : public BothOrders {};
INSTANTIATE_TEST_SUITE_P(Orders, Barrier, both_orders(), name_of_order);

__global__ void reverse(int* x) {
  PODIUM_DYNAMIC_SHARED(int, s);
  const int t = static_cast<int>(threadIdx.x);
  s[t] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = s[static_cast<int>(blockDim.x) - 1 - t];
}
TEST_P(Barrier, SeparatesWritesFromReads) {
  for (const int threads : {1, 2, lanes - 1, lanes, 100, 1024}) {
    std::vector<int> x(static_cast<std::size_t>(3 * threads));
    std::iota(x.begin(), x.end(), 0);
    podium::launch(reverse, 3, threads, static_cast<std::size_t>(threads) * sizeof(int), {}, x.data());
    for (int b = 0; b < 3; ++b)
      for (int t = 0; t < threads; ++t)
        ASSERT_EQ(x[static_cast<std::size_t>(b * threads + t)], b * threads + threads - 1 - t);
  }
}

__global__ void rotate(int* x, int rounds) {
  __shared__ int s[256];
  for (int r = 0; r < rounds; ++r) {
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
  }
}
TEST_P(Barrier, ManyInARow) {
  std::vector<int> x(256);
  std::iota(x.begin(), x.end(), 0);
  launch(rotate, 1, 256, x.data(), 100);
  for (int t = 0; t < 256; ++t) ASSERT_EQ(x[static_cast<std::size_t>(t)], (t + 100) % 256);
}

__global__ void some_leave(int* x, int stay) {
  if (static_cast<int>(threadIdx.x) >= stay) return;
  __syncthreads();
  x[threadIdx.x] += 1;
  __syncthreads();
}
TEST_P(Barrier, DoesNotWaitForThreadsThatReturned) {
  for (const int stay : {1, lanes, 77, 999}) {
    std::vector<int> x(1000);
    launch(some_leave, 1, 1000, x.data(), stay);
    EXPECT_EQ(std::accumulate(x.begin(), x.end(), 0), stay);
  }
}

__global__ void votes(int* x) {
  const int t = static_cast<int>(threadIdx.x);
  x[t] = __syncthreads_count(t < 5);
  x[t] += 100 * __syncthreads_or(t == 70);
  x[t] += 1000 * __syncthreads_or(0);
  x[t] += 10000 * __syncthreads_and(t >= 0);
  x[t] += 100000 * __syncthreads_and(t != 70);
}
TEST_P(Barrier, CountsVotes) {
  std::vector<int> x(100);
  launch(votes, 1, 100, x.data());
  for (const int v : x) ASSERT_EQ(v, 10105);
}

__global__ void lacks_barrier(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  x[threadIdx.x] = s[(threadIdx.x + 63) % 64];
}
// A race shows in one order or the other: on a GPU it might never.
TEST_P(Barrier, ItsAbsenceShows) {
  std::vector<int> x(64);
  launch(lacks_barrier, 1, 64, x.data());
  EXPECT_NE(std::count(x.begin(), x.end(), 1), 64);
  EXPECT_EQ(x[1], GetParam()[0] == '1' ? -1 : 1);
}

template <class T>
__global__ void unset(T* out) {
  __shared__ T never[3][2];
  PODIUM_DYNAMIC_SHARED(T, dynamic);
  out[blockIdx.x] = never[2][1] + dynamic[7];
  never[2][1] = dynamic[7] = 1;
}
extern "C" __global__ void unset_with_c_linkage(float* out) {
  __shared__ float never;
  out[blockIdx.x] = never;
  never = 1;
}
TEST(SharedMemory, IsPoisonedBeforeEveryBlock) {
  std::vector<double> x(64);
  podium::launch(unset<double>, 64, 1, 64, {}, x.data());
  for (const double v : x) ASSERT_TRUE(std::isnan(v));
  std::vector<int> i(64);
  podium::launch(unset<int>, 64, 1, 64, {}, i.data());
  for (const int v : i) ASSERT_EQ(v, -2);
  std::vector<float> f(64);
  launch(unset_with_c_linkage, 64, 1, f.data());
  for (const float v : f) ASSERT_TRUE(std::isnan(v));
}

thread_local int of_the_caller = 5;
int& local_of_the_caller() {
  thread_local int value = 6;
  return value;
}
TEST(SharedMemory, PoisonSparesTheCallersVariables) {
  local_of_the_caller() = 7;
  std::vector<int> i(64);
  podium::launch(unset<int>, 64, 1, 64, {}, i.data());
  EXPECT_EQ(of_the_caller, 5);
  EXPECT_EQ(local_of_the_caller(), 7);
}

}  // namespace
