// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Child processes: started with chosen descriptors, watched, ended with all their descendants.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "suite/base/descriptor.hpp"

namespace podium::contest {

// What a worker may not do: the measures that cost nothing.
struct Sandbox {
  std::optional<uid_t> uid;            // another user than podium's; nothing: podium's own
  std::int64_t file_bytes = 64 << 20;  // largest file it may write
};

struct Start {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::vector<int> descriptors;    // the child's 3, 4, ...; all others are closed
  int output = -1;                 // becomes its standard output and error; -1: podium's
  std::optional<Sandbox> sandbox;  // nothing: a trusted process
};

class Child {
 public:
  Child() = default;
  explicit Child(const Start& start);  // throws podium::Error
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // ends and reaps it

  explicit operator bool() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  uid_t uid() const { return uid_; }               // 0: podium's own
  int descriptor() const { return pidfd_.get(); }  // readable when it has ended
  std::int64_t resident() const;                   // bytes; 0 once it has ended
  std::int64_t own_memory() const;                 // of these, those that are not shared with other processes

  // Waits up to `milliseconds` for its end; what became of it ("crashed: SIGSEGV", "exited with status 0"),
  // once.
  std::optional<std::string> ended(int milliseconds);
  void end();  // SIGKILL to all that it started, and reap

 private:
  pid_t pid_ = -1;
  uid_t uid_ = 0;
  Descriptor pidfd_;
};

}  // namespace podium::contest
