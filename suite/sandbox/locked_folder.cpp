// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/locked_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace podium::sandbox {
namespace {

namespace fs = std::filesystem;

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

LockedFolder make_locked_folder(const fs::path& home, const char* prefix) {
  LockedFolder folder;
  // Until it is locked, another process may take the folder for an abandoned one; then the next is tried.
  do {
    std::string name = fmt::format("{}/{}XXXXXX", home.string(), prefix);
    if (!mkdtemp(name.data())) return {};
    folder.path = name;
    folder.lock = locked(folder.path);
  } while (!folder.lock && (errno == ENOENT || errno == EWOULDBLOCK));
  return folder;
}

void each_abandoned_folder(const fs::path& home, const char* prefix,
                           const std::function<void(const fs::path&)>& remove) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(home, error))
    if (entry.path().filename().string().starts_with(prefix))
      if (const Descriptor lock = locked(entry.path())) remove(entry.path());
}

}  // namespace podium::sandbox
