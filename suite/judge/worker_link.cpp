// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/worker_link.hpp"

namespace podium::judge {

using protocol::Verdict;

std::optional<protocol::Packet> WorkerLink::receive(std::chrono::microseconds poll, int milliseconds) {
  return translated([&]() -> std::optional<protocol::Packet> {
    if (poll.count() > 0)
      if (auto packet = channel_.look_for(poll)) return packet;
    return channel_.receive(milliseconds);
  });
}

bool WorkerLink::ended(int milliseconds) {
  try {
    while (receive({}, milliseconds)) continue;
    return false;
  } catch (const WorkerFailure&) {
    return true;
  }
}

void WorkerLink::fail(const protocol::Failed& failed) const {
  const bool known = failed.verdict == Verdict::unsupported || failed.verdict == Verdict::threw ||
                     failed.verdict == Verdict::device_error || failed.verdict == Verdict::not_capturable ||
                     failed.verdict == Verdict::missing_library;
  on_failed_();
  throw WorkerFailure(known ? failed.verdict : Verdict::broke_protocol, protocol::get(failed.text));
}

}  // namespace podium::judge
