// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// OS threads that share a launch's blocks.
#pragma once
#include <podium/emulation/library/scheduler.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace podium::host {

// The threads start with the first launch and are never joined: a worker ends by _exit, and what sleeps at
// the end of a program does not hold it up. Only they run blocks, so kernels touch no thread-local variable
// of the caller.
class Pool {
 public:
  static Pool& get() {
    static Pool& pool = *new Pool;
    return pool;
  }

  // Returns when all blocks have run; else what was wrong with the first that failed.
  std::optional<std::string> run(Launch& launch) {
    const std::lock_guard one_at_a_time(launches_);
    std::unique_lock lock(mutex_);
    error_.reset();
    launch_ = &launch;
    busy_ = wanted_ = static_cast<unsigned>(std::min<std::uint64_t>(volume(launch.grid), workers()));
    for (; started_ < wanted_; ++started_) std::thread([this] { serve(); }).detach();
    wake_.notify_all();
    done_.wait(lock, [&] { return busy_ == 0; });
    return error_;
  }

 private:
  static unsigned workers() {
    // Each may come to hold 1024 stacks of two mappings, and Linux grants a process 65530 mappings.
    constexpr unsigned most = 16;
    const char* const given = std::getenv("PODIUM_HOST_WORKERS");
    const unsigned wanted =
        given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::thread::hardware_concurrency();
    return std::clamp(wanted, 1u, most);
  }

  void serve() {
    Scheduler scheduler;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return wanted_ != 0; });
      --wanted_;
      Launch& launch = *launch_;
      lock.unlock();
      auto error = work(scheduler, launch);
      lock.lock();
      if (error && !error_) error_ = std::move(error);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  static std::optional<std::string> work(Scheduler& scheduler, Launch& launch) try {
    const std::uint64_t blocks = volume(launch.grid);
    for (std::uint64_t block; !launch.stop && (block = launch.next_block++) < blocks;) {
      auto error = scheduler.run(launch, block);
      if (!error) continue;
      launch.stop = true;
      return error;
    }
    return std::nullopt;
  } catch (const std::exception& error) {
    launch.stop = true;
    return error.what();
  }

  std::mutex launches_, mutex_;
  std::condition_variable wake_, done_;
  Launch* launch_ = nullptr;
  unsigned started_ = 0, wanted_ = 0,
           busy_ = 0;  // threads: there; still to join this launch; not done with it
  std::optional<std::string> error_;
};

}  // namespace podium::host
