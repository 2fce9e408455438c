// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The words that belong to one launch, and the records that kernels hand back. The evaluator includes this
// too.
#pragma once
#include "types.hpp"

namespace podium::program {

// Places in the context. What an argument means depends on the kernel.
enum Launch : int {
  launch_seed,      // of the sample
  launch_results,   // address: one record a group
  launch_fault,     // address of the Fault
  launch_argument,  // the first of `launch_arguments`
};
inline constexpr int launch_arguments = 6;
enum ClockArgument : int { clock_result, clock_ticks };  // all its words: it belongs to no workload
inline constexpr int launch_words = launch_argument + launch_arguments;  // the workload's words follow

enum FillArgument : int { fill_kind = launch_argument, fill_first, fill_second, fill_third };
// The word fill_kind of the fill of this name: FNV-1a (G. Fowler, L. C. Noll, P. Vo).
PODIUM_DEVICE constexpr u64 fill_id(const char* name) {
  u64 hash = 0xcbf29ce484222325;
  for (; *name != 0; ++name) hash = (hash ^ u64(u8(*name))) * 0x100000001b3;
  return hash;
}

enum ReduceArgument : int { reduce_lanes = launch_argument, reduce_outer, reduce_inner, reduce_parts };
enum CompareArgument : int {
  compare_poison = launch_argument,
  compare_ulp,
  compare_growth  // times eps(accumulate); 1 where a growth uses its output's indices
};
enum ScanArgument : int { scan_poison = launch_argument };
enum HashArgument : int {
  hash_key = launch_argument,
  distinct_table,  // address of u32[rows][distinct_slots]
  distinct_slots
};
enum HoldArgument : int { hold_limit = launch_argument };
enum BytesArgument : int {
  bytes_first = launch_argument,
  bytes_second,
  bytes_count
};  // second: address or byte

enum PrefixArgument : int { prefix_lanes = launch_argument, prefix_parts, prefix_sums };
enum ScatterArgument : int { scatter_errors = launch_argument };  // address: a double an element
enum RecurArgument : int { recur_first = launch_argument, recur_last };
enum OrderArgument : int {
  order_length = launch_argument,  // of every line, padded
  order_first,                     // line of the reference that the buffers' first one is
  order_lines,                     // in the buffers
  order_width,                     // of sorted runs
  order_from,                      // address: keys of all lines, then indices
  order_to
};

// The first thing that is the problem's fault, in device memory; zeroed before each verification.
inline constexpr int max_rank = 6;
struct Fault {
  u32 taken;
  i32 kind;    // FaultKind
  i32 site;    // whose term: index into Problem::references, or of a fill by value -1 - that of its tensor
  i32 target;  // what was accessed: index into Problem::tensors, -1 - index into Problem::references, or
               // structure_target + index into Problem::structure
  i64 index[max_rank];
  u64 scrap;  // assignments out of range go here; not to a local, beside which NVRTC 13.0 drops all others
};
inline constexpr int structure_target = 1 << 20;
enum FaultKind : i32 {
  fault_range = 1,
  fault_limit = 2,
  fault_step = 3,        // a recurrence calls itself at a step that is not there yet
  fault_division = 4,    // of index[0] by zero, integers
  fault_target = 5,      // a scatter's target is out of range
  fault_length = 6,      // a line of index[0] elements where the buffers hold fewer
  fault_segment = 7,     // no segment of the structure `target` holds index[0]
  fault_unassigned = 8,  // a sequential algorithm that left its element number index[0] unassigned
  // Of the growth of the output whose reference `site` is; index[k] holds the bits of a double.
  fault_growth = 9,      // reads the structure `target` elsewhere than in its part in use
  fault_remainder = 10,  // index[0] % index[1], which has no value
  // The same of its `any`.
  fault_any = 12,
  fault_any_remainder = 13,
  // The whole numbers of the output `target` hold no index[1], of ExpectedKind index[2], for element
  // index[0].
  fault_value = 11
};

// The records of groups; merge() joins two in any order to the same result. identity() has found nothing.

// An output against its reference.
struct Comparison {
  double worst;  // largest error over its limit
  i64 at;        // linear index of that element in the output, the smallest of equals; -1: none
  u64 got;       // double, i64 or u64 by the output's dtype
  u64 expected;  // by expected_kind
  double limit;
  i64 checked, failed;
  i64 poisoned;       // of the failed: still holding the poison
  i64 expected_kind;  // ExpectedKind
  i64 excused;        // of the checked: need only be finite
  i64 telling;        // of the checked: other finite numbers than 0 are expected of them
  PODIUM_DEVICE static Comparison identity() { return {0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0}; }
  PODIUM_DEVICE void merge(const Comparison& other) {
    const i64 all[5] = {checked + other.checked, failed + other.failed, poisoned + other.poisoned,
                        excused + other.excused, telling + other.telling};
    if (other.at >= 0 && (at < 0 || other.worst > worst || (other.worst == worst && other.at < at)))
      *this = other;
    checked = all[0], failed = all[1], poisoned = all[2], excused = all[3], telling = all[4];
  }
};
enum ExpectedKind : i64 { expected_real, expected_signed, expected_unsigned };

PODIUM_DEVICE i64 smaller_index(i64 a, i64 b) { return a < 0 || (b >= 0 && b < a) ? b : a; }

// An output's elements that look unwritten or broken; first: the smallest linear index, -1: none.
struct Scan {
  i64 poisoned, first_poisoned;
  i64 nonfinite, first_nonfinite;
  i64 any;  // not looked at: may hold anything
  PODIUM_DEVICE static Scan identity() { return {0, -1, 0, -1, 0}; }
  PODIUM_DEVICE void merge(const Scan& other) {
    any += other.any;
    poisoned += other.poisoned, first_poisoned = smaller_index(first_poisoned, other.first_poisoned);
    nonfinite += other.nonfinite, first_nonfinite = smaller_index(first_nonfinite, other.first_nonfinite);
  }
};

// Bytes that differ, or elements out of order; first: the smallest index, -1: none.
struct Count {
  i64 count, first;
  PODIUM_DEVICE static Count identity() { return {0, -1}; }
  PODIUM_DEVICE void merge(const Count& other) {
    count += other.count, first = smaller_index(first, other.first);
  }
};

// Two independent keyed sums over the elements of a tensor: equal for equal multisets whatever their order.
struct Multiset {
  u64 sum[2];
  PODIUM_DEVICE static Multiset identity() { return {{0, 0}}; }
  PODIUM_DEVICE void merge(const Multiset& other) { sum[0] += other.sum[0], sum[1] += other.sum[1]; }
};

}  // namespace podium::program
