// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium's side of one judge and its workers: every request with a time-out, every failure with a name.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "suite/contest/process.hpp"
#include "suite/problem/problem.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::contest {

// What became of a contestant, in the words of the tables: "wrong", "not written", "input changed", "out of
// bounds", "not supported", "threw", "device error", "crashed", "exited", "hung", "out of memory", "broke
// protocol".
struct Failure {
  std::string verdict;
  std::string text;  // evidence, one sentence
};

// The judge is gone, or was ended because it no longer answered.
class DeviceLost : public Error {
 public:
  explicit DeviceLost(const std::string& sentence) : Error(sentence, Exit::no_device) {}
};

// The problem is at fault, whoever competes.
class ProblemFault : public Error {
 public:
  explicit ProblemFault(const std::string& sentence) : Error(sentence) {}
};

struct Executables {
  std::filesystem::path judge, worker;
};
// Of `backend`, beside this program. Throws podium::Error naming the preset that builds them.
Executables executables(const std::string& backend);

inline constexpr const char* not_capturable = "not capturable";  // a failure's verdict

class Session {
 public:
  struct Limits {
    std::chrono::seconds call{30};    // one answer in which a contestant takes part
    std::chrono::seconds judge{300};  // one answer of the judge alone
    std::int64_t memory = 0;          // resident bytes of a worker; 0: three quarters of the machine's
    // A tool and its options that workers are started under, outside the sandbox: for one's own contestants.
    std::vector<std::string> under;
  };

  // Starts the judge and opens device `ordinal`. Throws podium::Error (no device: exit 3), DeviceLost.
  Session(Executables executables, int ordinal, Limits limits);
  ~Session();

  const protocol::Opened& device() const { return device_; }
  bool lost() { return !judge_ || judge_.ended(0); }  // the judge has ended

  // `program`: what the builder made of the problem's judge_program. Throws podium::Error if the problem is
  // at fault.
  void load(const problem::Problem& problem, std::size_t choice, const std::filesystem::path& program);
  void board(const std::vector<int>& workloads);  // indices into problem.workloads; sizes the arena

  // Fills and references of a workload, without a contestant. `full`: everything is verified also where a
  // sample would do. Throws ProblemFault.
  protocol::Rehearsed rehearse(int workload, bool full = false, int repeats = 0);

  // One worker at a time. An empty path is the trusted empty contestant: timed, never verified.
  std::variant<std::monostate, Failure> start(const std::filesystem::path& plugin);
  // `judges_seconds`: what the judge's own work on a sample may take beside the contestant's.
  std::variant<std::monostate, Failure> begin(int workload, int round, std::uint64_t owner,
                                              double judges_seconds = 0, bool full = false);
  const protocol::Begun& begun() const { return begun_; }  // what the last begin was told
  // `waits`: the gate opens before the call, as the judge does for a contestant that waits in it.
  std::variant<protocol::Sampled, Failure> sample(int index, bool waits = false);
  struct How {
    bool waits = false;
    int calls = 1;  // behind one gate, all checked; times are of all of them
    protocol::Mode mode = protocol::Mode::cold;
  };
  // A failure with the verdict `not_capturable` is none of the contestant's.
  std::variant<protocol::Sampled, Failure> sample(int index, const How& how);
  std::variant<std::monostate, Failure> end();  // of the instance
  // Ends the worker and all it started. A failure: what a tool that it ran under found.
  std::optional<Failure> release();

  double copy_rate();  // bytes read and written a second, measured now
  std::vector<std::uint64_t> secret();

 private:
  // How long to wait for answers in which a contestant takes part.
  std::chrono::milliseconds with_worker(int calls = 1) const { return limits_.call + calls * judges_time_; }
  protocol::Packet ask(std::chrono::milliseconds patience);
  template <class M>
  protocol::Packet request(const M& message, std::chrono::milliseconds patience,
                           std::span<const int> descriptors = {});
  template <class M>
  M must(protocol::Packet packet);
  Failure failure(const protocol::Refused& refused);
  std::variant<std::monostate, Failure> outcome(const protocol::Packet& packet);
  std::string last_words() const;

  Executables executables_;
  Limits limits_;
  Child judge_, worker_;
  protocol::Channel channel_;
  protocol::Begun begun_{};
  protocol::Opened device_{};
  Descriptor output_;  // what the worker printed
  std::chrono::milliseconds judges_time_{0};
  std::string killed_for_;  // "hung", "out of memory": why podium ended the worker
};

}  // namespace podium::contest
