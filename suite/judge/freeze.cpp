// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/freeze.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "suite/base/error.hpp"

namespace podium::judge {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{1};

// Whether every thread of `process` is stopped, or has ended.
bool stopped(pid_t process) {
  std::error_code gone;
  for (const auto& task : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
    std::ifstream file(task.path() / "stat");
    std::string stat;
    std::getline(file, stat);
    const auto name_end = stat.rfind(')');  // the name before it may hold anything
    if (name_end == std::string::npos || name_end + 2 >= stat.size()) continue;
    constexpr std::string_view at_rest = "TtZXx";
    if (at_rest.find(stat[name_end + 2]) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

Freeze::Freeze(pid_t leader) : leader_(leader) {
  kill(-leader_, SIGSTOP);
  const auto end = clock::now() + patience;
  while (!stopped(leader_)) {
    if (clock::now() > end) {
      kill(-leader_, SIGCONT);
      throw Error(fmt::format("the worker's threads did not stop within {} s", patience.count()));
    }
    std::this_thread::yield();
  }
}

Freeze::~Freeze() { kill(-leader_, SIGCONT); }

}  // namespace podium::judge
