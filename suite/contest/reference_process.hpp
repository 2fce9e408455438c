// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The process of a reference in Python, as podium starts and watches it. The judge speaks with it.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>

#include "suite/base/descriptor.hpp"
#include "suite/contest/processes.hpp"
#include "suite/contest/worker_watch.hpp"
#include "suite/protocol/protocol.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::contest {

class ReferenceProcess {
 public:
  ReferenceProcess() = default;
  ~ReferenceProcess() { end(); }
  ReferenceProcess(const ReferenceProcess&) = delete;
  ReferenceProcess& operator=(const ReferenceProcess&) = delete;

  // `program`: what the builder made of the reference. In a sandbox and with a user id of its own, as workers
  // are. Returns the judge's end of its socket. Throws podium::Error.
  Descriptor start(const std::filesystem::path& program, const Executables& executables,
                   const protocol::Opened& device, const Limits& limits);
  void end();
  pid_t pid() const { return child_.pid(); }
  int clock() const { return clock_.get(); }  // of a page with a protocol::ReferenceClock

  std::chrono::milliseconds asked() const;  // for how long the judge has waited for it, until now
  void look();                              // ends it if it takes more than it may
  std::string how_it_ended();               // ", exited with status 3; last words: …"; "": it has not
  bool over() const;                        // upon a contestant's outputs
  bool ended_by_itself() const;             // likewise, and the judge has not ended it

 private:
  sandbox::Child child_;
  WorkerWatch watch_{0};
  Descriptor output_, clock_;
  void* page_ = nullptr;
};

}  // namespace podium::contest
