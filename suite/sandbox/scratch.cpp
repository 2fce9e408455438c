// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/scratch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "suite/base/error.hpp"

namespace podium::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* home = "/tmp";
constexpr const char* prefix = "podium-scratch-";

void remove_files_in(const fs::path& folder, uid_t owner) {
  std::error_code error, ignored;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    struct stat status{};
    if (lstat(entry.path().c_str(), &status) == 0 && status.st_uid == owner)
      fs::remove_all(entry.path(), ignored);
  }
}

// That folder locked for this process alone. None, with errno: ENOENT if it is gone, EWOULDBLOCK if another
// process has it, or what else kept it.
Descriptor locked(const fs::path& path) {
  Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status{};
  if (!folder || flock(folder.get(), LOCK_EX | LOCK_NB) != 0 || fstat(folder.get(), &status) != 0) return {};
  if (status.st_nlink > 0) return folder;
  errno = ENOENT;
  return {};
}

}  // namespace

void remove_abandoned_scratch() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(home, error)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    std::error_code ignored;
    if (const Descriptor folder = locked(entry.path())) fs::remove_all(entry.path(), ignored);
  }
}

ScratchFolder::ScratchFolder(uid_t owner) {
  static const bool once = (remove_abandoned_scratch(), true);
  static_cast<void>(once);
  // Until it is locked, another process may take the folder for an abandoned one; then the next is tried.
  do {
    std::string name = fmt::format("{}/{}XXXXXX", home, prefix);
    if (!mkdtemp(name.data()))
      throw Error(fmt::format("{}: no folder for a worker's files can be made there: {}", home,
                              std::strerror(errno)));
    path_ = name;
    lock_ = locked(path_);
  } while (!lock_ && (errno == ENOENT || errno == EWOULDBLOCK));
  if (!lock_ || (owner != geteuid() && fchown(lock_.get(), owner, owner) != 0))
    throw Error(
        fmt::format("{}: cannot be given to user {}: {}", path_.string(), owner, std::strerror(errno)));
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
