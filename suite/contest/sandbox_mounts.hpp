// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The file system as a worker sees it, in a mount namespace of its own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace podium::contest {

class PrivateMounts {
 public:
  // `kept`: folders that stay visible, also if they lie in /tmp. `hides`: /proc shows the worker no process
  // but its own; takes the rights of root. `devices`: files that it cannot open. `covered`: folders that it
  // finds empty.
  PrivateMounts(std::int64_t scratch_bytes, std::vector<std::string> kept, bool hides,
                std::vector<std::string> devices = {}, std::vector<std::string> covered = {});

  // In the child, in its new mount namespace: everything is read-only but /tmp, /var/tmp and /dev/shm, which
  // are empty, its own and gone with its last process. Devices work as before. Allocates nothing. False,
  // errno set, if the kernel refuses.
  bool apply() const;

  static const std::vector<std::string>& scratch();  // the three of them

 private:
  bool hide_processes() const;

  std::string size_;               // for tmpfs
  std::vector<std::string> kept_;  // of these, those in a folder that apply() covers
  std::vector<std::string> devices_, covered_;
  std::vector<std::string> over_proc_;  // what is mounted below /proc, outermost first
  bool hides_ = false;
};

}  // namespace podium::contest
