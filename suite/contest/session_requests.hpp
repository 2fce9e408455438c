// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a session asks its judge: for the files that implement Session.
#pragma once
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "suite/contest/session.hpp"

namespace podium::contest {

inline constexpr int death_notice = 2000;  // milliseconds between a closed socket and the process's end

Verdict of_judge(Verdict said);      // what a judge cannot say becomes broke_protocol
std::string last_words(int output);  // the last line that a worker wrote there, fit for a row
inline constexpr std::chrono::milliseconds between_looks{100};  // at what a worker takes

// For a message's descriptor.
inline Descriptor opened(const std::filesystem::path& file) {
  Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) throw Error(fmt::format("{} cannot be read: {}", file.string(), std::strerror(errno)));
  return descriptor;
}

template <class M>
protocol::Packet Session::request(const M& message, std::chrono::milliseconds patience,
                                  std::span<const int> descriptors) {
  try {
    channel_.send(message, descriptors);
  } catch (const protocol::Closed&) {
    judge_gone();
  } catch (const protocol::Malformed& e) {
    give_up_judge(fmt::format("the judge broke the protocol: {}", e.what()));
  }
  return ask(patience);
}

// A judge whose answer is none is no judge any more.
template <class M>
const M& Session::answer_in(const protocol::Packet& packet) {
  try {
    return packet.as<M>();
  } catch (const protocol::Malformed& e) {
    give_up_judge(fmt::format("the judge broke the protocol: {}", e.what()));
  }
}

// For answers in which no contestant takes part: a refusal is the problem's fault, or the device's.
template <class M>
M Session::must(protocol::Packet packet) {
  if (packet.type() == protocol::Type::refused) {
    const auto& refused = answer_in<protocol::Refused>(packet);
    const std::string text = protocol::get(refused.text);
    if (refused.fault == protocol::Fault::problem) throw ProblemFault(text);
    throw Error(text, refused.fault == protocol::Fault::contestant ? Exit::contestant : Exit::no_device);
  }
  return answer_in<M>(packet);
}

}  // namespace podium::contest
