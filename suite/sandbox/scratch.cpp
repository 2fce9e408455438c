// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/scratch.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/sandbox/locked_folder.hpp"

namespace podium::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* home = "/tmp";
constexpr const char* scratch_prefix = "podium-scratch-";

void remove_files_in(const fs::path& folder, uid_t owner) {
  std::error_code error, ignored;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    struct stat status{};
    if (lstat(entry.path().c_str(), &status) == 0 && status.st_uid == owner)
      fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

void remove_abandoned_scratch() {
  each_abandoned_folder(home, scratch_prefix, [](const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  });
}

ScratchFolder::ScratchFolder(uid_t owner) {
  static const bool once = (remove_abandoned_scratch(), true);
  static_cast<void>(once);
  auto [path, lock] = make_locked_folder(home, scratch_prefix);
  if (!lock)
    throw Error(fmt::format("{}: creating a folder for a worker's files there failed: {}", home,
                            std::strerror(errno)));
  path_ = std::move(path);
  lock_ = std::move(lock);
  if (owner != geteuid() && fchown(lock_.get(), owner, owner) != 0)
    throw Error(fmt::format("{}: changing its owner to user {} failed: {}", path_.string(), owner,
                            std::strerror(errno)));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
    lock_ = std::move(other.lock_);
  }
  return *this;
}

ScratchFolder::~ScratchFolder() { remove(); }

void ScratchFolder::remove() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  path_.clear();
  lock_.reset();
}

void remove_files_of(uid_t owner) {
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/run/lock"}) remove_files_in(folder, owner);
}

}  // namespace podium::sandbox
