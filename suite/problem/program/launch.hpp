// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The words that belong to one launch, and the records that kernels hand back. The evaluator includes this too.
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
inline constexpr int launch_words = launch_argument + launch_arguments;  // the workload's words follow

enum FillArgument : int { fill_kind = launch_argument, fill_first, fill_second, fill_third };
enum class FillKind : u64 {
  normal,    // first mean, second standard deviation
  uniform,   // first low, second high minus low, third the largest number of the dtype below high
  integers,  // first low, second how many different numbers: two integers
  zeros,
  ones,
  sequence,  // first the first, second the step
};

enum ReduceArgument : int { reduce_lanes = launch_argument, reduce_outer, reduce_inner, reduce_parts };
enum CompareArgument : int { compare_poison = launch_argument, compare_ulp, compare_growth };
enum ScanArgument : int { scan_poison = launch_argument };
enum HashArgument : int { hash_key = launch_argument };
enum BytesArgument : int { bytes_first = launch_argument, bytes_second, bytes_count };  // second: address or byte

// The first thing that is the problem's fault, in device memory; zeroed before each verification.
inline constexpr int max_rank = 6;
struct Fault {
  u32 taken;
  i32 kind;    // FaultKind
  i32 site;    // whose term: index into Problem::references
  i32 target;  // what was accessed: index into Problem::tensors, or -1 - index into Problem::references
  i64 index[max_rank];
};
enum FaultKind : i32 { fault_range = 1, fault_limit = 2 };

// What one group found when comparing an output with its reference.
struct Comparison {
  double worst;  // error over limit
  i64 at;        // linear index in the output of the worst, -1 if none; the smallest of equals
  u64 got;       // double, i64 or u64, by the output's dtype
  u64 expected;  // by expected_kind
  double limit;
  i64 failed;    // elements beyond the limit
  i64 poisoned;  // of these: still holding the poison
  i32 expected_kind;  // 0 double, 1 i64, 2 u64
  i32 reserved;
  i64 checked;
};

// What one group found when scanning an output; first: the smallest linear index, -1 if none.
struct Scan {
  i64 poisoned, first_poisoned;
  i64 nonfinite, first_nonfinite;
};

struct Order {
  i64 violations, first;  // first: linear index of the smaller of the two neighbours, or of the NaN
};

struct Multiset {
  u64 sum[2];
};

struct Differences {
  i64 count, first;  // bytes
};

}  // namespace podium::program
