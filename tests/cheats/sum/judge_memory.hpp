// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tries every way into the memory of the judge's process. A helper: no contestant.
#pragma once
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
inline std::vector<pid_t> judges() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    std::string command;
    std::getline(std::ifstream(entry.path() / "comm"), command);
    if (name.find_first_not_of("0123456789") == std::string::npos && command.rfind("podium-judge", 0) == 0)
      found.push_back(std::stoi(name));
  }
  // Where /proc hides the processes of others, one of these numbers is the judge's all the same.
  for (pid_t pid = 2; found.empty() && pid < getpid(); ++pid) found.push_back(pid);
  return found;
}

inline bool reads_mappings(pid_t judge) {
  std::ifstream maps("/proc/" + std::to_string(judge) + "/maps");
  std::string line;
  return static_cast<bool>(std::getline(maps, line));
}

inline bool reads_memory(pid_t judge) {
  const int memory = open(("/proc/" + std::to_string(judge) + "/mem").c_str(), O_RDONLY);
  if (memory >= 0) close(memory);
  return memory >= 0;
}

inline bool copies_memory(pid_t judge) {
  // Nothing lies at address 0. A judge that is closed refuses before the address is looked at; an open one
  // says EFAULT.
  char byte = 0;
  iovec here{&byte, 1}, there{nullptr, 1};
  return process_vm_readv(judge, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT;
}

inline bool opens_descriptors(pid_t judge) {
  std::error_code refused;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(judge) + "/fd", refused))
    if (const int copy = open(entry.path().c_str(), O_RDONLY | O_NONBLOCK); copy >= 0)
      return close(copy), true;
  return false;
}

inline bool traces(pid_t judge) {
  if (ptrace(PTRACE_SEIZE, judge, nullptr, nullptr) != 0) return false;
  ptrace(PTRACE_DETACH, judge, nullptr, nullptr);
  return true;
}

// Whether the judge's memory is open to this process in any way. Throws if there is no judge to try it on:
// then the attempt shows nothing.
inline bool judge_is_open() {
  const auto all = judges();
  if (all.empty()) throw std::runtime_error("found no process called podium-judge");
  for (const pid_t judge : all)
    if (reads_mappings(judge) || reads_memory(judge) || copies_memory(judge) || opens_descriptors(judge) ||
        traces(judge))
      return true;
  return false;
}
}  // namespace
