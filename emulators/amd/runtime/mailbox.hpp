// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where a kernel leaves what it asks of the host, and waits for the answer: what printf() and assert() print.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "emulators/common/allocations.hpp"

namespace podium::amd {

// The layout is that of AMD's device library (ockl), which the compiler links into kernels: packets of a
// header and eight words for each lane, taken from one list and left on another.
class Mailbox {
 public:
  // Every wave that can be resident has one: a kernel does not look whether one is left.
  static constexpr std::uint64_t packets = 256;

  // That of the process, made when it is first asked for: the device's memory that a kernel is given the
  // address of. Throws std::runtime_error: there is no memory.
  static Mailbox& of(emulation::Allocations& allocations);

  const void* address() const { return memory_; }
  // Answers whatever waits; whether anything did. Throws std::runtime_error, a sentence's end: a request that
  // is none of printing.
  bool serve();
  // What was printed last to standard error, which is what assert() says; and forgets it.
  std::string complaint();

 private:
  struct Header {
    std::uint64_t next, lanes;
    std::uint32_t service, waits;
  };
  using Payload = std::uint64_t[64][8];
  struct Signal {
    std::uint64_t kind, value, event;  // event 0: nobody is to be woken
    std::uint64_t rest[5];
  };
  struct Buffer {
    Header* headers;
    Payload* payloads;
    Signal* doorbell;
    std::uint64_t free, ready;  // the first packet of each list: its index below a tag that changes
    std::uint64_t index_mask;
  };
  struct Memory {
    Buffer buffer;
    Signal doorbell;
    Payload payloads[packets];
    Header headers[packets];
  };

  explicit Mailbox(emulation::Allocations& allocations);
  void answer(const Header& header, Payload& payload);
  // One part of a message; what the lane finds in place of its first word.
  std::uint64_t append(std::span<const std::uint64_t, 8> words);

  Memory* memory_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> messages_;  // begun, by number
  std::uint64_t begun_ = 0;
  std::string complaint_;
};

}  // namespace podium::amd
