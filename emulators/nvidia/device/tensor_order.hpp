// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which loads and stores of tensor memory are done (PTX ISA 9.7.16.6): tcgen05.ld and .st are asynchronous. A
// store is done at tcgen05.wait::st of its warp; a load at tcgen05.wait::ld, or where a register that it
// writes is used, which the ISA orders. Whoever has learnt of one that was begun but not of its end relies on
// a wait that is missing. Ordered without: stores of one warp among each other.
#pragma once
#include <array>
#include <vector>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {

inline constexpr u32 tensor_lanes = 128, tensor_columns = 512;  // of a block
inline u32 tensor_word(u32 lane, u32 column) { return lane * tensor_columns + column; }

class TensorOrder;

// An instruction that reaches for tensor memory, and what its thread knew when it was issued.
struct TensorIssue {
  TensorIssue(GpuThread&, int line, const char* name, bool of_registers = false);
  GpuThread* thread;
  int line;
  const char* name;
  bool of_registers;  // tcgen05.ld or .st
  Known known;
  u32 epoch;
  mutable const TensorOrder* fine_in = nullptr;  // of the last load or store that was found to be done
  mutable u32 fine = 0;
};

// A number for each word, 0 at first. Neighbours are mostly alike: where all of a group are, their number
// stands once, and runs of them are handled together.
class NumbersOfWords {
 public:
  u32 operator[](u32 word) const {
    const u32 all = of_groups_[word / group];
    return all != mixed ? all : words_[word];
  }
  // Of the `count` words from `word` on, how many have the number of the first one: at least so many.
  u32 run(u32 word, u32 count) const;
  void fill(u32 word, u32 count, u32 number);

 private:
  static constexpr u32 words = tensor_lanes * tensor_columns, group = 16, mixed = ~0u;

  std::vector<u32> of_groups_ = std::vector<u32>(words / group);
  std::vector<u32> words_;  // of groups that are mixed; empty until there is one
};

// Of one block's tensor memory; words are numbered by tensor_word.
class TensorOrder {
 public:
  // A tcgen05.ld or .st of the warp in which `lanes` met; `all` lists its threads. Returns its number.
  template <class Operands>
  u32 begin(Operands* const* all, u32 lanes, int line, bool store) {
    const u32 access = take(*all[__builtin_ctz(lanes)]->thread, line, store);
    accesses_[access].left = static_cast<u32>(__builtin_popcount(lanes));
    each_lane(lanes, [&](u32 lane) {
      accesses_[access].begun[lane] = all[lane]->thread->clock.now;
      if (!store) ++all[lane]->thread->loads_in_flight;
    });
    return access;
  }
  // That access reads or stores `count` words from `word` on.
  void add(u32 access, u32 word, u32 count);
  // At tcgen05.wait: all loads, or stores, that the thread began.
  void wait(GpuThread&, bool store);
  // A register is used that the load of this `serial` number writes.
  void used(GpuThread&, u32 serial);
  u32 serial(u32 access) const { return accesses_[access].serial; }

  // Faults if a wait is missing before the instruction reads or writes the words.
  void read(const TensorIssue&, u32 word, u32 count) const;
  void write(const TensorIssue&, u32 word, u32 count);
  void free(const TensorIssue&, u32 word, u32 count);  // they are given back
  // Nothing is known of the words any more.
  void forget(u32 word, u32 count);
  // Of no word anything: another block's.
  void clear();

 private:
  struct Access {
    bool store;
    u32 block, warp, serial;
    int line;
    u32 users;                          // words, and the warp's list
    u32 left = 0;                       // lanes for which it is not done
    std::array<u32, 32> begun, done{};  // epochs of the lanes; 0: never, not yet
  };

  u32 take(const GpuThread& first, int line, bool store);
  void drop(u32 access, u32 words);
  void drop_all(const NumbersOfWords&, u32 word, u32 count);
  bool is_done(u32 access) const { return accesses_[access].left == 0; }  // or there is none
  bool of_own_warp(const TensorIssue&, u32 access) const;
  void finish(GpuThread&, std::vector<u32>& list, std::size_t index);
  bool is_missing(const TensorIssue&, u32 access) const;
  [[noreturn]] void report(const TensorIssue&, u32 access, u32 word, const char* does) const;

  // The last accesses. Of loads two: one that is done makes room.
  NumbersOfWords loads_, other_loads_, stores_;
  std::vector<Access> accesses_{{}};  // number 0 is nobody's
  std::vector<u32> unused_;
  std::array<std::array<std::vector<u32>, 2>, 32> open_;  // by warp, loads and stores: not done by all lanes
  u32 last_serial_ = 0;
};

}  // namespace podium::ptx
