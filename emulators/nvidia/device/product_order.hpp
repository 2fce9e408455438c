// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which products of tcgen05.mma are done, and who knows it (PTX ISA 9.7.16.6): a product is asynchronous, and
// done for who has learnt that a phase of an mbarrier is complete at which a later tcgen05.commit of its
// thread arrives. Until then tcgen05.ld and .st may not touch what it writes. Order among products, and
// between them and tcgen05.cp, needs no wait.
#pragma once
#include <vector>

#include "emulators/nvidia/device/order.hpp"

namespace podium::ptx {

struct GpuThread;
struct Block;
struct TensorIssue;

inline constexpr u32 lanes_of_mark = 16;  // that products write together

// Of one cluster's tensor memory.
class ProductOrder {
 public:
  void clear();
  // A product of the thread writes `columns` columns of lanes_of_mark lanes from now on.
  void begins(GpuThread&, int line, const Block&, u32 lane, u32 column, u32 columns);
  // An arrival at `at` tells of the thread's products before it.
  void commit(GpuThread&, const Moment& at);
  // Faults if the instruction meets one of which its thread does not know that it is done.
  void check(const TensorIssue&, const Block&, u32 lane, u32 column, u32 columns, const char* does) const;
  void forget(const Block&, u32 column, u32 columns);

 private:
  struct Batch {  // products between two commits
    u32 thread;   // its number in the process
    u32 next;     // of the thread, + 1; 0: none yet
    int line;
    std::vector<Moment> committed;
  };
  bool is_done(u32 batch, const Known&) const;
  u32 word(const Block&, u32 lane, u32 column) const;

  std::vector<Batch> batches_;
  std::vector<u32> marks_;  // empty until there is a product; of batches, + 1
};

}  // namespace podium::ptx
