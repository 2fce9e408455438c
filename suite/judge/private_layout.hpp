// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's private memory for one workload: what lies where, and how large everything is.
#pragma once
#include <cstdint>
#include <vector>

#include "suite/problem/generate/plan.hpp"
#include "suite/problem/model/instance.hpp"

namespace podium::judge {

inline constexpr std::int64_t private_alignment = 256;  // bytes
inline constexpr int most_groups = 1024;                // of one launch; each hands back one record
inline constexpr int least_regions = 8;                 // of results: ranges of bytes compared at once
inline constexpr std::int64_t most_parts = 1 << 17;     // partial results of one split reduction
inline constexpr std::int64_t most_sorted = std::int64_t{1} << 23;  // pairs of several lines sorted together
inline constexpr std::int64_t sort_pair_bytes = 16;                 // a key and an index
inline constexpr std::int64_t most_suspects = 8;  // suspicious elements of one output that join the sample

// Faults are kept apart: of references, of those that depend on a contestant, which must not hide the
// problem's own, and of fills, which stand until a verification reports them.
enum class FaultKind { problems, contestants, fills };
inline constexpr int fault_kinds = 3;

struct Bounds {
  std::int64_t low = 0, extent = 0;
};

struct PrivateLayout {
  std::vector<std::vector<Bounds>> ranges;  // of each reference: its indices, then `over`
  std::vector<Bounds> sets;                 // the range that each sample set is drawn from
  std::vector<std::int64_t> capacity;       // most values of each sample set; its extent: always whole
  std::vector<std::int64_t> tensors, values, magnitudes,
      lists;                           // offsets; magnitudes: -1 where none are kept
  std::vector<std::int64_t> initials;  // offsets of inouts' values before the call; -1 of others
  std::int64_t tables = 0;             // offset of the words that distinct() uses
  std::int64_t parts = 0, fault = 0;   // offsets
  std::int64_t sort = 0, sorted = 0;   // offset of two buffers of so many pairs each
  std::int64_t errors = -1;            // offset of what compensated sums of a scatter lost; -1: none
  int regions = 0;                     // of results, most_groups records each, in memory of their own
  std::int64_t bytes = 0;
};

// Words of distinct()'s table for each row of the last axis, and bytes of all rows' tables.
std::int64_t table_slots(const problem::TensorInstance& tensor);
std::int64_t table_bytes(const problem::TensorInstance& tensor);

// Bytes of one region of results.
std::int64_t region_bytes();

// Whether a derived fill of this workload needs the evaluation.
bool needed_by_fill(const problem::Evaluation& evaluation, const problem::Instance& instance);

// Throws podium::Error with file and line if a range is not whole or a domain has 2^53 elements or more.
PrivateLayout lay_out(const problem::Plan& plan, const problem::Problem& problem,
                      const problem::Instance& instance, bool full);

}  // namespace podium::judge
