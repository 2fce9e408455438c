// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/sandbox_mounts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "suite/base/descriptor.hpp"

namespace podium::contest {
namespace {

constexpr std::size_t most_carried = 32;  // mounts and folders that are put back where something was covered

bool below(const std::string& path, const std::string& folder) { return path.starts_with(folder + "/"); }

std::vector<std::string> mounts_below(const std::string& folder) {
  std::vector<std::string> all;
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string id, parent, device, root, at;
    words >> id >> parent >> device >> root >> at;
    if (below(at, folder) && std::ranges::find(all, at) == all.end()) all.push_back(at);
  }
  // What lies within another of them comes along with it.
  std::erase_if(all, [&](const std::string& path) {
    return std::ranges::any_of(all, [&](const std::string& other) { return below(path, other); });
  });
  return all;
}

bool attributes(const char* path, std::uint64_t set, std::uint64_t clear, unsigned flags) {
  mount_attr attr{};
  attr.attr_set = set;
  attr.attr_clr = clear;
  return mount_setattr(AT_FDCWD, path, flags, &attr, sizeof attr) == 0;
}

bool tmpfs(const char* at, const char* options) {
  return mount("podium", at, "tmpfs", MS_NODEV | MS_NOSUID, options) == 0;
}

// A copy of what is mounted at a path, with all below, to be put elsewhere or back.
int copy_of(const char* path) {
  return open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
}

bool put(int tree, const char* path) {
  return move_mount(tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

// Mounts a device's file over itself, where no device can be opened: EACCES, after which CUDA's driver goes
// on with those that it can open. A file that is not there needs none.
bool close_device(const char* path) {
  const Descriptor copy(open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  if (!copy) return errno == ENOENT;
  mount_attr attr{};
  attr.attr_set = MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY;
  return mount_setattr(copy.get(), "", AT_EMPTY_PATH, &attr, sizeof attr) == 0 && put(copy.get(), path);
}

void make_folders(const std::string& path) {
  std::array<char, PATH_MAX> part{};
  for (std::size_t i = 1; i <= path.size() && i < part.size(); ++i)
    if (i == path.size() || path[i] == '/') {
      std::memcpy(part.data(), path.data(), i);
      part[i] = '\0';
      ::mkdir(part.data(), 0755);
    }
}

}  // namespace

const std::vector<std::string>& PrivateMounts::scratch() {
  static const std::vector<std::string> all = {"/tmp", "/var/tmp", "/dev/shm"};
  return all;
}

PrivateMounts::PrivateMounts(std::int64_t scratch_bytes, std::vector<std::string> kept, bool hides,
                             std::vector<std::string> devices, std::vector<std::string> covered)
    : size_(fmt::format("mode=1777,size={}", scratch_bytes)),
      devices_(std::move(devices)),
      covered_(std::move(covered)),
      hides_(hides) {
  for (std::string& folder : kept)
    if (below(folder, "/tmp") || below(folder, "/var/tmp") || below(folder, "/dev/shm"))
      if (kept_.size() < most_carried && std::ranges::find(kept_, folder) == kept_.end())
        kept_.push_back(std::move(folder));
  if (hides) over_proc_ = mounts_below("/proc");
}

// A proc of its own, with what was mounted over the old one: containers keep GPUs apart, and hide files, so.
bool PrivateMounts::hide_processes() const {
  std::array<int, most_carried> copies{};
  const std::size_t count = std::min(over_proc_.size(), copies.size());
  for (std::size_t i = 0; i < count; ++i)
    if ((copies[i] = copy_of(over_proc_[i].c_str())) < 0) return false;
  bool well = over_proc_.size() <= copies.size() &&
              mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2") == 0;
  for (std::size_t i = 0; i < count; ++i) {
    well = well && put(copies[i], over_proc_[i].c_str());
    close(copies[i]);
  }
  return well;
}

bool PrivateMounts::apply() const {
  if (mount("none", "/", nullptr, MS_PRIVATE | MS_REC, nullptr) != 0) return false;
  std::array<int, most_carried> copies{};
  for (std::size_t i = 0; i < kept_.size(); ++i) copies[i] = copy_of(kept_[i].c_str());
  if (hides_ && !hide_processes()) return false;
  if (!attributes("/", MOUNT_ATTR_RDONLY, 0, AT_RECURSIVE)) return false;
  attributes("/proc", 0, MOUNT_ATTR_RDONLY, 0);  // names of threads are written there
  bool well = true;
  for (const std::string& folder : scratch())
    well = well && (access(folder.c_str(), F_OK) != 0 || tmpfs(folder.c_str(), size_.c_str()));
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (copies[i] < 0) continue;  // a folder that is not there
    make_folders(kept_[i]);
    well = well && put(copies[i], kept_[i].c_str()) &&
           attributes(kept_[i].c_str(), MOUNT_ATTR_RDONLY, 0, AT_RECURSIVE);
    close(copies[i]);
  }
  for (const std::string& folder : covered_)
    well = well && (access(folder.c_str(), F_OK) != 0 || tmpfs(folder.c_str(), "mode=0,nr_inodes=1"));
  // Last of all: what was put back shows the files as they were before.
  for (const std::string& file : devices_) well = well && close_device(file.c_str());
  return well;
}

}  // namespace podium::contest
