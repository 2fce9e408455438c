// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace podium {

int processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1,
                  static_cast<int>(std::thread::hardware_concurrency()));  // more than the set has room for
}

void in_parallel(std::int64_t pieces, int threads, const std::function<void(std::int64_t)>& work) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto take = [&] {
    try {
      for (std::int64_t k = next++; k < pieces; k = next++) work(k);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = pieces;
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::int64_t k = 1; k < std::min<std::int64_t>(threads, pieces); ++k) others.emplace_back(take);
    } catch (const std::system_error&) {  // no more threads: fewer do the same work
    }
    take();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace podium
