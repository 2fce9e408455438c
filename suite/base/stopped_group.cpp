// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/stopped_group.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace podium {
namespace {

using clock = std::chrono::steady_clock;

constexpr nlink_t links_of_no_thread = 2;  // of a folder: its name and "."

constexpr std::size_t most_kept = 256;  // threads, with two descriptors each; a process may have 1024

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

// Calls visit(name of each thread) of /proc/PID/task.
template <class Visit>
void for_each_task(const Descriptor& tasks, Visit visit) {
  const int copy = tasks ? fcntl(tasks.get(), F_DUPFD_CLOEXEC, 0) : -1;
  const std::unique_ptr<DIR, Close> folder(copy >= 0 ? fdopendir(copy) : nullptr);
  if (!folder) return;      // the process has ended
  rewinddir(folder.get());  // the copy goes on where another has stopped
  while (const dirent* entry = readdir(folder.get()))
    if (entry->d_name[0] != '.') visit(std::string(entry->d_name));
}

Descriptor children_of(const Descriptor& tasks, const std::string& thread) {
  return Descriptor(openat(tasks.get(), (thread + "/children").c_str(), O_RDONLY | O_CLOEXEC));
}

// Adds the process ids that the file lists, a space after each. None on a kernel without such files.
void add_children(int file, std::vector<pid_t>& all) {
  std::array<char, 4096> text;  // some 500 of them; a worker may have 256
  const ssize_t got = file < 0 ? 0 : pread(file, text.data(), text.size(), 0);
  const char* const end = text.data() + std::max<ssize_t>(got, 0);
  for (const char* at = text.data(); at < end; ++at) {
    pid_t pid = 0;
    at = std::from_chars(at, end, pid).ptr;
    if (pid > 0) all.push_back(pid);
  }
}

}  // namespace

// Looks at the state of every thread, and keeps up to most_kept of them open for the next look. False: one
// runs.
bool Group::look_at_all() {
  threads_.clear();
  tasks_.reset(
      open(("/proc/" + std::to_string(leader_) + "/task").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::size_t seen = 0;
  bool rest = true;
  for_each_task(tasks_, [&](const std::string& name) {
    Descriptor stat(openat(tasks_.get(), (name + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    if (!stat) return;
    ++seen;
    rest = rest && state_of(stat.get()) != State::runs;
    if (threads_.size() < most_kept) threads_.push_back({std::move(stat), children_of(tasks_, name)});
  });
  return !tasks_ || (rest && seen == threads());  // else one has begun or ended meanwhile
}

// Processes that one of the threads has started, and those that these left behind. True: one that was not
// known, which may run.
bool Group::find_children() {
  std::vector<pid_t> now;
  if (threads_.size() == threads())
    for (const Thread& thread : threads_) add_children(thread.children.get(), now);
  else  // too many to be kept open
    for_each_task(tasks_,
                  [&](const std::string& name) { add_children(children_of(tasks_, name).get(), now); });
  std::erase_if(children_, [&](const Group& child) { return !std::ranges::count(now, child.leader_); });
  bool found = false;
  for (const pid_t child : now)
    if (!std::ranges::count(children_, child, &Group::leader_)) {
      children_.emplace_back(child);
      found = true;
    }
  for (Group& child : children_) found = child.find_children() || found;
  return found;
}

// Of the leader, as the kernel counts them; 0 once it has ended.
std::size_t Group::threads() const {
  struct stat status{};
  if (!tasks_ || fstat(tasks_.get(), &status) != 0 || status.st_nlink < links_of_no_thread) return 0;
  return status.st_nlink - links_of_no_thread;
}

// As many threads as are kept open, and none of these gone: there is no other.
bool Group::threads_at_rest() {
  if (threads_.empty() || threads_.size() != threads()) return look_at_all();
  for (const Thread& each : threads_) {
    const State state = state_of(each.stat.get());
    if (state == State::runs) return false;
    if (state == State::gone) return look_at_all();  // another may have begun in its place
  }
  return true;
}

bool Group::at_rest() {
  return threads_at_rest() && std::ranges::all_of(children_, [](Group& child) { return child.at_rest(); });
}

void Group::forget() {
  threads_.clear();
  tasks_.reset();
  children_.clear();
}

void Group::tell_to_stop() const { kill(-leader_, SIGSTOP); }

bool Group::stopped(std::chrono::milliseconds patience) {
  const auto end = clock::now() + patience;
  do {
    while (!at_rest()) {
      if (clock::now() > end) {
        go_on();
        return false;
      }
      std::this_thread::yield();
    }
  } while (find_children());
  return true;
}

void Group::go_on() const { kill(-leader_, SIGCONT); }

std::chrono::nanoseconds Group::processor_time() const {
  std::chrono::nanoseconds used{0};
  clockid_t theirs{};
  timespec time{};
  if (clock_getcpuclockid(leader_, &theirs) == 0 && clock_gettime(theirs, &time) == 0)
    used = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  for (const Group& child : children_) used += child.processor_time();
  return used;
}

}  // namespace podium
