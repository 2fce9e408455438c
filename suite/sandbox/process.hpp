// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Child processes: started with chosen descriptors, watched, ended with all their descendants.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "suite/base/descriptor.hpp"
#include "suite/sandbox/control_group.hpp"
#include "suite/sandbox/process_tree.hpp"
#include "suite/sandbox/sandbox.hpp"
#include "suite/sandbox/scratch.hpp"

namespace podium::sandbox {

struct Start {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::vector<int> descriptors;            // the child's 3, 4, ...; all others are closed
  std::vector<std::string> environment{};  // "NAME=value", instead of what podium has under that name
  int output = -1;                         // becomes its standard output and error; -1: podium's
  std::optional<Sandbox> sandbox;          // nothing: a trusted process
};

// How a child ended.
struct Exited {
  int status = 0;
  bool operator==(const Exited&) const = default;
};
struct Killed {
  int signal = 0;
  bool operator==(const Killed&) const = default;
};
using End = std::variant<Exited, Killed>;
inline constexpr End succeeded{Exited{0}};
std::string words_of(const End& end);    // "exited with status 3", "crashed: SIGSEGV"
std::string name_of(const Killed& end);  // "SIGSEGV"

class Child {
 public:
  Child() = default;
  // Throws podium::Error, also if what its sandbox says cannot be had.
  explicit Child(const Start& start);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // ends and reaps it

  explicit operator bool() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  uid_t uid() const { return uid_; }                                   // 0: podium's own
  int descriptor() const { return pidfd_.get(); }                      // readable when it has ended
  Usage usage() { return tree_.usage(); }                              // with all that it started
  std::optional<std::int64_t> bytes() const { return tree_.bytes(); }  // what usage() counts, more exactly
  std::int64_t own_bytes() { return tree_.own_bytes(); }               // the same, but for what others share
  // Whether all of it takes more memory than `most`: as its control group counts, which has that limit; where
  // it has none, as usage() has just counted.
  bool exceeds(std::int64_t most, const Usage& usage) const;
  // Whether the kernel ended any of it since all of it took more than Sandbox::memory_bytes.
  bool ran_out() const { return group_.ran_out(); }

  // Waits up to `milliseconds` for its end.
  std::optional<End> ended(int milliseconds);
  void end();  // SIGKILL to all that it started, and reap; its scratch is gone afterwards

 private:
  pid_t pid_ = -1;
  uid_t uid_ = 0;
  bool leaves_files_ = false;  // where others find them
  bool leaves_group_ = false;
  Descriptor pidfd_;
  ProcessTree tree_;
  ControlGroup group_;     // by Means::memory
  ScratchFolder scratch_;  // of a worker that has no /tmp of its own
};

}  // namespace podium::sandbox
