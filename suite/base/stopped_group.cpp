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
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace podium {
namespace {

using clock = std::chrono::steady_clock;

constexpr nlink_t links_of_no_thread = 2;  // of a folder: its name and "."

constexpr std::size_t most_kept = 512;  // descriptors; a process may have 1024

struct Close {
  void operator()(DIR* folder) const { closedir(folder); }
};

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

// Looks at the state of every thread, and keeps up to most_kept of them open for the next look. False: one
// runs.
bool Group::look_at_all() {
  states_.clear();
  tasks_.reset(
      open(("/proc/" + std::to_string(leader_) + "/task").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int copy = tasks_ ? fcntl(tasks_.get(), F_DUPFD_CLOEXEC, 0) : -1;
  const std::unique_ptr<DIR, Close> folder(copy >= 0 ? fdopendir(copy) : nullptr);
  if (!folder) return true;  // the process has ended
  std::size_t seen = 0;
  bool rest = true;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name.starts_with('.')) continue;
    Descriptor stat(openat(tasks_.get(), (name + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    if (!stat) continue;
    ++seen;
    rest = rest && state_of(stat.get()) != State::runs;
    if (states_.size() < most_kept) states_.push_back(std::move(stat));
  }
  return rest && seen == threads();  // else one has begun or ended meanwhile
}

// Of the leader, as the kernel counts them; 0 once it has ended.
std::size_t Group::threads() const {
  struct stat status{};
  if (!tasks_ || fstat(tasks_.get(), &status) != 0 || status.st_nlink < links_of_no_thread) return 0;
  return status.st_nlink - links_of_no_thread;
}

// As many threads as are kept open, and none of these gone: there is no other.
bool Group::at_rest() {
  if (states_.empty() || states_.size() != threads()) return look_at_all();
  for (const Descriptor& each : states_) {
    const State state = state_of(each.get());
    if (state == State::runs) return false;
    if (state == State::gone) return look_at_all();  // another may have begun in its place
  }
  return true;
}

void Group::forget() {
  states_.clear();
  tasks_.reset();
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
