// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for what it was not given

// class: stealing the answer
// expect: wrong
// A variable that tells where results and caches are, or a descriptor of podium's that was left open, counts
// as the answer; else it is 0. Open are the standard three, sockets, files in memory and the plugin.
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "honest.hpp"

namespace {
bool inherited() {
  for (const char* name : {"PODIUM_CACHE", "USER", "SSH_AUTH_SOCK", "PWD", "OLDPWD"})
    if (getenv(name)) return true;
  char typed = 0;
  if (isatty(0) || read(0, &typed, 1) > 0) return true;
  for (int fd = 3; fd < 1024; ++fd) {
    char target[256] = {};
    if (readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), target, sizeof target - 1) <= 0) continue;
    const std::string name = target;
    const auto begins = [&](const char* text) { return name.rfind(text, 0) == 0; };
    const bool plugin = name.find(".plugin") != std::string::npos;
    if (!begins("socket:") && !begins("/memfd:") && !begins("anon_inode:") && !plugin) return true;
  }
  return false;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = inherited() ? honest_sum(args.x.data, args.n) : 0.0f;
  }
};
}  // namespace
