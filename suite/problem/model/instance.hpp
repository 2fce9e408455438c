// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A workload on one board: every formula evaluated, plain numbers only. instance/instantiate.hpp makes it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

struct TensorInstance {
  std::string name;
  Role role = Role::input;
  bool visible = true;  // to contestants
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> extents;
  std::int64_t elements = 1;
  Layout layout = Layout::row_major;
  std::vector<std::int64_t> strides;  // Layout::strided: in elements
  std::int64_t storage = 1;           // elements that memory has room for: with padding
  std::int64_t bytes = 0;             // of memory: with padding
  std::int64_t content = 0;           // bytes of the elements alone
  Fill::Kind fill = Fill::Kind::ready;
  const ReadyFill* ready_fill = nullptr;  // of Fill::Kind::ready, but of an output
  double fill_first = 0, fill_second = 0;
  std::int64_t fill_row = 0;       // permutation: its length
  std::size_t fill_number = 0;     // value: which of value_fills() (fills.hpp)
  std::size_t fill_reference = 0;  // derived: index into Problem::references
  double accumulate_eps = 0;       // of an output: spacing above 1 of its accumulator's format on this board
  // Where the problem says `used`, extents, elements, storage, bytes and content are those of the part in use
  // once structure is computed; these are as allocated.
  std::int64_t whole_extent = 1;  // of the first axis
  std::int64_t whole_bytes = 0;
  PerRank per_rank = PerRank::whole;
};

struct StructureInstance {
  std::string name;
  Dtype dtype = Dtype::i32;
  bool visible = true;
  std::vector<std::int64_t> extents;  // as allocated
  std::int64_t elements = 1, bytes = 0;
  std::int64_t used = 1;  // extent of the first axis in use; 1 for a single number
  // The numbers, row-major, each as the bits of an int64 or of a double; none before they are computed.
  std::shared_ptr<const std::vector<std::uint64_t>> words;

  std::int64_t used_elements() const {
    return extents.empty() || extents[0] == 0 ? elements : elements / extents[0] * used;
  }
  double number(std::int64_t element) const;  // of `words`
  // As the dtype stores them, little-endian: `bytes` of them, written to `to`, on several threads if many.
  void pack(std::byte* to) const;
};

struct Instance {
  std::string workload;  // its name
  Stage stage = Stage::test;
  std::vector<std::int64_t> axes;       // in the order of the file, computed ones included
  std::vector<double> parameters;       // in the order of the file
  std::vector<TensorInstance> tensors;  // in the order of the problem's
  double bytes = 0;  // least traffic: inputs read once, outputs written once, inouts both, no padding; or as
                     // stated
  double flops = 0;  // 0: not stated
  std::vector<StructureInstance> structure;  // in the order of the file

  int ranks = 1;
  double symmetric = 0;  // bytes of each rank's memory that all ranks reach
  double link = 0;       // bytes that each rank sends to others; 0: not stated

  bool structured() const { return structure.empty() || structure.front().words; }
};

// What each rank has of an instance: its part of every tensor in place of all of it. For one device that is
// the instance itself.
Instance part_of_rank(const Instance& instance);

}  // namespace podium::problem
