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
    throw DeviceLost(fmt::format("the judge {}: the device may be lost",
                                 judge_.ended(death_notice).value_or("closed its channel")));
  }
  return ask(patience);
}

// For answers in which no contestant takes part: a refusal is the problem's fault, or the device's.
template <class M>
M Session::must(protocol::Packet packet) {
  if (packet.type() == protocol::Type::refused) {
    const auto& refused = packet.as<protocol::Refused>();
    const auto exit = static_cast<Exit>(refused.exit_status);
    if (exit == Exit::usage) throw ProblemFault(protocol::get(refused.text));
    throw Error(protocol::get(refused.text), exit);
  }
  return packet.as<M>();
}

}  // namespace podium::contest
