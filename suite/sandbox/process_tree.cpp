// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/process_tree.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

namespace podium::sandbox {
namespace {

constexpr int plain_threads = 1024, threads_a_processor = 8;
constexpr int share_of_time = 20;

struct Close {
  void operator()(DIR* folder) const { closedir(folder); }
};

template <class Visit>
void each_process(const Visit& visit) {
  const std::unique_ptr<DIR, Close> folder(opendir("/proc"));
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc() && end == name.data() + name.size()) visit(pid);
  }
}

// Of /proc/PID/stat, what follows the name: state, parent, group, ... Nothing: it has ended.
std::optional<std::string> after_name(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line, '\0');
  const auto end = line.rfind(')');  // the name before it may hold anything
  if (end == std::string::npos || end + 2 >= line.size()) return std::nullopt;
  return line.substr(end + 2);
}

struct Stat {
  char state = 'X';
  pid_t group = -1;
};

Stat stat_of(pid_t pid) {
  Stat stat;
  if (const auto line = after_name(pid)) {
    pid_t parent = 0;
    std::istringstream words(*line);
    if (!(words >> stat.state >> parent >> stat.group)) return {};
  }
  return stat;
}

bool lives(const Stat& stat) { return stat.state != 'X' && stat.state != 'Z'; }

std::int64_t resident(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  std::int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Each shared page divided by the processes that share it.
std::optional<std::int64_t> proportional(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/smaps_rollup", pid));
  constexpr std::int64_t kib = 1024;
  for (std::string word; file >> word;)
    if (std::int64_t value = 0; word == "Pss:" && file >> value) return value * kib;
  return std::nullopt;
}

// The process begun last, which each new one changes.
long newest_process() {
  std::ifstream file("/proc/loadavg");
  std::string one, five, fifteen, running;
  long newest = 0;
  file >> one >> five >> fifteen >> running >> newest;
  return newest;
}

}  // namespace

int most_threads() {
  return plain_threads + threads_a_processor * static_cast<int>(std::thread::hardware_concurrency());
}

int threads_of_user(uid_t uid) {
  int count = 0;
  each_process([&](pid_t pid) {
    struct stat status{};
    const std::string folder = fmt::format("/proc/{}/task", pid);
    constexpr int links_of_no_thread = 2;
    if (stat(folder.c_str(), &status) == 0 && status.st_uid == uid)
      count += std::max(1, static_cast<int>(status.st_nlink) - links_of_no_thread);
  });
  return count;
}

std::vector<pid_t> processes_of_user(uid_t uid) {
  std::vector<pid_t> all;
  each_process([&](pid_t pid) {
    struct stat status{};
    if (stat(fmt::format("/proc/{}", pid).c_str(), &status) == 0 && status.st_uid == uid) all.push_back(pid);
  });
  return all;
}

void ProcessTree::find_members() {
  const auto began = clock::now();
  newest_ = newest_process();
  members_.clear();
  each_process([&](pid_t pid) {
    if (pid == leader_) return;
    const Stat stat = stat_of(pid);
    if (!lives(stat)) return;
    bool ours = stat.group == leader_;
    // One that got out of the group is still of the worker's user.
    if (struct stat status{}; !ours && uid_ != 0)
      ours = ::stat(fmt::format("/proc/{}/task", pid).c_str(), &status) == 0 && status.st_uid == uid_;
    if (ours) members_.push_back(pid);
  });
  next_ = clock::now() + share_of_time * (clock::now() - began);
}

Usage ProcessTree::usage() {
  if (leader_ <= 0) return {};
  if (newest_process() != newest_ && clock::now() >= next_) find_members();
  Usage usage;
  const auto add = [&](pid_t pid) {
    const std::int64_t bytes = resident(pid);
    usage.bytes += bytes;
    usage.processes += bytes > 0;
  };
  add(leader_);
  for (const pid_t pid : members_) add(pid);
  return usage;
}

std::optional<std::int64_t> ProcessTree::bytes() const {
  auto sum = proportional(leader_);
  for (const pid_t pid : members_)
    if (const auto more = proportional(pid); more && sum) *sum += *more;
  return sum;
}

}  // namespace podium::sandbox
