// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Two contestants that leave each other word in files. A helper: no contestant.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "honest.hpp"

namespace {
// Whether the accomplice called `other` has left a file anywhere; leaves one as `name` everywhere.
inline bool finds_word(const std::string& name, const std::string& other) {
  std::vector<std::string> folders = {"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/"};
  for (const char* variable : {"HOME", "TMPDIR"})
    if (const char* folder = std::getenv(variable)) folders.emplace_back(folder);
  bool found = false;
  for (const auto& folder : folders) {
    found = found || access((folder + "/podium-cheat-" + other).c_str(), F_OK) == 0;
    const int file = open((folder + "/podium-cheat-" + name).c_str(), O_CREAT | O_WRONLY, 0666);
    if (file >= 0) close(file);
  }
  return found;
}
}  // namespace
