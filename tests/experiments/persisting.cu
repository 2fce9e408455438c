// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What lines of the L2 cache outlive that were fetched to persist: the time of a kernel that reads them after
// they were written (W), what persists was given up (R) and the caches were flushed (F), all by this process,
// or by another (w, r, f), as the judge does to a contestant's.
//   nvcc -std=c++20 -O3 -arch=sm_90 tests/experiments/persisting.cu -o persisting && ./persisting
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                             \
  if (const cudaError_t status = (call); status != cudaSuccess) \
  std::printf("%s: %s\n", #call, cudaGetErrorString(status)), std::fflush(stdout), std::exit(1)

namespace {

constexpr std::size_t bytes = std::size_t(8) << 20, flushed = std::size_t(128) << 20;
constexpr int calls = 61;

__global__ void busy(long long nanoseconds) {  // until all that is to be timed is queued
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (static_cast<long long>(now - begin) < nanoseconds);
}

template <bool last>
__global__ void read(const float4* x, float* sink) {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  float total = 0;
#pragma unroll 4
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < bytes / sizeof(float4);
       i += std::size_t(gridDim.x) * blockDim.x) {
    float4 v = {};
    if constexpr (last)
      asm("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
          : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
          : "l"(x + i), "l"(policy));
    else
      v = x[i];
    total += (v.x + v.y) + (v.z + v.w);
  }
  if (total == 12345.678f) *sink = total;  // lest the loads are left out
}

// What judge and contestant share, and what each of them has for itself.
struct Process {
  float4* x = nullptr;
  char *caches = nullptr, *inputs = nullptr;

  void prepare() {
    CHECK(cudaMalloc(&caches, flushed));
    CHECK(cudaMalloc(&inputs, bytes));
    CHECK(cudaMemset(inputs, 0, bytes));
  }
  void step(char what) {
    static int value = 0;
    if (what == 'W') CHECK(cudaMemcpyAsync(x, inputs, bytes, cudaMemcpyDeviceToDevice));
    if (what == 'R') CHECK(cudaCtxResetPersistingL2Cache());
    if (what == 'F') CHECK(cudaMemsetAsync(caches, ++value, flushed));
    CHECK(cudaDeviceSynchronize());
  }
};

// The other process: does what it is told.
[[noreturn]] void serve(int from, int to) {
  cudaIpcMemHandle_t handle;
  if (::read(from, &handle, sizeof handle) != sizeof handle) std::_Exit(0);
  Process own;
  CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&own.x), handle, cudaIpcMemLazyEnablePeerAccess));
  own.prepare();
  for (char what = 0; ::read(from, &what, 1) == 1;) {
    own.step(what);
    if (::write(to, &what, 1) != 1) break;
  }
  std::_Exit(0);
}

enum class Fetch { plain, window, evict_last };

// Microseconds, the median of many calls.
double median(Process& own, int to, int from, Fetch fetch, const std::string& steps) {
  static const cudaStream_t aside = [] {
    cudaStream_t stream{};
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
  }();
  float* const sink = reinterpret_cast<float*>(own.inputs);
  cudaStreamAttrValue value{};
  auto& window = value.accessPolicyWindow;
  window = {own.x, fetch == Fetch::window ? bytes : 0, 1.0f, cudaAccessPropertyPersisting,
            cudaAccessPropertyStreaming};
  CHECK(cudaStreamSetAttribute(aside, cudaStreamAttributeAccessPolicyWindow, &value));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  std::vector<double> times;
  for (int call = 0; call < calls; ++call) {
    own.step('R');
    own.step('F');
    fetch == Fetch::evict_last ? read<true><<<528, 256, 0, aside>>>(own.x, sink)
                               : read<false><<<528, 256, 0, aside>>>(own.x, sink);
    CHECK(cudaDeviceSynchronize());
    for (const char each : steps) {
      char what = each;
      if (std::isupper(each)) {
        own.step(each);
      } else if (what = char(std::toupper(each)); write(to, &what, 1) != 1 || ::read(from, &what, 1) != 1) {
        std::exit(1);
      }
    }
    busy<<<1, 1>>>(200'000);
    CHECK(cudaEventRecord(start));
    read<false><<<528, 256>>>(own.x, sink);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaDeviceSynchronize());
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    times.push_back(1000.0 * milliseconds);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main() {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) return 1;
  const pid_t other = fork();  // before either has a context
  if (other == 0) {
    close(there[1]), close(back[0]);
    serve(there[0], back[1]);
  }
  close(there[0]), close(back[1]);
  Process own;
  CHECK(cudaMalloc(&own.x, bytes));
  CHECK(cudaMemset(own.x, 0, bytes));
  own.prepare();
  int cache = 0, most = 0;
  std::size_t granted = 0;
  CHECK(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0));
  CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t(most)));
  CHECK(cudaDeviceGetLimit(&granted, cudaLimitPersistingL2CacheSize));
  std::printf("a cache of %d bytes, of which %zu are set aside; %zu are read\n", cache, granted, bytes);
  std::printf("%-8s %10s %10s %10s µs\n", "between", "plain", "window", "evict_last");
  for (const char* steps : {"", "F", "WF", "RF", "WRF", "w", "f", "wf", "rf", "wrf"}) {
    static bool told = false;
    if (*steps && std::islower(*steps) && !told) {
      cudaIpcMemHandle_t handle;
      CHECK(cudaIpcGetMemHandle(&handle, own.x));
      told = write(there[1], &handle, sizeof handle) == sizeof handle;
    }
    std::printf("%-8s", *steps ? steps : "nothing");
    for (const auto fetch : {Fetch::plain, Fetch::window, Fetch::evict_last})
      std::printf(" %10.3f", median(own, there[1], back[0], fetch, steps));
    std::printf("\n");
    std::fflush(stdout);
  }
  close(there[1]);
  waitpid(other, nullptr, 0);
}
