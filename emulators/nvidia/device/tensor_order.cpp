// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/tensor_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace podium::ptx {
namespace {

// How many of the `count` numbers from `word` on are the first one.
u32 run_of(const std::vector<u32>& numbers, u32 word, u32 count) {
  const u32* const at = &numbers[word];
  // Mostly all: each is as the one before it.
  if (std::memcmp(at, at + 1, (count - 1) * sizeof *at) == 0) return count;
  u32 same = 1;
  while (at[same] == *at) ++same;
  return same;
}

void fill(std::vector<u32>& numbers, u32 word, u32 count, u32 value) {
  std::fill_n(numbers.begin() + word, count, value);
}

}  // namespace

TensorIssue::TensorIssue(GpuThread& t, int at, const char* what, bool registers)
    : thread(&t), line(at), name(what), of_registers(registers), known(t.clock.known), epoch(t.clock.now++) {}

u32 TensorOrder::take(const GpuThread& first, int line, bool store) {
  if (stores_.empty())
    for (Numbers* const numbers : {&loads_, &other_loads_, &stores_})
      numbers->resize(static_cast<std::size_t>(tensor_lanes) * tensor_columns);
  u32 number = static_cast<u32>(accesses_.size());
  if (unused_.empty()) {
    accesses_.emplace_back();
  } else {
    number = unused_.back();
    unused_.pop_back();
  }
  accesses_[number] = {.store = store,
                       .block = first.block->number,
                       .warp = first.warp->id,
                       .serial = ++last_serial_,
                       .line = line,
                       .users = 1,
                       .begun = {}};
  open_[first.warp->id][store ? 1 : 0].push_back(number);
  return number;
}

void TensorOrder::drop(u32 access, u32 words) {
  if (access != 0 && (accesses_[access].users -= words) == 0) unused_.push_back(access);
}
void TensorOrder::drop_all(const Numbers& numbers, u32 word, u32 count) {
  for (u32 same; count > 0; word += same, count -= same)
    drop(numbers[word], same = run_of(numbers, word, count));
}

void TensorOrder::add(u32 access, u32 word, u32 count) {
  accesses_[access].users += count;
  if (accesses_[access].store) {
    drop_all(stores_, word, count);
    return fill(stores_, word, count, access);
  }
  for (u32 same; count > 0; word += same, count -= same) {
    same = std::min(run_of(loads_, word, count), run_of(other_loads_, word, count));
    const u32 load = loads_[word], other = other_loads_[word];
    const bool keeps_load = !is_done(load) && is_done(other);
    if (keeps_load) fill(other_loads_, word, same, load);
    fill(loads_, word, same, access);
    drop(keeps_load ? other : load, same);
  }
}

bool TensorOrder::is_done(u32 number) const {
  if (number == 0) return true;
  const Access& access = accesses_[number];
  for (u32 lane = 0; lane < 32; ++lane)
    if (access.begun[lane] != 0 && access.done[lane] == 0) return false;
  return true;
}

// By the thread's part of an access; it is closed when no lane is left.
void TensorOrder::finish(const GpuThread& thread, std::vector<u32>& list, std::size_t index) {
  Access& access = accesses_[list[index]];
  u32& done = access.done[thread.lane];
  if (access.begun[thread.lane] == 0 || done != 0) return;
  done = thread.clock.now;
  if (!is_done(list[index])) return;
  drop(list[index], 1);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
}

void TensorOrder::wait(const GpuThread& thread, bool store) {
  auto& list = open_[thread.warp->id][store ? 1 : 0];
  for (std::size_t left = list.size(); left > 0; --left) finish(thread, list, left - 1);
}

void TensorOrder::used(const GpuThread& thread, u32 serial) {
  auto& list = open_[thread.warp->id][0];
  for (std::size_t i = 0; i < list.size(); ++i)
    if (accesses_[list[i]].serial == serial) return finish(thread, list, i);
}

bool TensorOrder::of_own_warp(const TensorIssue& issue, u32 number) const {
  const Access& access = accesses_[number];
  return access.block == issue.thread->block->number && access.warp == issue.thread->warp->id;
}

// Lanes of a warp execute these instructions together, so what one of them has let others know suffices.
bool TensorOrder::is_missing(const TensorIssue& issue, u32 number) const {
  if (number == 0 || (number == issue.fine && issue.fine_in == this)) return false;
  const Access& access = accesses_[number];
  const u32* const epochs = issue.known ? issue.known->of_block(access.block) : nullptr;
  const bool own = of_own_warp(issue, number);
  bool learnt_of_it = false;
  for (u32 lane = 0; lane < 32; ++lane) {
    if (access.begun[lane] == 0) continue;
    const u32 known = own && lane == issue.thread->lane ? issue.epoch
                      : epochs                          ? epochs[access.warp * 32 + lane]
                                                        : 0;
    learnt_of_it |= known >= access.begun[lane];
    if (access.done[lane] == 0 || known < access.done[lane]) continue;
    issue.fine = number, issue.fine_in = this;
    return false;
  }
  return learnt_of_it;
}

void TensorOrder::report(const TensorIssue& issue, u32 number, u32 word, const char* does) const {
  const Access& access = accesses_[number];
  const u32 first = access.block * issue.thread->block->threads + access.warp * 32;
  launch().fail(
      issue.thread, issue.line,
      fmt::format(
          "a missing tcgen05.wait::{}: {} {} tensor memory at lane {}, column {}, which the warp of {}: "
          "{} lies between the two",
          access.store ? "st" : "ld", issue.name, does, word / tensor_columns, word % tensor_columns,
          who(first, access.line, access.store ? "stores" : "loads"),
          access.store ? "no tcgen05.wait::st of that warp"
                       : "neither a tcgen05.wait::ld of that warp nor a use of what it loads"));
}

void TensorOrder::read(const TensorIssue& issue, u32 word, u32 count) const {
  if (stores_.empty()) return;
  for (u32 same; count > 0; word += same, count -= same) {
    same = run_of(stores_, word, count);
    if (is_missing(issue, stores_[word])) report(issue, stores_[word], word, "reads");
  }
}

void TensorOrder::write(const TensorIssue& issue, u32 word, u32 count) {
  if (stores_.empty()) return;
  const u32 first = word, all = count;
  for (u32 same; count > 0; word += same, count -= same) {
    same = std::min(
        {run_of(loads_, word, count), run_of(other_loads_, word, count), run_of(stores_, word, count)});
    for (const u32 loaded : {loads_[word], other_loads_[word]})
      if (is_missing(issue, loaded)) report(issue, loaded, word, "overwrites");
    const u32 stored = stores_[word];
    if (is_missing(issue, stored) && !(issue.of_registers && of_own_warp(issue, stored)))
      report(issue, stored, word, "overwrites");
  }
  forget(first, all);
}

void TensorOrder::free(const TensorIssue& issue, u32 word, u32 count) {
  if (stores_.empty()) return;
  const u32 first = word, all = count;
  for (u32 same; count > 0; word += same, count -= same) {
    same = std::min(run_of(loads_, word, count), run_of(other_loads_, word, count));
    for (const u32 loaded : {loads_[word], other_loads_[word]})
      if (is_missing(issue, loaded)) report(issue, loaded, word, "gives back");
  }
  forget(first, all);
}

void TensorOrder::forget(u32 word, u32 count) {
  if (stores_.empty()) return;
  for (Numbers* const numbers : {&loads_, &other_loads_, &stores_}) {
    drop_all(*numbers, word, count);
    fill(*numbers, word, count, 0);
  }
}

void TensorOrder::clear() {
  for (Numbers* const numbers : {&loads_, &other_loads_, &stores_}) std::ranges::fill(*numbers, 0u);
  accesses_.resize(1);
  unused_.clear();
  for (auto& of_warp : open_)
    for (auto& list : of_warp) list.clear();
  last_serial_ = 0;
}

}  // namespace podium::ptx
