// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/tensor_order.hpp"

#include <fmt/format.h>

#include <utility>

namespace podium::ptx {

TensorIssue::TensorIssue(GpuThread& t, int at, const char* what, bool registers)
    : thread(&t), line(at), name(what), of_registers(registers), known(t.clock.known), epoch(t.clock.now++) {}

u32 TensorOrder::take(const GpuThread& first, int line, bool store) {
  if (words_.empty()) words_.resize(static_cast<std::size_t>(tensor_lanes) * tensor_columns);
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

void TensorOrder::drop(u32 access) {
  if (access != 0 && --accesses_[access].users == 0) unused_.push_back(access);
}
void TensorOrder::replace(u32& last, u32 access) {
  drop(std::exchange(last, access));
  if (access != 0) ++accesses_[access].users;
}

void TensorOrder::add(u32 access, u32 word) {
  Last& last = words_[word];
  if (accesses_[access].store) return replace(last.store, access);
  if (!is_done(last.load) && is_done(last.other_load)) std::swap(last.load, last.other_load);
  replace(last.load, access);
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
  drop(list[index]);
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

void TensorOrder::read(const TensorIssue& issue, u32 word) const {
  if (words_.empty()) return;
  const u32 stored = words_[word].store;
  if (is_missing(issue, stored)) report(issue, stored, word, "reads");
}

void TensorOrder::write(const TensorIssue& issue, u32 word) {
  if (words_.empty()) return;
  const auto [loaded, other, stored] = words_[word];
  if (is_missing(issue, loaded)) report(issue, loaded, word, "overwrites");
  if (is_missing(issue, other)) report(issue, other, word, "overwrites");
  if (is_missing(issue, stored) && !(issue.of_registers && of_own_warp(issue, stored)))
    report(issue, stored, word, "overwrites");
  forget(word);
}

void TensorOrder::free(const TensorIssue& issue, u32 word) {
  if (words_.empty()) return;
  for (const u32 loaded : {words_[word].load, words_[word].other_load})
    if (is_missing(issue, loaded)) report(issue, loaded, word, "gives back");
  forget(word);
}

void TensorOrder::forget(u32 word) {
  if (words_.empty()) return;
  replace(words_[word].load, 0);
  replace(words_[word].other_load, 0);
  replace(words_[word].store, 0);
}

}  // namespace podium::ptx
