// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One end of a socket pair over which the protocol's messages and descriptors pass.
#pragma once
#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::protocol {

class Closed : public Error {  // the other side has ended, or closed its end
 public:
  Closed() : Error("the other side of the channel has ended") {}
};
class Malformed : public Error {  // not a message of this protocol, or not the one expected
 public:
  using Error::Error;
};

// A received message, its header checked (magic, version, size); the payload is the sender's word.
// Only what has arrived is ever touched: after a flush of the caches each line of it comes from memory.
struct Packet {
  Packet() {}  // NOLINT: bytes stay as they are
  Packet(Packet&& other) noexcept : size(other.size), descriptors(std::move(other.descriptors)) {
    std::memcpy(bytes.data(), other.bytes.data(), size);
  }
  Packet& operator=(Packet&&) = delete;
  ~Packet() = default;

  alignas(16) std::array<std::byte, max_message> bytes;
  std::size_t size = 0;
  std::array<Descriptor, 4> descriptors;

  Type type() const;
  // The message as an M. Throws Malformed if it is of another type or size.
  template <Message M>
  const M& as() const {
    expect(M::type, sizeof(M));
    return *reinterpret_cast<const M*>(bytes.data());
  }

 private:
  void expect(Type type, std::size_t size) const;
};

class Channel {
 public:
  Channel() = default;
  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}
  explicit operator bool() const { return bool(socket_); }
  int descriptor() const { return socket_.get(); }
  void close() { socket_.reset(); }

  // A type's header is filled in here. Throws Closed; Malformed if the other side reads nothing, so that
  // there is no room: whoever trusts it not would wait for ever.
  template <Message M>
  void send(const M& message, std::span<const int> descriptors = {}) {
    static_assert(offsetof(M, header) == 0);
    send_bytes({.type = M::type, .bytes = sizeof(M)},
               std::as_bytes(std::span(&message, 1)).subspan(sizeof(Header)), descriptors);
  }
  // Waits up to `milliseconds` (-1: for ever); nothing if they pass. Throws Closed, Malformed.
  std::optional<Packet> receive(int milliseconds = -1);
  // Looks for a message, at least once, without sleeping: a wake-up takes longer than what it waits for often
  // does. Nothing if it has not come after `most`. Not while anything is timed on the same processor. Throws
  // as receive() does.
  std::optional<Packet> look_for(std::chrono::microseconds most);
  bool wait(int milliseconds) const;  // whether a message, or the end, has come within that time

 private:
  void send_bytes(const Header& header, std::span<const std::byte> rest, std::span<const int> descriptors);
  std::optional<Packet> take(int flags);
  Descriptor socket_;
};

// Two connected ends (SOCK_SEQPACKET), close-on-exec. Throws Error.
std::pair<Descriptor, Descriptor> socket_pair();

// Fixed-size text: cut with an ellipsis where it does not fit; read up to its end, whatever the sender did.
void put(std::span<char> field, std::string_view text);
std::string get(std::span<const char> field);

}  // namespace podium::protocol
