// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Four threads add to one number in whatever order

// expect: right
// Atomic additions give other roundings every time.
#include <podium/sum.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    constexpr std::int64_t parts = 4;
    std::atomic<double> total{0};
    std::vector<std::thread> threads;
    for (std::int64_t part = 0; part < parts; ++part)
      threads.emplace_back([&, part] {
        for (std::int64_t begin = part * 1024; begin < args.n; begin += parts * 1024) {
          double sum = 0;
          for (std::int64_t i = begin; i < begin + 1024 && i < args.n; ++i) sum += args.x.data[i];
          total += sum;
        }
      });
    for (auto& thread : threads) thread.join();
    args.y() = float(total.load());
  }
};
}  // namespace
