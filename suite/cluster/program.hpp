// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Programs that a campaign starts: the scheduler's commands, tools that describe a device, `podium run`.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/base/descriptor.hpp"

namespace podium::cluster {

std::filesystem::path own_program();  // the file of this process

// What a program said until it ended.
struct Said {
  int status = 0;  // 128 and the signal that ended it; 127: it is not installed
  std::string out, err;
};
// `arguments[0]` is found on PATH. It is ended after `seconds`.
Said run_tool(const std::vector<std::string>& arguments, int seconds = 60);

// The last line of `text` with words in it, without what the program puts before it ("sbatch: error: ").
std::string last_sentence(const std::string& text);

// A program that runs beside this one. A scheduler signals every process of a job: SIGTERM, SIGUSR1 and
// SIGHUP are blocked in it and in all that it starts, so that only interrupt() ends it before its time. Where
// this process is killed, it is interrupted.
class Program {
 public:
  // Its output goes to `output`, a descriptor. Throws podium::Error if it cannot be started.
  Program(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& variables,
          int output);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();  // kills it

  int descriptor() const { return watched_.get(); }  // readable when it has ended
  std::optional<int> ended();                        // its status, as above, once it has ended
  void interrupt();                                  // SIGINT, once
  void kill();                                       // SIGKILL to it and its children

 private:
  pid_t pid_ = -1;
  Descriptor watched_;
  bool interrupted_ = false;
  std::optional<int> status_;
};

}  // namespace podium::cluster
