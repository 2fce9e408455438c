// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/stopped_group.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "suite/base/process_stat.hpp"

namespace podium {
namespace {

using clock = std::chrono::steady_clock;

constexpr nlink_t links_of_no_thread = 2;  // of a folder: its name and "."

constexpr int turns = 10;  // of others on a busy machine, for each of a group that is to stop

constexpr std::size_t most_kept = 256;  // threads, with three descriptors each; a process may have 1024

struct Close {
  void operator()(DIR* folder) const { closedir(folder); }
};

bool is_in(std::string_view letters, char state) { return letters.find(state) != std::string_view::npos; }

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

// The last of three numbers; 0 where the kernel does not count.
std::uint64_t runs_in(int schedstat) {
  std::array<char, 128> text;
  const ssize_t got = pread(schedstat, text.data(), text.size(), 0);
  const std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  std::uint64_t runs = 0;
  if (const auto space = line.rfind(' '); space != std::string_view::npos)
    std::from_chars(line.data() + space + 1, line.data() + line.size(), runs);
  return runs;
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

Descriptor tasks_folder(pid_t process) {
  return Descriptor(
      open(("/proc/" + std::to_string(process) + "/task").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

std::vector<Task> tasks_of(pid_t leader) {
  std::vector<Task> all;
  std::vector<pid_t> processes{leader};
  for (std::size_t next = 0; next < processes.size(); ++next) {
    const pid_t process = processes[next];
    const Descriptor tasks = tasks_folder(process);
    for_each_task(tasks, [&](const std::string& name) {
      all.push_back({process, static_cast<pid_t>(std::stol(name))});
      std::vector<pid_t> children;
      add_children(children_of(tasks, name).get(), children);
      for (const pid_t child : children)  // one may move to another thread between two looks
        if (!std::ranges::count(processes, child)) processes.push_back(child);
    });
  }
  return all;
}

// Looks at every thread, and keeps up to most_kept of them open for the next look. False: one is in none of
// the states.
bool Group::look_at_all(std::string_view states) {
  threads_.clear();
  tasks_ = tasks_folder(leader_);
  seen_ = 0;
  processor_ = -1;
  bool rest = true;
  for_each_task(tasks_, [&](const std::string& name) {
    Descriptor stat(openat(tasks_.get(), (name + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    if (!stat) return;
    const ProcessStat seen = read_stat(stat.get());
    rest = rest && (seen.state == 0 || is_in(states, seen.state));
    if (seen_++ == 0) processor_ = seen.processor;
    if (threads_.size() < most_kept)
      threads_.push_back(
          {std::move(stat),
           Descriptor(openat(tasks_.get(), (name + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC)),
           children_of(tasks_, name)});
  });
  return !tasks_ || (rest && seen_ == threads_now());  // else one has begun or ended meanwhile
}

// Processes that one of the threads has started, and those that these left behind. True: one that was not
// known, which may run.
bool Group::find_children() {
  std::vector<pid_t> now;
  if (threads_.size() == seen_)
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

// As the kernel counts them; 0 once the leader has ended.
std::size_t Group::threads_now() const {
  struct stat status{};
  if (!tasks_ || fstat(tasks_.get(), &status) != 0 || status.st_nlink < links_of_no_thread) return 0;
  return status.st_nlink - links_of_no_thread;
}

// As many threads as are kept open, and none of these gone: there is no other.
bool Group::threads_at_rest(std::string_view states) {
  if (threads_.empty() || threads_.size() != threads_now()) return look_at_all(states);
  for (const Thread& each : threads_) {
    const ProcessStat seen = read_stat(each.stat.get());
    if (&each == &threads_.front()) processor_ = seen.processor;
    if (seen.state == 0) return look_at_all(states);  // another may have begun in its place
    if (!is_in(states, seen.state)) return false;
  }
  return true;
}

bool Group::at_rest(std::string_view states) {
  return threads_at_rest(states) &&
         std::ranges::all_of(children_, [&](Group& child) { return child.at_rest(states); });
}

// One look. Runs are counted before it: a thread that goes on behind the look begins to run, and one that had
// begun before is seen. And after it, since it may have found threads that were not counted.
bool Group::still(std::string_view states) {
  runs_when_still_ = runs();
  return at_rest(states) && !find_children() && runs() == runs_when_still_;
}

void Group::forget() {
  threads_.clear();
  tasks_.reset();
  children_.clear();
  seen_ = 0;
  processor_ = -1;
}

// Each thread that was found by itself: of a signal to the process the others hear when one that has to be
// woken has run.
void Group::tell_to_stop() const {
  for_each_task(tasks_, [&](const std::string& name) {
    syscall(SYS_tgkill, leader_, static_cast<pid_t>(std::stol(name)), SIGSTOP);
  });
  kill(-leader_, SIGSTOP);
}

bool Group::stopped(std::chrono::milliseconds patience) {
  const auto begin = clock::now();
  std::optional<std::chrono::nanoseconds> used;
  for (; !still(stopped_states); std::this_thread::yield()) {
    if (!used) used = processor_time();
    const auto passed = clock::now() - begin;
    if (passed > turns * patience || (passed > patience && processor_time() - *used > patience)) {
      go_on();
      return false;
    }
  }
  return true;
}

bool Group::asleep(std::chrono::microseconds patience) {
  const auto end = clock::now() + patience;
  do
    if (still(sleeping_states)) return runs_when_still_.has_value();
  while (clock::now() < end);
  return false;
}

void Group::go_on() const { kill(-leader_, SIGCONT); }

std::optional<std::uint64_t> Group::runs() const {
  if (threads_.empty() || threads_.size() != seen_) return std::nullopt;
  std::uint64_t sum = 0;
  for (const Thread& thread : threads_) {
    const std::uint64_t runs = runs_in(thread.schedstat.get());
    if (runs == 0) return std::nullopt;
    sum += runs;
  }
  for (const Group& child : children_) {
    const auto runs = child.runs();
    if (!runs) return std::nullopt;
    sum += *runs;
  }
  return sum;
}

std::chrono::nanoseconds Group::processor_time() const {
  std::chrono::nanoseconds used{0};
  if (clockid_t theirs{}; !clock_ && clock_getcpuclockid(leader_, &theirs) == 0) clock_ = theirs;
  timespec time{};
  if (clock_ && clock_gettime(*clock_, &time) == 0)
    used = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  for (const Group& child : children_) used += child.processor_time();
  return used;
}

}  // namespace podium
