// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/common/allocations.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace podium::emulation {
namespace {

constexpr std::uint64_t near_bytes = 1 << 20;  // farther off, an address has nothing to do with an allocation
constexpr std::size_t most_freed = 4096;       // remembered

using Table = std::map<std::uint64_t, Allocation>;

// The last allocation that begins at or before `at`.
Table::const_iterator at_or_before(const Table& table, std::uint64_t at) {
  const auto next = table.upper_bound(at);
  return next == table.begin() ? table.end() : std::prev(next);
}

}  // namespace

void Allocations::add(const void* at, std::size_t bytes, std::string what) {
  const auto begin = reinterpret_cast<std::uint64_t>(at);
  const std::lock_guard lock(mutex_);
  const auto before = at_or_before(live_, begin);
  const auto after = live_.lower_bound(begin);
  if ((before != live_.end() && before->second.range.end > begin) ||
      (after != live_.end() && after->first < begin + bytes))
    throw std::logic_error(fmt::format("two allocations overlap at {:#x}: {}", begin, what));
  for (auto old = freed_.lower_bound(begin); old != freed_.end() && old->first < begin + bytes;)
    old = freed_.erase(old);
  live_[begin] = {.range = {begin, begin + bytes}, .what = std::move(what)};
}

bool Allocations::remove(const void* at) {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(reinterpret_cast<std::uint64_t>(at));
  if (found == live_.end()) return false;
  if (freed_.size() >= most_freed) freed_.erase(freed_.begin());
  freed_.insert_or_assign(found->first, found->second);
  live_.erase(found);
  return true;
}

std::optional<Window> Allocations::find_locked(std::uint64_t at, std::uint64_t bytes) const {
  const auto found = at_or_before(live_, at);
  if (found == live_.end() || !found->second.range.holds(at, bytes)) return std::nullopt;
  return found->second.range;
}

std::optional<Window> Allocations::find(std::uint64_t at, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return find_locked(at, bytes);
}

std::optional<Allocation> Allocations::starting(const void* at) const {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(reinterpret_cast<std::uint64_t>(at));
  return found == live_.end() ? std::nullopt : std::optional(found->second);
}

std::string Allocations::explain(std::uint64_t at, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  if (find_locked(at, bytes)) return "it is allocated";
  if (const auto old = at_or_before(freed_, at); old != freed_.end() && old->second.range.end > at)
    return fmt::format("it lies in freed memory ({})", old->second.what);
  if (const auto before = at_or_before(live_, at); before != live_.end()) {
    const auto& [range, what] = before->second;
    if (at < range.end) return fmt::format("it ends {} bytes behind {}", at + bytes - range.end, what);
    if (at - range.end < near_bytes) return fmt::format("it lies {} bytes behind {}", at - range.end, what);
  }
  if (const auto after = live_.upper_bound(at); after != live_.end() && after->first - at < near_bytes)
    return fmt::format("it lies {} bytes before {}", after->first - at, after->second.what);
  return "no allocation is near";
}

}  // namespace podium::emulation
