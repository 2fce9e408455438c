// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Launches: shapes, arguments, limits, the pool.
#include <algorithm>
#include <fstream>
#include <thread>

#include "tests/sdk/kernels.hpp"

namespace {
using namespace podium::test;
using testing::HasSubstr;

__global__ void nothing() {}

int threads_of_this_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
  return -1;
}

// In processes of their own, which end by exit() while the pool sleeps.
TEST(PoolDeathTest, StartsWithTheFirstLaunchAndDoesNotHoldUpExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto program = [] {
    setenv("PODIUM_HOST_WORKERS", "3", 1);
    const int before = threads_of_this_process();
    launch(nothing, 2, 1);
    const int two_blocks = threads_of_this_process();
    launch(nothing, 100, 1);
    const int many_blocks = threads_of_this_process();
    std::exit(100 * before + 10 * two_blocks + many_blocks);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(134), "");
}
TEST(PoolDeathTest, EndsWithTheProcessInTheMiddleOfAKernel) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(launch(+[] { std::_Exit(7); }, 4, 32), testing::ExitedWithCode(7), "");
}

__global__ void visit(int* visited, int* wrong) {
  const auto inside = [](uint3 at, dim3 in) { return at.x < in.x && at.y < in.y && at.z < in.z; };
  if (!inside(threadIdx, blockDim) || !inside(blockIdx, gridDim)) atomicAdd(wrong, 1);
  const auto number = [](uint3 at, dim3 in) {
    return at.x + std::size_t{in.x} * (at.y + std::size_t{in.y} * at.z);
  };
  const std::size_t threads = podium::host::volume(blockDim);
  atomicAdd(visited + number(blockIdx, gridDim) * threads + number(threadIdx, blockDim), 1);
}
TEST(Launch, VisitsEveryThreadOnce) {
  for (const dim3 block : {dim3(2, 3, 4), dim3(1), dim3(1, 1, 64), dim3(1024)}) {
    std::vector<int> visited(210 * podium::host::volume(block));
    int wrong = 0;
    launch(visit, dim3(5, 6, 7), block, visited.data(), &wrong);
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(std::all_of(visited.begin(), visited.end(), [](int v) { return v == 1; }));
  }
}

__global__ void convert(double* out, double x, long long y, const float* z) {
  *out = x + static_cast<double>(y) + *z;
}
TEST(Launch, ConvertsArgumentsToParameters) {
  double out = 0;
  float z = 0.25f;
  podium::launch(convert, 1, 1, 0, {}, &out, 1, 2u, &z);
  EXPECT_EQ(out, 3.25);
}

TEST(Launch, RefusesWhatAGpuWould) {
  EXPECT_THAT(error_of([] { launch(nothing, 1, 1025); }),
              HasSubstr("a block of (1025,1,1) threads; it may have 1 to 1024"));
  EXPECT_THAT(error_of([] { launch(nothing, 1, dim3(32, 33)); }), HasSubstr("(32,33,1)"));
  EXPECT_THAT(error_of([] { launch(nothing, 1, dim3(1, 1, 65)); }), HasSubstr("64 of them along z"));
  EXPECT_THAT(error_of([] { launch(nothing, 1, 0); }), HasSubstr("(0,1,1)"));
  EXPECT_THAT(error_of([] { launch(nothing, 0, 1); }), HasSubstr("a grid of (0,1,1) blocks"));
  EXPECT_THAT(error_of([] { launch(nothing, dim3(1, 65536), 1); }), HasSubstr("65535"));
  EXPECT_THAT(error_of([] { launch(nothing, 1u << 31, 1); }), HasSubstr("2147483647"));
  EXPECT_THAT(error_of([] { dim3(std::int64_t{1} << 32); }),
              HasSubstr("an extent of 4294967296 does not fit"));
  EXPECT_THAT(error_of([] { dim3(-1); }), HasSubstr("an extent of -1"));
}

__global__ void fill_shared(int words) {
  PODIUM_DYNAMIC_SHARED(int, s);
  for (int i = 0; i < words; ++i) s[i] = i;
}
__global__ void fill_more(int words) { fill_shared(words); }
TEST(Launch, LargeSharedMemoryMustBeAllowed) {
  const auto fill = [](void (*kernel)(int), int bytes) {
    return error_of([=] { podium::launch(kernel, 1, 1, static_cast<std::size_t>(bytes), {}, bytes / 4); });
  };
  EXPECT_EQ(fill(fill_shared, 48 << 10), "no error");
  EXPECT_THAT(fill(fill_shared, (48 << 10) + 4),
              HasSubstr("this kernel may have 49152, or more after podium::allow_shared"));
  podium::allow_shared(fill_more, 100 << 10);
  EXPECT_EQ(fill(fill_more, 100 << 10), "no error");
  EXPECT_THAT(fill(fill_more, (100 << 10) + 4), HasSubstr("may have 102400"));
  EXPECT_THAT(fill(fill_shared, 100 << 10), HasSubstr("may have 49152"));
  EXPECT_THAT(error_of([] { podium::allow_shared(fill_shared, 228 << 10); }), HasSubstr("up to 232448"));
}

__global__ void launches() { podium::launch(nothing, 1, 1, 0, {}); }
TEST(Launch, NotFromAKernel) {
  EXPECT_THAT(error_of([] { launch(launches, 1, 1); }), HasSubstr("a kernel launches another"));
}

__global__ void count(int* n) { atomicAdd(n, 1); }
TEST(Launch, FromSeveralThreads) {
  int n = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) launch(count, 3, 7, &n);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(n, 4 * 50 * 3 * 7);
}

__global__ void order(int* next, int* at) { at[threadIdx.x] = (*next)++; }
TEST(Launch, OrderCanBeReversed) {
  std::vector<int> at(100);
  int next = 0;
  launch(order, 1, 100, &next, at.data());
  EXPECT_EQ(at[0], 0);
  setenv("PODIUM_HOST_REVERSE", "1", 1);
  next = 0;
  launch(order, 1, 100, &next, at.data());
  unsetenv("PODIUM_HOST_REVERSE");
  EXPECT_EQ(at[0], 99);
}

}  // namespace
