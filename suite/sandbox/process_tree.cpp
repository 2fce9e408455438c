// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/process_tree.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "suite/base/process_stat.hpp"

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

std::int64_t page_bytes() { return sysconf(_SC_PAGESIZE); }

struct Pages {
  std::int64_t all = 0, resident = 0, shared = 0;
};

Pages pages_in(const std::string& folder) {
  std::ifstream file(folder + "/statm");
  Pages pages;
  file >> pages.all >> pages.resident >> pages.shared;
  return pages;
}

template <class Visit>
void each_name(const std::string& folder, const Visit& visit) {
  const std::unique_ptr<DIR, Close> open(opendir(folder.c_str()));
  while (const dirent* entry = open ? readdir(open.get()) : nullptr)
    if (entry->d_name[0] != '.') visit(folder + "/" + entry->d_name);
}

// Where the kernel tells of a process's memory and descriptors: where its first thread has ended, in the
// folder of another. Empty: it has none.
std::string folder_of(pid_t pid) {
  std::string found = fmt::format("/proc/{}", pid);
  if (pages_in(found).resident > 0) return found;
  const std::string tasks = found + "/task";
  found.clear();
  each_name(tasks, [&](const std::string& thread) {
    if (found.empty() && pages_in(thread).resident > 0) found = thread;
  });
  return found;
}

// Files that are in memory alone (memfd_create), with their bytes.
using MemoryFiles = std::map<std::pair<dev_t, ino_t>, std::int64_t>;

void add_memory_files(const std::string& folder, MemoryFiles& all) {
  constexpr std::string_view prefix = "/memfd:";
  constexpr std::int64_t block = 512;  // stat(2)
  each_name(folder + "/fd", [&](const std::string& file) {
    std::array<char, prefix.size()> name{};
    struct stat status{};
    if (readlink(file.c_str(), name.data(), name.size()) == static_cast<ssize_t>(name.size()) &&
        std::string_view(name.data(), name.size()) == prefix && stat(file.c_str(), &status) == 0)
      all[{status.st_dev, status.st_ino}] = status.st_blocks * block;
  });
}

std::int64_t sum_of(const MemoryFiles& files) {
  return std::accumulate(files.begin(), files.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& file) { return sum + file.second; });
}

// Each shared page divided by the processes that share it; mappings of `files` are left out.
std::optional<std::int64_t> proportional(const std::string& folder, const MemoryFiles& files) {
  std::ifstream file(folder + "/smaps");
  constexpr std::int64_t kib = 1024;
  std::int64_t sum = 0;
  bool any = false, counts = true;
  for (std::string line; std::getline(file, line); any = true) {
    std::istringstream words(line);
    std::string first, mode, offset;
    words >> first;
    if (!first.ends_with(':')) {  // a mapping's first line: proc(5)
      ino_t inode = 0;
      unsigned major = 0, minor = 0;
      char colon = 0;
      words >> mode >> offset >> std::hex >> major >> colon >> minor >> std::dec >> inode;
      counts = !words || !files.contains({makedev(major, minor), inode});
    } else if (std::int64_t value = 0; counts && first == "Pss:" && words >> value) {
      sum += value * kib;
    }
  }
  return any ? std::optional(sum) : std::nullopt;
}

// What a process may have changed of itself.
void put_back(const std::string& file, const char* value) {
  std::string now;
  if (std::ifstream(file) >> now && now != value) std::ofstream(file) << value;
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
    bool ours = stat_of(pid).group == leader_;
    // One that got out of the group is still of the worker's user.
    if (struct stat status{}; !ours && uid_ != 0)
      ours = ::stat(fmt::format("/proc/{}/task", pid).c_str(), &status) == 0 && status.st_uid == uid_;
    if (ours && !folder_of(pid).empty()) members_.push_back(pid);
  });
  next_ = clock::now() + share_of_time * (clock::now() - began);
}

// Of those that have not ended.
std::vector<std::string> ProcessTree::folders() const {
  std::vector<std::string> all{folder_of(leader_)};
  for (const pid_t pid : members_) all.push_back(folder_of(pid));
  std::erase(all, "");
  return all;
}

Usage ProcessTree::usage() {
  if (leader_ <= 0) return {};
  if (newest_process() != newest_ && clock::now() >= next_) find_members();
  Usage usage;
  MemoryFiles files;
  for (const std::string& folder : folders()) {
    if (first_) put_back(folder + "/oom_score_adj", first_to_go);
    usage.bytes += pages_in(folder).resident * page_bytes();
    ++usage.processes;
    add_memory_files(folder, files);
  }
  usage.bytes += sum_of(files);
  return usage;
}

std::optional<std::int64_t> ProcessTree::bytes() const {
  const auto all = folders();
  MemoryFiles files;
  for (const std::string& folder : all) add_memory_files(folder, files);
  std::int64_t sum = sum_of(files);
  for (const std::string& folder : all) {
    const auto more = proportional(folder, files);
    if (!more) return std::nullopt;
    sum += *more;
  }
  return sum;
}

std::int64_t ProcessTree::own_bytes() {
  if (newest_process() != newest_) find_members();
  std::int64_t sum = 0;
  MemoryFiles files;
  for (const std::string& folder : folders()) {
    const Pages pages = pages_in(folder);
    sum += (pages.resident - pages.shared) * page_bytes();
    add_memory_files(folder, files);
  }
  return sum + sum_of(files);
}

}  // namespace podium::sandbox
