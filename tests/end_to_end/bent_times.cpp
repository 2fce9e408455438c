// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Preloaded into podium, this library puts times of a test's own into the judge's answers: what podium makes
// of them does not depend on the machine. PODIUM_BENT_TIMES is five numbers, times in microseconds, and a
// word:
//
//   <a call> <what is left out of it> <from round> <what the judge hears later> <from round>
//   always|until-looked-at
//
// "until-looked-at": after several calls behind one gate nothing is left out until the next entry begins.
// The trusted empty contestant takes 1, and the judge hears of everything 100 later.
#include <dlfcn.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

#include "suite/protocol/samples.hpp"

namespace {

namespace protocol = podium::protocol;

struct Script {
  double call = 0, lie = 0, late = 0;
  int lies_from = 0, late_from = 0;
  bool careful = false;

  Script() {
    const char* stated = std::getenv("PODIUM_BENT_TIMES");
    std::istringstream in(stated ? stated : "");
    std::string lies;
    in >> call >> lie >> lies_from >> late >> late_from >> lies;
    if (!in) std::abort();
    careful = lies == "until-looked-at";
  }
  std::pair<double, double> event_and_judge() const {
    constexpr double overhead = 100;
    const double heard = overhead + (busy ? late : 0);
    if (empty) return {1, 1 + heard};
    const double left_out = round >= lies_from && !(careful && looked_at) ? lie : 0;
    return {calls * (call - left_out), calls * call + heard};
  }

  std::array<bool, protocol::max_workers> empties{};  // which workers are the empty contestant's, by number
  // Of what podium asked for last.
  bool empty = false, busy = false, looked_at = false;
  int round = 0, calls = 1;
};

Script& script() {
  static Script read;
  return read;
}

// `bytes` of type M, or none.
template <class M>
M* as(void* bytes, std::size_t size) {
  protocol::Header header;
  if (size != sizeof(M) || size < sizeof header) return nullptr;
  std::memcpy(&header, bytes, sizeof header);
  return header.magic == protocol::magic && header.type == M::type ? static_cast<M*>(bytes) : nullptr;
}

void note(void* bytes, std::size_t size) {
  Script& is = script();
  if (const auto* worker = as<protocol::AddWorker>(bytes, size))
    is.empties.at(static_cast<std::size_t>(worker->worker)) = worker->empty != 0;
  if (const auto* begin = as<protocol::Begin>(bytes, size)) {
    is.empty = is.empties.at(static_cast<std::size_t>(begin->worker));  // it may have been parked meanwhile
    if (is.empty) return;
    is.round = begin->round;
    is.looked_at = false;
    is.busy = is.busy || begin->round >= is.late_from;
  }
  if (const auto* sample = as<protocol::Sample>(bytes, size)) {
    is.calls = sample->calls;
    is.looked_at = is.looked_at || sample->calls > 1;
  }
  if (as<protocol::TakeSamples>(bytes, size)) is.calls = 1;
}

void bend(void* bytes, std::size_t size) {
  const auto put = [](auto& sample) {
    std::tie(sample.event_microseconds, sample.judge_microseconds) = script().event_and_judge();
  };
  if (auto* sampled = as<protocol::Sampled>(bytes, size)) put(*sampled);
  if (auto* taken = as<protocol::TakenSamples>(bytes, size))
    for (int k = 0; k < taken->count; ++k) put(taken->samples[k]);
}

}  // namespace

extern "C" ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  static const auto real =
      reinterpret_cast<ssize_t (*)(int, const msghdr*, int)>(dlsym(RTLD_NEXT, "sendmsg"));
  alignas(std::max_align_t) std::array<char, protocol::max_message> whole;
  std::size_t size = 0;
  for (std::size_t k = 0; k < message->msg_iovlen; ++k) {
    const iovec& part = message->msg_iov[k];
    if (size + part.iov_len > whole.size()) std::abort();
    std::memcpy(whole.data() + size, part.iov_base, part.iov_len);
    size += part.iov_len;
  }
  note(whole.data(), size);
  return real(socket, message, flags);
}

extern "C" ssize_t recvmsg(int socket, msghdr* message, int flags) {
  static const auto real = reinterpret_cast<ssize_t (*)(int, msghdr*, int)>(dlsym(RTLD_NEXT, "recvmsg"));
  const ssize_t got = real(socket, message, flags);
  if (got > 0) bend(message->msg_iov[0].iov_base, static_cast<std::size_t>(got));
  return got;
}
