// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Messages between the judge and one worker, and what becomes of a worker that breaks the protocol or is
// gone.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::judge {

// A worker failed, or broke the protocol, or is gone: the contestant's row, never the run's end.
class WorkerFailure : public Error {
 public:
  WorkerFailure(protocol::Verdict verdict, const std::string& text, int rank = nobody)
      : Error(text), verdict_(verdict), rank_(rank) {}
  protocol::Verdict verdict() const { return verdict_; }
  static constexpr int nobody = -1;
  int rank() const { return rank_; }  // whose worker it is, of a group

 private:
  protocol::Verdict verdict_;
  int rank_;
};

// Everything throws WorkerFailure.
class WorkerLink {
 public:
  explicit WorkerLink(protocol::Channel channel) : channel_(std::move(channel)) {}

  // What the worker is asked for from now on ("constructor"): the text of its failure where it is gone.
  void enter(const char* stage) { stage_ = stage; }
  // Called when the worker reports a failure, before that is thrown.
  void on_failed(std::function<void()> call) { on_failed_ = std::move(call); }

  template <class M>
  void tell(const M& message, std::span<const int> descriptors = {}) {
    translated([&] { channel_.send(message, descriptors); });
  }

  // Polls for that long, then sleeps; nothing if no message has come `milliseconds` after that (-1: for
  // ever).
  std::optional<protocol::Packet> receive(std::chrono::microseconds poll = {}, int milliseconds = -1);
  // Whether a message has come, or the end.
  bool wait(int milliseconds) const { return channel_.wait(milliseconds); }
  bool ended(int milliseconds);  // whether the end comes within that time
  int descriptor() const { return channel_.descriptor(); }
  const char* stage() const { return stage_; }

  template <class M>
  M answer() {
    return answer_in<M>(*receive());
  }
  template <class M>
  M answer_in(const protocol::Packet& packet) {
    return translated([&] {
      if (packet.type() == protocol::Failed::type) fail(packet.as<protocol::Failed>());
      return packet.as<M>();
    });
  }

 private:
  decltype(auto) translated(const auto& work) const {
    try {
      return work();
    } catch (const protocol::Closed&) {  // its end, not podium's
      throw WorkerFailure(protocol::Verdict::gone, stage_);
    } catch (const protocol::Malformed& e) {
      throw WorkerFailure(protocol::Verdict::broke_protocol, e.what());
    }
  }
  [[noreturn]] void fail(const protocol::Failed& failed) const;

  protocol::Channel channel_;
  const char* stage_ = "loading";
  std::function<void()> on_failed_ = [] {};
};

}  // namespace podium::judge
