// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/protocol/channel.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "suite/base/cpu_relax.hpp"

namespace podium::protocol {
namespace {

constexpr int pauses = 8;  // between two looks; less than a microsecond

constexpr std::size_t max_descriptors = std::tuple_size_v<decltype(Packet::descriptors)>;

const Header& header_of(const Packet& packet) {
  return *reinterpret_cast<const Header*>(packet.bytes.data());
}

void keep_descriptors(Packet& packet, msghdr& message) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      packet.descriptors[std::min(i, max_descriptors - 1)].reset(fd);
    }
  }
}

bool readable(int fd, int milliseconds) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    pollfd p{fd, POLLIN, 0};
    int wait = -1;
    if (milliseconds >= 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
      wait = std::max(0, static_cast<int>(left));
    }
    const int ready = poll(&p, 1, wait);
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) throw Error(fmt::format("poll on a channel failed: {}", std::strerror(errno)));
  }
}

}  // namespace

Type Packet::type() const { return header_of(*this).type; }

void Packet::expect(Type type, std::size_t wanted) const {
  if (header_of(*this).type == type && size == wanted) return;
  throw Malformed(fmt::format("message {} of {} bytes arrived where message {} of {} bytes was expected",
                              static_cast<int>(header_of(*this).type), size, static_cast<int>(type), wanted));
}

void Channel::send_bytes(const Header& header, std::span<const std::byte> rest,
                         std::span<const int> descriptors) {
  iovec parts[] = {{const_cast<Header*>(&header), sizeof header},
                   {const_cast<std::byte*>(rest.data()), rest.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = std::size(parts);
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_descriptors)> control{};
  if (!descriptors.empty()) {
    const std::size_t n = std::min(descriptors.size(), max_descriptors);
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int) * n);
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int) * n);
    std::memcpy(CMSG_DATA(c), descriptors.data(), sizeof(int) * n);
  }
  while (sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK)
      throw Malformed("the other side of the channel sends messages but reads none");
    if (errno == EPIPE || errno == ECONNRESET) throw Closed();
    throw Error(fmt::format("sending on a channel failed: {}", std::strerror(errno)));
  }
}

std::optional<Packet> Channel::receive(int milliseconds) {
  if (milliseconds >= 0 && !readable(socket_.get(), milliseconds)) return std::nullopt;
  return take(0);
}

std::optional<Packet> Channel::look_for(std::chrono::microseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (;;) {
    if (auto packet = take(MSG_DONTWAIT)) return packet;
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
    for (int relaxed = 0; relaxed < pauses; ++relaxed) cpu_relax();
  }
}

// With flags of recvmsg(2): nothing if they say not to wait, and there is none.
std::optional<Packet> Channel::take(int flags) {
  std::optional<Packet> packet(std::in_place);
  iovec part{packet->bytes.data(), packet->bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_descriptors)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got;
  while ((got = recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC | flags)) < 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return std::nullopt;
    if (errno == ECONNRESET) throw Closed();
    throw Error(fmt::format("receiving on a channel failed: {}", std::strerror(errno)));
  }
  keep_descriptors(*packet, message);
  if (got == 0) throw Closed();
  packet->size = static_cast<std::size_t>(got);
  if (message.msg_flags & MSG_TRUNC)
    throw Malformed(fmt::format("a message of more than {} bytes arrived", max_message));
  if (packet->size < sizeof(Header) || header_of(*packet).magic != magic)
    throw Malformed(fmt::format("{} bytes arrived, which are not a message of this protocol", packet->size));
  if (header_of(*packet).version != version)
    throw Malformed(fmt::format(
        "a message of protocol version {} arrived, this program speaks version {}; rebuild all parts",
        header_of(*packet).version, version));
  if (header_of(*packet).bytes != packet->size)
    throw Malformed(
        fmt::format("a message states {} bytes but has {}", header_of(*packet).bytes, packet->size));
  return packet;
}

bool Channel::wait(int milliseconds) const { return readable(socket_.get(), milliseconds); }

std::pair<Descriptor, Descriptor> socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(fmt::format("no socket pair could be made: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void put(std::span<char> field, std::string_view text) {
  constexpr std::string_view ellipsis = "...";
  const bool fits = text.size() < field.size();
  const std::size_t kept = fits ? text.size() : field.size() - 1 - ellipsis.size();
  auto end = std::copy_n(text.begin(), kept, field.begin());
  if (!fits) end = std::copy(ellipsis.begin(), ellipsis.end(), end);
  std::fill(end, field.end(), '\0');
}

std::string get(std::span<const char> field) {
  return {field.begin(), std::find(field.begin(), field.end(), '\0')};
}

}  // namespace podium::protocol
