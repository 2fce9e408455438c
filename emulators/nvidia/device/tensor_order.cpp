// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/tensor_order.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace podium::ptx {

u32 NumbersOfWords::run(u32 word, u32 count) const {
  const u32 number = (*this)[word], end = word + count;
  u32 next = word;
  if (of_groups_[word / group] == mixed) {
    const u32 last = std::min(end, word / group * group + group);
    while (next < last && words_[next] == number) ++next;
    return next - word;
  }
  while (next < end && of_groups_[next / group] == number) next = next / group * group + group;
  return std::min(next, end) - word;
}

void NumbersOfWords::fill(u32 word, u32 count, u32 number) {
  for (const u32 end = word + count; word < end;) {
    const u32 first = word / group * group, next = std::min(end, first + group);
    u32& all = of_groups_[word / group];
    if (next - word == group) {
      all = number;
    } else if (all != number) {
      if (words_.empty()) words_.resize(words);
      const auto begin = words_.begin() + first;
      if (all != mixed) std::fill_n(begin, group, all);
      std::fill(words_.begin() + word, words_.begin() + next, number);
      all = std::all_of(begin, begin + group, [&](u32 other) { return other == number; }) ? number : mixed;
    }
    word = next;
  }
}

TensorIssue::TensorIssue(GpuThread& t, int at, const char* what, bool registers)
    : thread(&t), line(at), name(what), of_registers(registers), known(t.clock.known), epoch(t.clock.now++) {}

u32 TensorOrder::take(const GpuThread& first, int line, bool store) {
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
void TensorOrder::drop_all(const NumbersOfWords& numbers, u32 word, u32 count) {
  for (u32 same; count > 0; word += same, count -= same) drop(numbers[word], same = numbers.run(word, count));
}

void TensorOrder::add(u32 access, u32 word, u32 count) {
  accesses_[access].users += count;
  if (accesses_[access].store) {
    drop_all(stores_, word, count);
    return stores_.fill(word, count, access);
  }
  for (u32 same; count > 0; word += same, count -= same) {
    same = std::min(loads_.run(word, count), other_loads_.run(word, count));
    const u32 load = loads_[word], other = other_loads_[word];
    const bool keeps_load = !is_done(load) && is_done(other);
    if (keeps_load) other_loads_.fill(word, same, load);
    loads_.fill(word, same, access);
    drop(keeps_load ? other : load, same);
  }
}

// By the thread's part of an access; it is closed when no lane is left.
void TensorOrder::finish(GpuThread& thread, std::vector<u32>& list, std::size_t index) {
  Access& access = accesses_[list[index]];
  u32& done = access.done[thread.lane];
  if (access.begun[thread.lane] == 0 || done != 0) return;
  done = thread.clock.now;
  if (!access.store) --thread.loads_in_flight;
  if (--access.left != 0) return;
  drop(list[index], 1);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
}

void TensorOrder::wait(GpuThread& thread, bool store) {
  auto& list = open_[thread.warp->id][store ? 1 : 0];
  for (std::size_t left = list.size(); left > 0; --left) finish(thread, list, left - 1);
}

void TensorOrder::used(GpuThread& thread, u32 serial) {
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
  for (u32 same; count > 0; word += same, count -= same) {
    same = stores_.run(word, count);
    if (is_missing(issue, stores_[word])) report(issue, stores_[word], word, "reads");
  }
}

void TensorOrder::write(const TensorIssue& issue, u32 word, u32 count) {
  const u32 first = word, all = count;
  for (u32 same; count > 0; word += same, count -= same) {
    same = std::min({loads_.run(word, count), other_loads_.run(word, count), stores_.run(word, count)});
    for (const u32 loaded : {loads_[word], other_loads_[word]})
      if (is_missing(issue, loaded)) report(issue, loaded, word, "overwrites");
    const u32 stored = stores_[word];
    if (is_missing(issue, stored) && !(issue.of_registers && of_own_warp(issue, stored)))
      report(issue, stored, word, "overwrites");
  }
  forget(first, all);
}

void TensorOrder::free(const TensorIssue& issue, u32 word, u32 count) {
  const u32 first = word, all = count;
  for (u32 same; count > 0; word += same, count -= same) {
    same = std::min(loads_.run(word, count), other_loads_.run(word, count));
    for (const u32 loaded : {loads_[word], other_loads_[word]})
      if (is_missing(issue, loaded)) report(issue, loaded, word, "gives back");
  }
  forget(first, all);
}

void TensorOrder::forget(u32 word, u32 count) {
  for (NumbersOfWords* const numbers : {&loads_, &other_loads_, &stores_}) {
    drop_all(*numbers, word, count);
    numbers->fill(word, count, 0);
  }
}

void TensorOrder::clear() {
  for (NumbersOfWords* const numbers : {&loads_, &other_loads_, &stores_})
    numbers->fill(0, tensor_lanes * tensor_columns, 0);
  accesses_.resize(1);
  unused_.clear();
  for (auto& of_warp : open_)
    for (auto& list : of_warp) list.clear();
  last_serial_ = 0;
}

}  // namespace podium::ptx
