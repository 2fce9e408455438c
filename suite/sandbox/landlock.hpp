// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Landlock (Linux 5.13): a process gives up rights on files, networks and other processes by itself, without
// privilege. Debian 12 has no library for it, and its headers end at the second version.
#pragma once
#include <string>
#include <vector>

namespace podium::sandbox {

// The kernel's version of Landlock; 0: it has none, or has it switched off. From 4 on it closes TCP, from 6
// on abstract Unix sockets and signals to processes that did not start under the same rules.
int landlock_version();

class Landlock {
 public:
  // `scratch`: folders in which everything may be done. `hidden`: files of devices that cannot be opened to
  // be written; where hides_devices(), nothing can be asked of them either. `readable`: where not empty, all
  // that can be read besides.
  explicit Landlock(std::vector<std::string> scratch, const std::vector<std::string>& hidden = {},
                    std::vector<std::string> readable = {});

  // Networks and abstract Unix sockets are left to a network namespace.
  void leave_networks() { networks_ = false; }

  // Whether this kernel's Landlock knows of ioctl, which drivers answer also where a file is open to be read
  // alone: version 5, Linux 6.10.
  static bool hides_devices();

  // In the child: from now on files can be written in `scratch` alone, in /proc as far as it is the
  // process's own, and as devices. Files that are open stay so. Needs "no new privileges". Allocates nothing.
  // False, errno set, if the kernel refuses.
  bool restrict_self() const;

 private:
  int version_ = 0;
  bool hides_ = false, networks_ = true;
  std::vector<std::string> scratch_, devices_, readable_;
};

}  // namespace podium::sandbox
