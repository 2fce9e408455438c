// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets another GPU of the machine do the work

// class: side stream, late work
// expect: threw
// needs: two devices
// The result would be right, and the time that of two GPUs, on a table for one. It takes a file of the other
// device's that a worker can open; if none can be opened it says which it tried.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "honest.hpp"

namespace {
int visible() {
  int count = 0;
  podium::check(cudaGetDeviceCount(&count));
  return count;
}

// "nvidia0: opened, nvidia1: Permission denied"
std::string files() {
  std::string all;
  DIR* const folder = opendir("/dev");
  while (const dirent* entry = folder ? readdir(folder) : nullptr) {
    const std::string name = entry->d_name;
    if (name.rfind("nvidia", 0) != 0 || name.size() < 7 || !std::isdigit(static_cast<unsigned char>(name[6])))
      continue;
    const int file = open(("/dev/" + name).c_str(), O_RDWR);
    all += (all.empty() ? "" : ", ") + name + ": " + (file >= 0 ? "opened" : std::strerror(errno));
    if (file >= 0) close(file);
  }
  if (folder) closedir(folder);
  return all;
}

class Chosen {  // for a while
 public:
  explicit Chosen(int device) {
    podium::check(cudaGetDevice(&before_));
    podium::check(cudaSetDevice(device));
  }
  ~Chosen() { cudaSetDevice(before_); }
  Chosen(const Chosen&) = delete;
  Chosen& operator=(const Chosen&) = delete;

 private:
  int before_ = 0;
};

struct Contestant {
  int own = 0, other = 0;
  float *x = nullptr, *y = nullptr;  // there
  cudaStream_t there{};
  cudaEvent_t fork{}, join{};

  explicit Contestant(const problem::Workload& workload) {
    if (visible() < 2) throw std::runtime_error("no second GPU to help: " + files());
    podium::check(cudaGetDevice(&own));
    other = own == 0 ? 1 : 0;
    podium::check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    const Chosen chosen(other);
    podium::check(cudaMalloc(&x, std::size_t(workload.n) * sizeof(float)));
    podium::check(cudaMalloc(&y, sizeof(float)));
    podium::check(cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking));
    podium::check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  }
  ~Contestant() {
    cudaFree(x);
    cudaFree(y);
    cudaStreamDestroy(there);
    cudaEventDestroy(join);
    cudaEventDestroy(fork);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(
        cudaMemcpyPeerAsync(x, other, args.x.data, own, std::size_t(args.n) * sizeof(float), stream));
    podium::check(cudaEventRecord(fork, stream));
    {
      const Chosen chosen(other);
      podium::check(cudaStreamWaitEvent(there, fork, 0));
      podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, there, static_cast<const float*>(x), y,
                     args.n);
      podium::check(cudaEventRecord(join, there));
    }
    podium::check(cudaStreamWaitEvent(stream, join, 0));
    podium::check(cudaMemcpyPeerAsync(args.y.data, own, y, other, sizeof(float), stream));
  }
};
}  // namespace
