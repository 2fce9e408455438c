// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps its answers in shared memory

// class: replay
// expect: wrong | threw
// A named segment stays when the process ends, where the machine lets it be made at all.
#include "honest.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace {
struct Contestant {
  struct Kept {
    std::int64_t n;
    float sum;
  };
  Kept* kept = nullptr;

  Contestant() {
    const std::string name = "/podium-cheat-" + std::to_string(getuid());
    const int memory = shm_open(name.c_str(), O_RDWR | O_CREAT, 0600);
    if (memory < 0 || ftruncate(memory, sizeof(Kept)) != 0) throw std::runtime_error("no shared memory here");
    kept = static_cast<Kept*>(mmap(nullptr, sizeof(Kept), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0));
    close(memory);
    shm_unlink(name.c_str());  // the tests leave nothing behind
  }
  void run(const problem::Arguments& args, podium::Stream) {
    if (kept->n != args.n) *kept = {args.n, honest_sum(args.x.data, args.n)};
    args.y() = kept->sum;
  }
};
}  // namespace
