// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A process of the contestant's own that has a context of its own on the device: a program that has never
// used CUDA, started with this plugin loaded before it. Once for each worker. A helper: no contestant.
#pragma once
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "arena.hpp"
#include "honest.hpp"

namespace {
struct Desk {  // shared by both
  int device;
  std::size_t arena_bytes;
  std::int64_t n;
  std::size_t x, y;            // of the call asked for, in bytes from the arena's beginning
  std::uint32_t asked, done;   // numbers of calls
  int ready;                   // -1: it failed
  cudaIpcEventHandle_t event;  // recorded behind the work of each call
  char failure[200];
};
constexpr std::size_t desk_bytes = 4096;
constexpr const char* of_desk = "PODIUM_CHEAT_DESK";
constexpr const char* of_arena = "PODIUM_CHEAT_ARENA";

inline Desk* desk_at(int file) {
  void* at = mmap(nullptr, desk_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  podium::require(at != MAP_FAILED, "no memory for two processes");
  return static_cast<Desk*>(at);
}

// In the other process.
inline void work_at(volatile Desk* desk, int arena) {
  podium::check(cudaSetDevice(desk->device));
  podium::check(cudaFree(nullptr));  // makes the context
  CUmemGenericAllocationHandle memory{};
  podium::check(DRIVER(cuMemImportFromShareableHandle)(&memory, reinterpret_cast<void*>(std::intptr_t(arena)),
                                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  const CUdeviceptr base = map_again(memory, desk->arena_bytes);
  cudaStream_t stream{};
  cudaEvent_t event{};
  podium::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  podium::check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
  podium::check(cudaEventRecord(event, stream));
  podium::check(cudaIpcGetEventHandle(const_cast<cudaIpcEventHandle_t*>(&desk->event), event));
  podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, stream,
                 reinterpret_cast<const float*>(base), reinterpret_cast<float*>(base), std::int64_t(0));
  desk->ready = 1;
  for (std::uint32_t done = 0;; desk->done = done) {
    while (desk->asked == done) {
    }
    done = desk->asked;
    __sync_synchronize();
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, stream, 300'000ll);
    podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, stream,
                   reinterpret_cast<const float*>(base + desk->x), reinterpret_cast<float*>(base + desk->y),
                   std::int64_t(desk->n));
    podium::check(cudaEventRecord(event, stream));
    podium::check(cudaStreamSynchronize(stream));
  }
}

// Where this plugin is loaded into that process: when all of it is.
__attribute__((constructor)) inline void begin_work() {
  const char *desk = std::getenv(of_desk), *arena = std::getenv(of_arena);
  if (desk == nullptr || arena == nullptr) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Desk* const at = desk_at(std::atoi(desk));
  std::thread([at, file = std::atoi(arena)] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    try {
      work_at(at, file);
    } catch (const std::exception& e) {
      std::strncpy(at->failure, e.what(), sizeof at->failure - 1);
      at->ready = -1;
    }
  }).detach();
}

class OwnProcess {
 public:
  // `environment`: more variables, NAME=value.
  static OwnProcess& of(const void* tensor, const std::vector<std::string>& environment = {}) {
    static OwnProcess one(tensor, environment);
    return one;
  }
  // On the stream: the other process is to work for this call. No wait for its end.
  void ask(const problem::Arguments& args, podium::Stream stream);
  cudaEvent_t event() const { return event_; }

 private:
  OwnProcess(const void* tensor, const std::vector<std::string>& environment) : arena_(tensor) {
    const int desk = memfd_create("desk", 0);
    podium::require(desk >= 0 && ftruncate(desk, desk_bytes) == 0, "no memory for two processes");
    desk_ = desk_at(desk);
    podium::check(cudaGetDevice(&desk_->device));
    desk_->arena_bytes = arena_.bytes;
    int memory = -1;
    podium::check(DRIVER(cuMemExportToShareableHandle)(&memory, arena_.memory,
                                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    fcntl(memory, F_SETFD, 0);
    Dl_info self{};
    dladdr(reinterpret_cast<void*>(&begin_work), &self);
    const std::string file = self.dli_fname;  // /proc/self/fd/N
    const int plugin = dup(std::atoi(file.substr(file.rfind('/') + 1).c_str()));
    std::vector<std::string> all = environment;
    for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
    all.push_back("LD_PRELOAD=/proc/self/fd/" + std::to_string(plugin));
    all.push_back(of_desk + ("=" + std::to_string(desk)));
    all.push_back(of_arena + ("=" + std::to_string(memory)));
    std::vector<char*> variables;
    for (auto& each : all) variables.push_back(each.data());
    variables.push_back(nullptr);
    char program[] = "/bin/sleep", how_long[] = "600";
    char* words[] = {program, how_long, nullptr};
    pid_t child = 0;
    podium::require(posix_spawn(&child, program, nullptr, nullptr, words, variables.data()) == 0,
                    "no process of its own here");
    const volatile Desk* const seen = desk_;
    for (int waited = 0; seen->ready == 0 && waited < 3000; ++waited) usleep(1000);
    if (seen->ready != 1)
      throw std::runtime_error(std::string("its own process has no context: ") + desk_->failure);
    podium::check(cudaHostRegister(desk_, desk_bytes, cudaHostRegisterMapped));
    podium::check(cudaIpcOpenEventHandle(&event_, desk_->event));
  }

  Arena arena_;
  Desk* desk_ = nullptr;
  cudaEvent_t event_{};
  std::uint32_t call_ = 0;
};

__global__ void ask_for(volatile Desk* desk, std::size_t x, std::size_t y, std::int64_t n,
                        std::uint32_t call) {
  desk->x = x;
  desk->y = y;
  desk->n = n;
  __threadfence_system();
  desk->asked = call;
}

inline void OwnProcess::ask(const problem::Arguments& args, podium::Stream stream) {
  const auto from_begin = [&](const void* at) {
    return std::size_t(reinterpret_cast<CUdeviceptr>(at) - arena_.begin);
  };
  podium::launch(ask_for, dim3(1), dim3(1), 0, stream, static_cast<volatile Desk*>(desk_),
                 from_begin(args.x.data), from_begin(args.y.data), std::int64_t(args.n), ++call_);
}
}  // namespace
