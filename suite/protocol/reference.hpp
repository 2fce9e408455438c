// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What passes between the judge and the process of a reference in Python. podium starts that process and
// hands the judge its socket. suite/compile/python/podium_reference.py reads and writes the same layouts.
#pragma once
#include <atomic>
#include <cstdint>

#include "suite/protocol/protocol.hpp"

namespace podium::protocol {

// podium to judge, after the problem; descriptors: the judge's end of the socket, a page with a
// ReferenceClock. Answered by Done once the file has been executed.
struct AddReference {
  static constexpr Type type = Type::reference;
  Header header;
  std::int32_t pid;       // of the process, leader of its group: killed if podium dies
  std::int32_t patience;  // seconds, for each answer
};

// For how long the judge has waited for the reference: that time is no contestant's. In shared memory.
struct ReferenceClock {
  std::atomic<std::int64_t> spent{0};  // nanoseconds, of questions that have been answered
  std::atomic<std::int64_t> since{0};  // nanoseconds of the machine's monotonic clock; 0: nothing is asked
  // Upon some outputs it has ended (1), or the judge has ended it (2), and needs another process.
  std::atomic<std::int64_t> over{0};
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

struct ReferenceLoad {  // executes the file
  static constexpr Type type = Type::reference_load;
  Header header;
};
// A workload. Descriptors: memory shared with the judge alone, and its description as JSON.
struct ReferenceBegin {
  static constexpr Type type = Type::reference_begin;
  Header header;
  std::uint64_t memory_bytes, description_bytes;
};
// inputs: draws them. verify: judges the outputs in shared memory by check(), else puts the expected ones
// there. prove: whether the reference's own outputs pass its check, whatever shared memory holds. exact: the
// error of the outputs in shared memory.
enum class ReferenceTask : std::int32_t { inputs, verify, prove, exact };
struct ReferenceAsk {
  static constexpr Type type = Type::reference_ask;
  Header header;
  ReferenceTask task;
  std::int32_t padding;
  std::uint64_t seed;  // 63 bits
};
// wrong: the outputs are, as `text` says. failed: the reference is at fault. raised: its check() has, and
// nothing shows whether it can do otherwise.
enum class ReferenceVerdict : std::int32_t { right, wrong, failed, raised };
struct ReferenceAnswer {
  static constexpr Type type = Type::reference_answer;
  Header header;
  ReferenceVerdict verdict;
  std::int32_t functions;  // of the file, bits in the order: inputs, outputs, check, exact
  double exact;            // largest error of the largest magnitude; NaN: not known
  Sentence text;           // of the verdict
  Sentence note;           // where the largest error is
};

}  // namespace podium::protocol
