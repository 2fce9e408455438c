// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/message_mutator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "suite/protocol/channel.hpp"

namespace podium::fuzz {
namespace {

using Whole = std::numeric_limits<std::int64_t>;
using Real = std::numeric_limits<double>;

// What counts, indices and enumerators are seldom tried with.
constexpr std::array<std::int64_t, 17> wholes{0,
                                              1,
                                              2,
                                              3,
                                              4,
                                              8,
                                              11,
                                              64,
                                              255,
                                              4096,
                                              -1,
                                              -2,
                                              1 << 20,
                                              std::numeric_limits<std::int32_t>::max(),
                                              std::numeric_limits<std::int32_t>::min(),
                                              Whole::max(),
                                              Whole::min()};
const std::array<double, 10> reals{0.0,
                                   -0.0,
                                   -1.0,
                                   1e-300,
                                   1e300,
                                   Real::max(),
                                   Real::denorm_min(),
                                   Real::quiet_NaN(),
                                   Real::infinity(),
                                   -Real::infinity()};
constexpr std::size_t longest_repetition = 40;

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  if (at + sizeof value <= bytes.size()) std::memcpy(bytes.data() + at, &value, sizeof value);
}

// What a judge refuses with, or a worker fails with; podium has no such word.
std::string refusal(Side side, protocol::Verdict verdict, Fault fault) {
  const auto said = [&](auto message, const char* text) {
    message.header = {.type = decltype(message)::type, .bytes = sizeof message};
    message.verdict = verdict;
    protocol::put(message.text, text);
    return std::string(reinterpret_cast<const char*>(&message), sizeof message);
  };
  protocol::Refused refused{};
  refused.fault = fault;
  return side == Side::worker ? said(protocol::Failed{}, "failed") : said(refused, "refused");
}

std::vector<std::size_t> places_of(const Conversation& conversation, Side side) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < conversation.size(); ++k)
    if (conversation[k].by == side && !conversation[k].silence()) places.push_back(k);
  return places;
}

}  // namespace

int MessageMutator::mutate(Conversation& conversation, Side side, int edits) {
  for (int k = 0; k < edits; ++k) {
    if (places_of(conversation, side).empty()) return k;
    edit(conversation, side);
  }
  return edits;
}

void MessageMutator::edit_bytes(std::string& bytes) {
  const std::size_t at = below(bytes.size());
  switch (below(3)) {
    case 0:
      bytes[at] = static_cast<char>(below(256));
      break;
    case 1:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
      break;
    default: {  // a text without its end, or noise
      const std::size_t size = std::min(bytes.size() - at, 1 + below(1024));
      const bool noise = below(2) == 0;
      for (std::size_t k = 0; k < size; ++k) bytes[at + k] = noise ? static_cast<char>(below(256)) : 'x';
    }
  }
}

void MessageMutator::edit_number(std::string& bytes) {
  const std::size_t words = bytes.size() / sizeof(std::int32_t);
  const std::size_t at = sizeof(std::int32_t) * below(words);
  switch (below(3)) {
    case 0:
      return put(bytes, at, static_cast<std::int32_t>(wholes[below(wholes.size())]));
    case 1:
      return put(bytes, at / 8 * 8, wholes[below(wholes.size())]);
    default:
      return put(bytes, at / 8 * 8, reals[below(reals.size())]);
  }
}

void MessageMutator::edit_length(std::string& bytes) {
  const std::size_t size = below(4) ? below(bytes.size() + 64) : protocol::max_message - 8 + below(16);
  bytes.resize(size, static_cast<char>(below(256)));
  // Half of them say their true length.
  if (below(2)) put(bytes, offsetof(protocol::Header, bytes), static_cast<std::uint32_t>(size));
  if (bytes.empty()) bytes.push_back('\0');  // an empty one would be silence
}

void MessageMutator::move(Conversation& conversation, std::size_t from) {
  const Said said = conversation[from];
  conversation.erase(conversation.begin() + static_cast<std::ptrdiff_t>(from));
  const std::size_t near =
      below(2) ? std::min(conversation.size(), from + 1 + below(3)) : below(conversation.size() + 1);
  conversation.insert(conversation.begin() + static_cast<std::ptrdiff_t>(near), said);
}

void MessageMutator::edit(Conversation& conversation, Side side) {
  const auto places = places_of(conversation, side);
  const std::size_t k = places[below(places.size())];
  const auto at = conversation.begin() + static_cast<std::ptrdiff_t>(k);
  switch (below(17)) {
    case 16:
      at->bytes = refusal(side, static_cast<protocol::Verdict>(below(14)), static_cast<Fault>(below(6)));
      return;
    case 0:
    case 1:
    case 2:
      return edit_bytes(at->bytes);
    case 3:
    case 4:
    case 5:
    case 6:
      return edit_number(at->bytes);
    case 7:
      return edit_length(at->bytes);
    case 8:  // another type under the same header
      return put(at->bytes, offsetof(protocol::Header, type), static_cast<std::uint16_t>(below(80)));
    case 9:
    case 10:
      return move(conversation, k);
    case 11:
      conversation.insert(at, below(4) ? 1 : 1 + below(longest_repetition), Said(*at));
      return;
    case 12:  // of another place
      *at = conversation[places[below(places.size())]];
      return;
    case 13:
      conversation.erase(at);
      return;
    case 14:  // nothing more
      if (below(4) == 0) conversation.resize(k);
      return;
    default:
      if (below(4) == 0) conversation.insert(at, Said{side, ""});
  }
}

}  // namespace podium::fuzz
