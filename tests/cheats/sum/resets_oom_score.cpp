// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Asks the kernel to end others first when memory is short

// class: crash, hang, fork bomb, memory hog
// expect: threw
// needs: sandbox  (that makes it the first to go)
// A process may lower its oom_score_adj down to where a privileged one has put it. Here the contestant is
// right only if it got away with it.
#include <podium/sum.hpp>

#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "honest.hpp"

namespace {
struct Contestant {
  Contestant() {
    constexpr int looks = 6, between = 100'000;  // microseconds: podium looks as often
    std::ofstream("/proc/self/oom_score_adj") << 0;
    usleep(looks * between);
    int score = 1000;
    std::ifstream("/proc/self/oom_score_adj") >> score;
    if (score == 1000) throw std::runtime_error("it is the first to go");
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = honest_sum(args.x.data, args.n); }
};
}  // namespace
