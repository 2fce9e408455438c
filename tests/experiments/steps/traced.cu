// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "The same kernel, watched by the profiler" }

// How long the hardware says that each launch took, by CUPTI's activity records, appended to
// /tmp/podium-steps.PROCESS.csv as n,rounds,nanoseconds.
#define Contestant Plain
#include "plain.gpu.cpp"
#undef Contestant

#include <cupti.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

std::vector<std::uint64_t> nanoseconds;  // of the launches since the last instance was made

template <class Function>
Function* function(const char* name) {
  static void* const library = dlopen("libcupti.so.13", RTLD_NOW);
  void* const found = library ? dlsym(library, name) : nullptr;
  podium::require(found != nullptr, "CUPTI of CUDA 13 was not found");
  return reinterpret_cast<Function*>(found);
}

void CUPTIAPI request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  constexpr std::size_t alignment = 8;
  *bytes = 1 << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(alignment, *bytes));
  *most_records = 0;
}

void CUPTIAPI complete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  static const auto next = function<decltype(cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord");
  for (CUpti_Activity* record = nullptr; next(buffer, valid, &record) == CUPTI_SUCCESS;) {
    const auto& kernel = *reinterpret_cast<CUpti_ActivityKernel10*>(record);
    if (std::strstr(kernel.name, "steps")) nanoseconds.push_back(kernel.end - kernel.start);
  }
  std::free(buffer);
}

struct Contestant : Plain {
  std::int64_t n, rounds;

  explicit Contestant(const problem::Workload& workload) : n(workload.n), rounds(workload.rounds) {
    static const bool watching = [] {
      function<decltype(cuptiActivityRegisterCallbacks)>("cuptiActivityRegisterCallbacks")(request, complete);
      return function<decltype(cuptiActivityEnable)>("cuptiActivityEnable")(
                 CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS;
    }();
    podium::require(watching, "CUPTI does not watch kernels here");
  }
  ~Contestant() {
    function<decltype(cuptiActivityFlushAll)>("cuptiActivityFlushAll")(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::string name = "/tmp/podium-steps." + std::to_string(getpid()) + ".csv";
    if (std::FILE* file = std::fopen(name.c_str(), "a")) {
      for (const std::uint64_t one : nanoseconds)
        std::fprintf(file, "%lld,%lld,%llu\n", static_cast<long long>(n), static_cast<long long>(rounds),
                     static_cast<unsigned long long>(one));
      std::fclose(file);
    }
    nanoseconds.clear();
  }
};
}  // namespace
