// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/control_group.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/sandbox/process_tree.hpp"

namespace podium::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* group_prefix = "podium-group-";
constexpr const char* members = "cgroup.procs";
constexpr const char* handed_down = "cgroup.subtree_control";
constexpr const char* itself = "0";              // of the process that writes it
constexpr std::int64_t largest_piece = 1 << 20;  // that a process may lack when it is ended for it
constexpr std::int64_t tried_bytes = 64 << 20;   // for a process that does nothing

bool put(const fs::path& file, std::string_view text) {
  const Descriptor to(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  return to && write(to.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool lists(const fs::path& file, std::string_view word) {
  std::ifstream words(file);
  for (std::string found; words >> found;)
    if (found == word) return true;
  return false;
}

// The number behind `name`; 0: none.
std::int64_t count_in(const fs::path& file, std::string_view name) {
  std::ifstream lines(file);
  std::string found;
  for (std::int64_t count = 0; lines >> found >> count;)
    if (found == name) return count;
  return 0;
}

std::int64_t number_in(const fs::path& file) {
  std::int64_t number = 0;
  std::ifstream(file) >> number;
  return number;
}

std::vector<pid_t> processes_in(const fs::path& group) {
  std::vector<pid_t> all;
  std::ifstream lines(group / members);
  for (pid_t pid = 0; lines >> pid;) all.push_back(pid);
  return all;
}

// What is killed leaves its group a moment later.
void end_and_remove(const fs::path& group) {
  constexpr int looks = 10'000;  // a millisecond apart: others may have the processors
  for (int i = 0; i < looks && rmdir(group.c_str()) != 0 && errno == EBUSY; ++i) {
    for (const pid_t pid : processes_in(group))
      if (pid > 0) kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

struct Hierarchy {
  fs::path top, own;  // what is mounted; the group of the process within
};

// `controller` empty: version 2. Nothing: it is not mounted where the process could reach its group.
std::optional<Hierarchy> hierarchy(const fs::path& proc, std::string_view controller) {
  const auto among = [&](const std::string& names) {
    return controller.empty()
               ? names.empty()
               : ("," + names + ",").find(fmt::format(",{},", controller)) != std::string::npos;
  };
  std::optional<fs::path> path;
  std::ifstream groups(proc / "cgroup");
  for (std::string number, names, at; !path && std::getline(groups, number, ':') &&
                                      std::getline(groups, names, ':') && std::getline(groups, at);)
    if (among(names)) path = at;
  std::ifstream mounts(proc / "mountinfo");
  for (std::string line; path && std::getline(mounts, line);) {  // proc(5)
    const auto optional_end = line.find(" - ");
    if (optional_end == std::string::npos) continue;
    std::istringstream before(line), after(line.substr(optional_end + 3));
    std::string id, parent, device, root, top, type, source, options;
    before >> id >> parent >> device >> root >> top;
    after >> type >> source >> options;
    if (controller.empty() ? type != "cgroup2" : type != "cgroup" || !among(options)) continue;
    const fs::path below = path->lexically_relative(root);
    if (!below.empty() && *below.begin() != "..")
      return Hierarchy{top, (fs::path(top) / below).lexically_normal()};
  }
  return std::nullopt;
}

}  // namespace

ControlGroup::ControlGroup(int version, const fs::path& home, std::int64_t memory_bytes)
    : version_(version), folder_(make_locked_folder(home, group_prefix)) {
  const auto refused = [&] {
    const int error = errno;
    remove();
    return Error(
        fmt::format("{}: creating a control group there failed: {}", home.string(), std::strerror(error)));
  };
  if (!folder_.lock) throw refused();
  const fs::path& group = folder_.path;
  const std::string most = std::to_string(memory_bytes);
  if (!put(group / (version == 2 ? "memory.max" : "memory.limit_in_bytes"), most)) throw refused();
  // As far as this kernel has them: what was swapped out is counted, or nothing is.
  if (version == 2) {
    put(group / "memory.swap.max", "0");
    put(group / "memory.oom.group", "1");
    put(group / "pids.max", std::to_string(most_threads()));
  } else {
    put(group / "memory.memsw.limit_in_bytes", most);
    put(group / "memory.swappiness", "0");
  }
  entry_.reset(open((group / members).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!entry_) throw refused();
}

ControlGroup::ControlGroup(ControlGroup&& other) noexcept { *this = std::move(other); }

ControlGroup& ControlGroup::operator=(ControlGroup&& other) noexcept {
  if (this != &other) {
    remove();
    version_ = other.version_;
    folder_ = std::exchange(other.folder_, {});
    entry_ = std::move(other.entry_);
  }
  return *this;
}

ControlGroup::~ControlGroup() { remove(); }

bool ControlGroup::enter() const { return write(entry_.get(), itself, 1) == 1; }

// Processes that the kernel ends for want of the machine's memory count as ended, too; the limit shows which.
bool ControlGroup::ran_out() const {
  const fs::path& group = folder_.path;
  if (group.empty()) return false;
  if (version_ == 2) {
    const fs::path events = group / "memory.events";
    return count_in(events, "oom_kill") > 0 && count_in(events, "oom") > 0;
  }
  // Kernels since 6.12 count no failures (memory.failcnt).
  const auto most = [&](const char* of) {
    return number_in(group / fmt::format("{}.max_usage_in_bytes", of));
  };
  return count_in(group / "memory.oom_control", "oom_kill") > 0 &&
         std::max(most("memory"), most("memory.memsw")) >
             number_in(group / "memory.limit_in_bytes") - largest_piece;
}

void ControlGroup::remove() {
  entry_.reset();
  if (!folder_.path.empty()) end_and_remove(folder_.path);
  folder_ = {};
}

GroupHome::GroupHome(const fs::path& proc) {
  if (find_second(proc) || find_first(proc)) each_abandoned_folder(path_, group_prefix, end_and_remove);
}

GroupHome::~GroupHome() { move_back(); }

bool GroupHome::find_second(const fs::path& proc) {
  const auto found = hierarchy(proc, "");
  if (!found || !lists(found->own / "cgroup.controllers", "memory")) {
    obstacle_ = "this process's group has no memory controller";
    return false;
  }
  const auto hands_down = [](const fs::path& group) { return lists(group / handed_down, "memory"); };
  if (hands_down(found->own)) return works(2, found->own);
  if (works_after_moving(found->own)) return true;
  const fs::path beside = found->own.parent_path();
  return found->own != found->top && hands_down(beside) && works(2, beside);
}

bool GroupHome::find_first(const fs::path& proc) {
  const auto found = hierarchy(proc, "memory");
  return found && works(1, found->own);
}

bool GroupHome::works(int version, const fs::path& home) {
  try {
    const ControlGroup group(version, home, tried_bytes);
    const pid_t child = fork();
    if (child == 0) _exit(group.enter() ? 0 : errno);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return false;
    if (const int error = WEXITSTATUS(status); error != 0)
      throw Error(
          fmt::format("{}: moving a process there failed: {}", group.path().string(), std::strerror(error)));
    version_ = version;
    path_ = home;
  } catch (const Error& e) {
    obstacle_ = e.what();
  }
  return version_ != 0;
}

bool GroupHome::works_after_moving(const fs::path& own) {
  if (processes_in(own) != std::vector{getpid()}) {
    obstacle_ = fmt::format("{}: podium is not alone in it", own.string());
    return false;
  }
  leaf_ = make_locked_folder(own, group_prefix);
  if (leaf_.lock && put(leaf_.path / members, itself) && put(own / handed_down, "+memory")) {
    put(own / handed_down, "+pids");
    if (works(2, own)) return true;
  } else {
    obstacle_ = fmt::format("{}: podium cannot move below it: {}", own.string(), std::strerror(errno));
  }
  move_back();
  return false;
}

void GroupHome::move_back() {
  if (leaf_.path.empty()) return;
  const fs::path own = leaf_.path.parent_path();
  for (const char* controller : {"-memory", "-pids"}) put(own / handed_down, controller);
  put(own / members, itself);
  rmdir(leaf_.path.c_str());
  leaf_ = {};
}

const GroupHome& group_home() {
  static const GroupHome home;
  return home;
}

}  // namespace podium::sandbox
