// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The `podium` command as a user runs it, in a scratch folder of its own.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace podium::test {

namespace fs = std::filesystem;

// A folder that is removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }
  fs::path write(const fs::path& file, const std::string& text) const;  // relative to the folder; its path
  // Copies one of Podium's problems, to be a contestant's neighbour; its folder, below problems/.
  fs::path copy_of(const std::string& problem) const;
  fs::path results() const { return path_ / "results"; }
  std::vector<record::Run> runs() const;  // recorded under results(), oldest first

 private:
  fs::path path_;
};

struct Ended {
  int status = -1;  // exit status; 128 + signal
  std::string out, err;
};

// A running `podium`, its children with it.
class Command {
 public:
  explicit Command(const std::vector<std::string>& arguments);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  pid_t pid() const { return pid_; }
  Ended wait();
  bool running();
  // Process ids whose program's name holds `name` ("podium-judge", "podium-worker") and that belong to this
  // command.
  std::vector<pid_t> processes(const std::string& name) const;
  std::vector<pid_t> children() const;  // all that it started and that still live

 private:
  pid_t pid_ = -1;
  int out_ = -1, err_ = -1;
};

Ended podium(const std::vector<std::string>& arguments);

std::string device();  // of tests that run on any: PODIUM_TEST_DEVICE, "host" if that is not set

const record::Entry* find(const record::Run& run, const std::string& contestant, const std::string& verdict);

}  // namespace podium::test
