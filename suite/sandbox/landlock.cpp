// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "suite/base/descriptor.hpp"

namespace podium::sandbox {
namespace {

// linux/landlock.h as of version 6 (Linux 6.12); an older kernel is given the length of what it knows.
struct Ruleset {
  std::uint64_t files, networks, scopes;
};
constexpr std::uint64_t refer = 1 << 13, truncate = 1 << 14, ask_device = 1 << 15;
constexpr std::uint64_t bind_tcp = 1 << 0, connect_tcp = 1 << 1;
constexpr std::uint64_t abstract_sockets = 1 << 0, signals = 1 << 1;
constexpr int with_refer = 2, with_truncate = 3, with_networks = 4, with_devices = 5, with_scopes = 6;

constexpr std::uint64_t every_change = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                       LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                       LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                       LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                       LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t every_read = read_file | LANDLOCK_ACCESS_FS_READ_DIR;

// Devices of every process, and those of GPUs: folders with all that is in them.
bool may_write(const std::string& device) {
  for (const char* plain : {"null", "zero", "full", "random", "urandom", "tty", "kfd", "dri", "dxg"})
    if (device == plain) return true;
  return device.starts_with("nvidia");
}

bool allow(int rules, const char* path, std::uint64_t access) {
  const Descriptor at(open(path, O_PATH | O_CLOEXEC));
  if (!at) return errno == ENOENT || errno == EACCES;  // nothing to allow
  const landlock_path_beneath_attr beneath{.allowed_access = access, .parent_fd = at.get()};
  return syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
}

}  // namespace

int landlock_version() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool Landlock::hides_devices() { return landlock_version() >= with_devices; }

Landlock::Landlock(std::vector<std::string> scratch, const std::vector<std::string>& hidden,
                   std::vector<std::string> readable)
    : version_(landlock_version()),
      hides_(!hidden.empty()),
      scratch_(std::move(scratch)),
      readable_(std::move(readable)) {
  std::error_code none;
  std::vector<struct stat> closed;  // whatever else they are called
  for (const auto& file : hidden)
    if (struct stat one{}; stat(file.c_str(), &one) == 0) closed.push_back(one);
  const auto add = [&](const std::filesystem::path& file) {
    struct stat here{};
    const bool there = stat(file.c_str(), &here) == 0;
    const auto same = [&](const struct stat& one) {
      return (one.st_dev == here.st_dev && one.st_ino == here.st_ino) ||
             (S_ISCHR(one.st_mode) && S_ISCHR(here.st_mode) && one.st_rdev == here.st_rdev);
    };
    if (!there || std::ranges::none_of(closed, same)) devices_.push_back(file);
  };
  for (const auto& entry : std::filesystem::directory_iterator("/dev", none)) {
    if (!may_write(entry.path().filename())) continue;
    if (hides_ && entry.is_directory(none)) {  // what is allowed of a folder is allowed of all in it
      for (const auto& file : std::filesystem::directory_iterator(entry, none)) add(file.path());
    } else {
      add(entry.path());
    }
  }
}

bool Landlock::restrict_self() const {
  Ruleset ruleset{.files = every_change, .networks = 0, .scopes = 0};
  std::size_t length = sizeof ruleset.files;
  if (!readable_.empty()) ruleset.files |= every_read;
  if (version_ >= with_refer) ruleset.files |= refer;
  if (version_ >= with_truncate) ruleset.files |= truncate;
  const bool asks = hides_ && version_ >= with_devices;
  if (asks) ruleset.files |= ask_device;
  if (version_ >= with_networks) {
    ruleset.networks = networks_ ? bind_tcp | connect_tcp : 0;
    length += sizeof ruleset.networks;
  }
  if (version_ >= with_scopes) {
    ruleset.scopes = signals | (networks_ ? abstract_sockets : 0);
    length += sizeof ruleset.scopes;
  }
  const Descriptor rules(static_cast<int>(syscall(SYS_landlock_create_ruleset, &ruleset, length, 0)));
  if (!rules) return false;
  for (const std::string& folder : scratch_)
    if (!allow(rules.get(), folder.c_str(), ruleset.files)) return false;
  for (const std::string& device : devices_)  // a file has no rights of folders
    if (!allow(rules.get(), device.c_str(),
               LANDLOCK_ACCESS_FS_WRITE_FILE | (ruleset.files & read_file) | (asks ? ask_device : 0)))
      return false;
  for (const std::string& path : readable_) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) continue;
    if (!allow(rules.get(), path.c_str(), S_ISDIR(status.st_mode) ? every_read : read_file)) return false;
  }
  // Names of threads, which CUDA's driver opens as if to make them anew, and refuses to start if it may not.
  const std::uint64_t names = LANDLOCK_ACCESS_FS_WRITE_FILE | (ruleset.files & (truncate | every_read));
  if (!allow(rules.get(), "/proc", names)) return false;
  return syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

}  // namespace podium::sandbox
