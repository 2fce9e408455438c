// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/mailbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "emulators/amd/runtime/print.hpp"
#include "emulators/common/shared_file.hpp"

namespace podium::amd {
namespace {

enum Service : std::uint32_t { call_function = 1, print = 2, device_memory = 3 };

// A message's first word: what kind of part it is, how many words follow, and the message's number.
constexpr std::uint64_t first_part = 1, last_part = 2;
constexpr int words_at = 5, number_at = 8;
constexpr std::uint64_t words_mask = 7;

}  // namespace

Mailbox& Mailbox::of(emulation::Allocations& allocations) {
  static auto& one = *new Mailbox(allocations);  // never destroyed, as the thread that launches is not
  return one;
}

Mailbox::Mailbox(emulation::Allocations& allocations) {
  static_assert(sizeof(Header) == 24 && sizeof(Payload) == 4096 && sizeof(Signal) == 64 &&
                sizeof(Buffer) == 48);
  memory_ = reinterpret_cast<Memory*>(emulation::map_private(sizeof(Memory)));
  if (memory_ == nullptr) throw std::runtime_error("there is no memory for what it prints");
  // A list ends with 0, so the first tag is one.
  for (std::uint64_t i = 1; i < packets; ++i) memory_->headers[i].next = packets + i - 1;
  memory_->buffer = {memory_->headers, memory_->payloads, &memory_->doorbell, 2 * packets - 1, 0,
                     packets - 1};
  allocations.add(memory_, sizeof(Memory), "the mailbox of printf() and assert()");
}

bool Mailbox::serve() {
  if (memory_->buffer.ready == 0) return false;
  // Of a packet, whatever a kernel has written there.
  const auto index = [](std::uint64_t at) { return at & (packets - 1); };
  std::vector<std::uint64_t> waiting;  // the last comes first
  for (std::uint64_t at = std::exchange(memory_->buffer.ready, 0); at != 0 && waiting.size() < packets;
       at = memory_->headers[index(at)].next)
    waiting.push_back(index(at));
  std::ranges::reverse(waiting);
  for (const std::uint64_t at : waiting) {
    answer(memory_->headers[at], memory_->payloads[at]);
    memory_->headers[at].waits = 0;
  }
  std::fflush(stdout);
  return true;
}

void Mailbox::answer(const Header& header, Payload& payload) {
  if (header.service == device_memory)
    throw std::runtime_error("asks for memory (malloc or new in a kernel), which is not emulated");
  if (header.service != print)
    throw std::runtime_error(fmt::format("asks the host for service {}{}, which is not emulated",
                                         header.service,
                                         header.service == call_function ? " (to call a function)" : ""));
  for (int lane = 0; lane < 64; ++lane)
    if (header.lanes >> lane & 1) payload[lane][0] = append(payload[lane]);
}

std::uint64_t Mailbox::append(std::span<const std::uint64_t, 8> words) {
  const std::uint64_t kind = words[0];
  const std::uint64_t number = kind & first_part ? ++begun_ : kind >> number_at;
  if (kind & first_part) messages_[number];
  const auto message = messages_.find(number);
  if (message == messages_.end())
    throw std::runtime_error(fmt::format("goes on printing message {}, which it has not begun", number));
  const auto from = words.begin() + 1;
  message->second.insert(message->second.end(), from,
                         from + static_cast<std::ptrdiff_t>(kind >> words_at & words_mask));
  if (!(kind & last_part)) return number << number_at;

  // Of a whole one the first word says where to.
  const std::span<const std::uint64_t> all = message->second;
  const bool error = !all.empty() && all[0] == 1;
  const std::string text = printed(all.subspan(std::min<std::size_t>(1, all.size())));
  std::fwrite(text.data(), 1, text.size(), error ? stderr : stdout);
  if (error) complaint_ = text;
  messages_.erase(message);
  return text.size();
}

std::string Mailbox::complaint() {
  std::string text = std::exchange(complaint_, "");
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace podium::amd
