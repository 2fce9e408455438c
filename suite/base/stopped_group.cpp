// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/stopped_group.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <string_view>
#include <thread>

namespace podium {
namespace {

using clock = std::chrono::steady_clock;

constexpr nlink_t links_of_no_thread = 2;  // of a folder: its name and "."

enum class State { runs, rests, gone };

State state_of(int stat) {
  std::array<char, 512> text;  // pid (name of at most 64 bytes) state ...
  const ssize_t got = pread(stat, text.data(), text.size(), 0);
  if (got <= 0) return State::gone;
  const std::string_view line(text.data(), static_cast<std::size_t>(got));
  const auto name_end = line.rfind(')');  // the name before it may hold anything
  if (name_end == std::string_view::npos || name_end + 2 >= line.size()) return State::runs;
  constexpr std::string_view at_rest = "TtZXx";
  return at_rest.find(line[name_end + 2]) == std::string_view::npos ? State::runs : State::rests;
}

}  // namespace

// Opens the states of all threads there are. False: the process has ended.
bool Group::list() {
  states_.clear();
  tasks_.reset(
      open(("/proc/" + std::to_string(leader_) + "/task").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int copy = tasks_ ? fcntl(tasks_.get(), F_DUPFD_CLOEXEC, 0) : -1;
  DIR* folder = copy >= 0 ? fdopendir(copy) : nullptr;
  if (!folder) return false;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name.starts_with('.')) continue;
    Descriptor stat(openat(tasks_.get(), (name + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    if (stat) states_.push_back(std::move(stat));
  }
  closedir(folder);
  return true;
}

// As many threads as are known, and none of these gone: there is no other.
bool Group::at_rest() {
  struct stat status{};
  const bool listed = tasks_ && fstat(tasks_.get(), &status) == 0;
  if (!listed || status.st_nlink != links_of_no_thread + states_.size()) {
    if (!list()) return true;
    if (fstat(tasks_.get(), &status) != 0) return true;
    if (status.st_nlink != links_of_no_thread + states_.size()) return false;  // one has begun or ended since
  }
  for (const Descriptor& each : states_) {
    const State state = state_of(each.get());
    if (state == State::gone) states_.clear();  // another may have begun in its place
    if (state != State::rests) return false;
  }
  return true;
}

void Group::tell_to_stop() const { kill(-leader_, SIGSTOP); }

bool Group::stopped(std::chrono::milliseconds patience) {
  const auto end = clock::now() + patience;
  while (!at_rest()) {
    if (clock::now() > end) {
      go_on();
      return false;
    }
    std::this_thread::yield();
  }
  return true;
}

void Group::go_on() const { kill(-leader_, SIGCONT); }

std::chrono::nanoseconds Group::processor_time() const {
  clockid_t theirs{};
  timespec time{};
  if (clock_getcpuclockid(leader_, &theirs) != 0 || clock_gettime(theirs, &time) != 0)
    return std::chrono::nanoseconds{0};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace podium
