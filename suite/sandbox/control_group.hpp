// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Control groups (cgroups(7)), of version 2 or of version 1's memory controller: the kernel counts all that a
// group's processes take of memory, page tables, buffers of sockets and files in memory among it, and ends
// one of them where that exceeds the group's limit. A page that processes share counts for the group whose
// process touched it first.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "suite/base/descriptor.hpp"
#include "suite/sandbox/locked_folder.hpp"

namespace podium::sandbox {

class ControlGroup {
 public:
  ControlGroup() = default;  // none
  // A new group in `home`, with limits of memory and, where the kernel offers it, of threads: most_threads().
  // Throws podium::Error.
  ControlGroup(int version, const std::filesystem::path& home, std::int64_t memory_bytes);
  ControlGroup(ControlGroup&& other) noexcept;
  ControlGroup& operator=(ControlGroup&& other) noexcept;
  ~ControlGroup();

  explicit operator bool() const { return !folder_.path.empty(); }
  const std::filesystem::path& path() const { return folder_.path; }
  // In a child: it and all that it starts belong to the group. Allocates nothing. False, with errno.
  bool enter() const;
  // Whether the limit was reached, and the kernel ended a process for it.
  bool ran_out() const;
  void remove();  // and ends what is left in it

 private:
  int version_ = 0;
  LockedFolder folder_;
  Descriptor entry_;
};

// Where podium can make such groups.
class GroupHome {
 public:
  // Looks for it, and tries it, with a process's files in `proc`: below podium's own group, or beside it. In
  // version 2 a group either has processes or hands its controllers down, so a podium that is alone in its
  // group moves into one below. Groups that killed podiums have left there are removed.
  explicit GroupHome(const std::filesystem::path& proc = "/proc/self");
  GroupHome(const GroupHome&) = delete;
  GroupHome& operator=(const GroupHome&) = delete;
  ~GroupHome();  // back into the group where it was

  explicit operator bool() const { return version_ != 0; }
  int version() const { return version_; }
  const std::filesystem::path& path() const { return path_; }
  const std::string& obstacle() const { return obstacle_; }  // where there is none
  ControlGroup make(std::int64_t memory_bytes) const { return {version_, path_, memory_bytes}; }

 private:
  bool find_second(const std::filesystem::path& proc);
  bool find_first(const std::filesystem::path& proc);
  bool works(int version, const std::filesystem::path& home);
  bool works_after_moving(const std::filesystem::path& own);
  void move_back();

  int version_ = 0;
  std::filesystem::path path_;
  std::string obstacle_;
  LockedFolder leaf_;  // into which podium has moved
};

const GroupHome& group_home();  // this process's, looked for once

}  // namespace podium::sandbox
