// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A process confines itself: between fork and exec of a worker or a compiler.
#pragma once
#include <sys/resource.h>
#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "suite/sandbox/calls.hpp"
#include "suite/sandbox/landlock.hpp"
#include "suite/sandbox/mounts.hpp"
#include "suite/sandbox/sandbox.hpp"

namespace podium::sandbox {

// Whether this process has CAP_SYS_ADMIN, as root has it outside containers.
bool may_administer();

class Confinement {
 public:
  // Before the fork: all that allocates. `folder`: where the program lies, which must stay visible.
  // `scratch`: where the worker may write if it has no /tmp of its own. Throws podium::Error.
  Confinement(const Sandbox& sandbox, const std::filesystem::path& folder, std::string scratch);

  // In the child. What the kernel refused, errno set; nullptr: nothing. Allocates nothing.
  const char* apply();

 private:
  const char* separate(bool by_user) const;
  const char* join() const;
  const char* become_user() const;
  bool map_user() const;

  Sandbox sandbox_;
  bool by_user_ = false;             // namespaces come with one of users, which needs no privilege
  int namespaces_ = 0;               // flags of unshare
  std::vector<std::string> joined_;  // files of another process's namespaces, in the order of joining them
  bool loopback_ = false;
  std::vector<gid_t> groups_;
  std::string user_map_, group_map_;
  std::unique_ptr<View> view_;
  std::unique_ptr<Landlock> landlock_;
  std::unique_ptr<CallFilter> filter_;
  rlim_t most_processes_ = 0;
};

}  // namespace podium::sandbox
