// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's side of a reference in Python: a process that podium has started, which draws inputs and says
// what outputs are right. It and the judge share memory that no contestant reaches.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "suite/base/descriptor.hpp"
#include "suite/device/device.hpp"
#include "suite/judge/program_runner.hpp"
#include "suite/protocol/channel.hpp"
#include "suite/protocol/reference.hpp"

namespace podium::judge {

class PythonReference {
 public:
  struct Process {
    protocol::Channel channel;
    pid_t pid = -1;  // stands still but while it is asked
    std::chrono::milliseconds patience{0};
    Descriptor clock;  // of a page with a ReferenceClock
  };
  // Has the process execute the file. `device` and `problem` outlive this. Throws podium::Error, here and
  // below, if the reference is at fault, or does not answer in time.
  PythonReference(Process process, device::Device& device, const problem::Problem& problem);
  ~PythonReference();
  PythonReference(const PythonReference&) = delete;
  PythonReference& operator=(const PythonReference&) = delete;

  bool has_check() const { return has(check); }
  bool draws() const { return draws_; }  // any input of the workload

  // The workload that `runner` has begun.
  void begin(const ProgramRunner& runner);
  // The inputs and inouts that it draws, into the runner's private memory. Synchronises.
  void fill(ProgramRunner& runner, std::uint64_t seed);
  struct Said {
    bool right = true;
    bool judged = true;  // false: its check() came to no verdict, which may be its own fault
    std::string text;    // why not; or where the largest error against exact() is
    double exact = device::unknown;
  };
  // What is to be said of the outputs in private memory. Without a check, the expected outputs are put into
  // their private tensors, and nothing is said. Outputs upon which check() does not answer, or ends the
  // process, cost no board: the process is ended, and over() until another one is there. Synchronises.
  Said verify(ProgramRunner& runner, std::uint64_t seed, bool exact);
  // Whether its own outputs pass its check, and its inputs follow from the seed and from nothing else.
  void prove(ProgramRunner& runner, std::uint64_t seed);

  bool over() const { return over_; }
  // What is known of the same reference from another process.
  void take_over(const PythonReference& before) { own_checks_ = before.own_checks_; }

 private:
  struct NoAnswer {  // thrown
    std::string what;
    bool in_time;  // it ended, or broke the protocol, before the time was over
  };
  enum Function { inputs, outputs, check, exact };
  struct Place {  // of a tensor in shared memory; -1: not there
    std::int64_t before = -1, after = -1;
  };
  bool has(Function function) const { return (functions_ >> function & 1) != 0; }
  std::string lay_out(const ProgramRunner& runner, std::size_t& bytes);
  void share(std::size_t bytes);
  void put_inputs(const ProgramRunner& runner);
  void expect_functions(const problem::Instance& instance) const;
  std::uint64_t digest_of_inputs(ProgramRunner& runner, std::uint64_t seed);
  bool proves_itself() const { return has(outputs) && has(check); }
  std::chrono::milliseconds patience_of_check(const ProgramRunner& runner) const;
  Said check_outputs(const ProgramRunner& runner, std::uint64_t seed);
  Said given_up(const NoAnswer& none, std::chrono::milliseconds patience);
  protocol::ReferenceAnswer ask(protocol::ReferenceTask task, std::uint64_t seed);
  template <class M>
  protocol::ReferenceAnswer tell(const M& message, const std::string& what,
                                 std::span<const int> descriptors = {});
  template <class M>
  protocol::ReferenceAnswer answer_to(const M& message, std::chrono::milliseconds patience,
                                      std::span<const int> descriptors = {});
  [[noreturn]] void fail(const std::string& sentence);
  std::string shown(const std::string& sentence) const;  // with the problem's folder before the file's name

  Process process_;
  device::Device& device_;
  const problem::Problem& problem_;
  protocol::ReferenceClock* clock_ = nullptr;
  std::int32_t functions_ = 0;
  bool draws_ = false;
  bool over_ = false;
  std::map<std::string, std::chrono::milliseconds> own_checks_;  // of its own answer, by workload
  std::vector<Place> places_;                                    // by tensor
  std::vector<std::int64_t> structure_;
  Descriptor file_;
  std::byte* memory_ = nullptr;  // of the file
  std::size_t bytes_ = 0;
  bool shows_inputs_ = false;  // those that the judge fills lie in shared memory
};

}  // namespace podium::judge
