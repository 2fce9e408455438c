// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A folder for one worker's files, gone with it.
#pragma once
#include <sys/types.h>

#include <filesystem>

#include "suite/base/descriptor.hpp"

namespace podium::sandbox {

class ScratchFolder {
 public:
  ScratchFolder() = default;  // none
  // In /tmp, for `owner` alone. The first of a process removes abandoned ones. Throws podium::Error.
  explicit ScratchFolder(uid_t owner);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }  // empty: none
  void remove();                                               // with all in it

 private:
  std::filesystem::path path_;
  Descriptor lock_;  // held while it is in use
};

// Removes the folders of runs that were killed: those that no process holds.
void remove_abandoned_scratch();

// Removes what a user id of a worker's has left in /tmp, /var/tmp, /dev/shm and /run/lock, which are open to
// all: a worker that has neither a view of its own nor Landlock may write there. Its processes must have
// ended.
void remove_files_of(uid_t owner);

}  // namespace podium::sandbox
