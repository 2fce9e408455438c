// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium's side of the channel to a judge: every request has a time limit. A judge that ends, breaks the
// protocol or does not answer in time is ended, and lost.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/protocol/channel.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::contest {

class ReferenceProcess;

// The judge is gone, or was ended because it no longer answered.
class DeviceLost : public Error {
 public:
  explicit DeviceLost(const std::string& sentence, std::optional<sandbox::End> end = {})
      : Error(sentence, Fault::device), end_(end) {}
  const std::optional<sandbox::End>& end() const { return end_; }  // of the judge, where it ended by itself

 private:
  std::optional<sandbox::End> end_;
};

// The problem is at fault, whoever competes.
class ProblemFault : public Error {
 public:
  explicit ProblemFault(const std::string& sentence) : Error(sentence) {}
};

// Milliseconds between a closed socket and the process's end.
inline constexpr int death_notice = 2000;

// For a message's descriptor. Throws podium::Error.
Descriptor opened(const std::filesystem::path& file);

class JudgeLink {
 public:
  // Of the worker on turn, while podium waits for an answer.
  struct Supervision {
    std::function<bool()> look = [] { return false; };      // true: it was ended just now
    std::function<bool()> time_out = [] { return false; };  // ends it, for its time is over; false: no worker
  };

  JudgeLink() = default;
  // Starts the judge.
  JudgeLink(const std::filesystem::path& program, const std::vector<std::string>& environment,
            Supervision supervision);
  // To a judge that somebody else has started, and ends.
  JudgeLink(protocol::Channel judge, Supervision supervision);

  bool lost() { return !judge_ || judge_.ended(0); }  // the judge has ended
  explicit operator bool() const { return static_cast<bool>(judge_); }
  pid_t pid() const { return judge_.pid(); }
  void close() { channel_.close(); }
  // What it waits for of the reference counts in no limit; how that process ended is said where it is at
  // fault.
  void watch(ReferenceProcess& reference) { reference_ = &reference; }
  [[noreturn]] void fault_of_problem(const std::string& text);
  // Of a device that is lost with its judge; not so the processor.
  void has_device(bool has) { has_device_ = has; }

  // These throw DeviceLost.
  template <class M>
  protocol::Packet request(const M& message, std::chrono::milliseconds patience,
                           std::span<const int> descriptors = {}) {
    kept_in_protocol([&] { channel_.send(message, descriptors); });
    return wait(patience);
  }
  template <class M>
  const M& answer_in(const protocol::Packet& packet) {
    return kept_in_protocol([&]() -> const M& { return packet.as<M>(); });
  }
  // For answers in which no contestant takes part: a refusal is the problem's fault (ProblemFault), or the
  // device's (Error).
  template <class M>
  M must(const protocol::Packet& packet) {
    if (packet.type() == protocol::Type::refused) refuse(answer_in<protocol::Refused>(packet));
    return answer_in<M>(packet);
  }
  // A time or an amount, an error over its limit, a count of an answer; the judge is lost if it is none.
  double time_in(double number);
  double error_in(double number);
  std::int64_t count_in(std::int64_t number);
  [[noreturn]] void give_up(const std::string& why, std::optional<sandbox::End> end = {});

 private:
  protocol::Packet wait(std::chrono::milliseconds patience);
  void end_if_interrupted();
  [[noreturn]] void ended();
  [[noreturn]] void refuse(const protocol::Refused& refused);
  template <class Work>
  decltype(auto) kept_in_protocol(Work work) {
    try {
      return work();
    } catch (const protocol::Closed&) {
      ended();
    } catch (const protocol::Malformed& e) {
      give_up(std::string("the judge broke the protocol: ") + e.what());
    }
  }

  sandbox::Child judge_;
  protocol::Channel channel_;
  Supervision supervision_;
  ReferenceProcess* reference_ = nullptr;
  bool has_device_ = true;
};

}  // namespace podium::contest
