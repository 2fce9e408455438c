// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What NVML's counters (GPM) say of an idle device, of a kernel that copies, of one block that spins, and of
// both in ANOTHER process; how long taking a sample lasts, from which interval on numbers are right, and
// whether taking samples changes a kernel's time.
//   nvcc -std=c++20 -O3 -arch=native -I. tests/experiments/counters.cu -o /tmp/counters -ldl && /tmp/counters
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "backends/telemetry/nvml.hpp"

#define CHECK(call)                                             \
  if (const cudaError_t status = (call); status != cudaSuccess) \
  std::printf("%s: %s\n", #call, cudaGetErrorString(status)), std::fflush(stdout), std::exit(1)

namespace {

using namespace podium::telemetry::nvml;
using Clock = std::chrono::steady_clock;

constexpr std::size_t bytes = std::size_t(256) << 20;
constexpr double stretch = 1;  // seconds

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + std::ptrdiff_t(all.size() / 2), all.end());
  return all[all.size() / 2];
}

__global__ void copy(const float4* from, float4* to, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    to[i] = from[i];
}

__global__ void spin(long long nanoseconds) {  // one multiprocessor
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (static_cast<long long>(now - begin) < nanoseconds);
}

class Work {
 public:
  Work() {
    CHECK(cudaMalloc(&from_, bytes));
    CHECK(cudaMalloc(&to_, bytes));
    CHECK(cudaMemset(from_, 1, bytes));
    CHECK(cudaDeviceSynchronize());
  }
  void copies() { copy<<<1024, 512>>>(from_, to_, bytes / sizeof(float4)); }
  void spins() { spin<<<1, 32>>>(1'000'000); }
  void for_seconds(const std::string& what, double seconds) {
    for (const auto start = Clock::now(); seconds_since(start) < seconds;) {
      for (int k = 0; k < 8; ++k) what == "copy" ? copies() : spins();
      CHECK(cudaDeviceSynchronize());
    }
  }

 private:
  float4 *from_ = nullptr, *to_ = nullptr;
};

class Gpm {
 public:
  Gpm() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library_) std::printf("no libnvidia-ml.so.1\n"), std::exit(1);
    char pci[32] = {};
    CHECK(cudaDeviceGetPCIBusId(pci, sizeof pci, 0));
    expect(find<Init>("nvmlInit_v2")(), "nvmlInit_v2");
    expect(find<HandleByPci>("nvmlDeviceGetHandleByPciBusId_v2")(pci, &device_), "the device");
    GpmSupport support;
    expect(find<GpmQuery>("nvmlGpmQueryDeviceSupport")(device_, &support), "nvmlGpmQueryDeviceSupport");
    std::printf("GPM supported: %u\n", support.supported);
    if (!support.supported) std::exit(0);
    for (GpmSample* sample : {&from_, &to_})
      expect(find<GpmSampleAlloc>("nvmlGpmSampleAlloc")(sample), "a sample");
    get_ = &find<GpmSampleGet>("nvmlGpmSampleGet");
    read_ = &find<GpmMetricsRead>("nvmlGpmMetricsGet");
  }
  void begin() { expect(get_(device_, from_), "nvmlGpmSampleGet"); }
  void end(const char* what, double seconds) {
    const Return sampled = get_(device_, to_);
    GpmMetricsGet get;
    get.from = from_;
    get.to = to_;
    for (const unsigned id : {gpm_sm_util, gpm_sm_occupancy, gpm_any_tensor_util, gpm_dram_bandwidth_util})
      get.metrics[get.count++].id = id;
    const Return read = read_(&get);
    std::printf("%-34s %7.4f s  sample %d, read %d ", what, seconds, sampled, read);
    for (const char* name : {"SM", "occupancy", "tensor", "DRAM"}) {
      const GpmMetric& metric = get.metrics[name[0] == 'S' ? 0 : name[0] == 'o' ? 1 : name[0] == 't' ? 2 : 3];
      if (metric.status == success)
        std::printf("  %s %6.2f %%", name, metric.value);
      else
        std::printf("  %s: error %d", name, metric.status);
    }
    std::printf("\n");
  }
  void sample() { expect(get_(device_, to_), "nvmlGpmSampleGet"); }
  void read_once() {
    GpmMetricsGet get;
    get.from = from_;
    get.to = to_;
    get.count = 1;
    get.metrics[0].id = gpm_sm_util;
    static_cast<void>(read_(&get));
  }

 private:
  template <class F>
  F& find(const char* name) {
    void* const at = dlsym(library_, name);
    if (!at) std::printf("no %s in this library\n", name), std::exit(1);
    return *reinterpret_cast<F*>(at);
  }
  static void expect(Return status, const char* what) {
    if (status != success) std::printf("%s: error %d\n", what, status), std::exit(1);
  }

  void* library_ = nullptr;
  Device device_ = nullptr;
  GpmSample from_ = nullptr, to_ = nullptr;
  GpmSampleGet* get_ = nullptr;
  GpmMetricsRead* read_ = nullptr;
};

template <class During>
void tell(Gpm& gpm, const char* what, double seconds, const During& during) {
  gpm.begin();
  const auto start = Clock::now();
  during(seconds);
  gpm.end(what, seconds_since(start));
}

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// This program again, so that nothing of this process's context is in it.
pid_t other_process(const std::string& what) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "counters", what.c_str(), nullptr);
    _exit(127);
  }
  sleep_for(2);  // until it works
  return child;
}

// Microseconds of a copy, each between two events: medians without and with samples taken meanwhile, in turn.
void compare_times(Gpm& gpm, Work& work, const char* how, int calls, double pause) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  const auto time = [&] {
    CHECK(cudaEventRecord(begin));
    work.copies();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    return 1e3 * milliseconds;
  };
  std::vector<double> without, with;
  for (int block = 0; block < 20; ++block) {
    for (int k = 0; k < calls; ++k) without.push_back(time());
    std::atomic<bool> over = false;
    std::thread sampling([&] {
      do {
        gpm.sample();
        if (pause > 0) sleep_for(pause);
      } while (!over);
    });
    for (int k = 0; k < calls; ++k) with.push_back(time());
    over = true;
    sampling.join();
  }
  std::printf("a copy, samples %-22s without %.2f us, with %.2f us (%+.3f %%)\n", how, median(without),
              median(with), 100 * (median(with) / median(without) - 1));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {  // the other process
    Work work;
    work.for_seconds(argv[1], 60);
    return 0;
  }
  {
    const pid_t copying = other_process("copy");  // before this process has a context
    CHECK(cudaSetDevice(0));
    Gpm gpm;
    tell(gpm, "another process copies", stretch, sleep_for);
    kill(copying, SIGKILL);
    waitpid(copying, nullptr, 0);
    const pid_t spinning = other_process("spin");
    tell(gpm, "another process spins, one block", stretch, sleep_for);
    kill(spinning, SIGKILL);
    waitpid(spinning, nullptr, 0);
    sleep_for(1);
    tell(gpm, "idle", stretch, sleep_for);
    Work work;
    tell(gpm, "idle, with a context", stretch, sleep_for);
    tell(gpm, "copies", stretch, [&](double s) { work.for_seconds("copy", s); });
    tell(gpm, "spins, one block", stretch, [&](double s) { work.for_seconds("spin", s); });
    tell(gpm, "copies half of the time", stretch, [&](double s) {
      work.for_seconds("copy", s / 2);
      sleep_for(s / 2);
    });
    for (const double s : {0.3, 0.1, 0.03, 0.01, 0.003, 0.001})
      tell(gpm, "copies, short", s, [&](double t) { work.for_seconds("copy", t); });

    std::vector<double> sampling, reading;
    for (int k = 0; k < 200; ++k) {
      auto start = Clock::now();
      gpm.sample();
      sampling.push_back(1e6 * seconds_since(start));
      start = Clock::now();
      gpm.read_once();
      reading.push_back(1e6 * seconds_since(start));
    }
    std::printf("one sample: %.1f us (longest %.1f), reading metrics: %.1f us\n", median(sampling),
                *std::max_element(sampling.begin(), sampling.end()), median(reading));
    compare_times(gpm, work, "one after another", 100, 0);
    compare_times(gpm, work, "every 10 ms", 100, 0.01);
    compare_times(gpm, work, "every 100 ms", 100, 0.1);
  }
}
