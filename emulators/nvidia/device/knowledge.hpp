// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread knows to have happened before: vector clocks (Fidge 1988, Mattern 1989) whose entries are
// epochs of threads (FastTrack, Flanagan and Freund 2009). A thread's epoch advances whenever it lets others
// know what it did; whoever learns of epoch e knows all that the thread did up to then. Threads that meet at
// a barrier share one clock afterwards, so clocks are shared and copied only to be changed.
#pragma once
#include <vector>

#include "emulators/common/counted.hpp"
#include "emulators/nvidia/device/types.hpp"

namespace podium::ptx {

using Epochs = std::vector<u32>;  // of a block's threads, in order; 0: nothing is known of it
using SharedEpochs = emulation::Counted<Epochs>;

// Of each block of the launch of which something is known, by the block's number.
struct Knowledge {
  struct OfBlock {
    u32 block;
    SharedEpochs epochs;  // changed only by who has it alone
  };
  std::vector<OfBlock> blocks;  // sorted

  const u32* of_block(u32 block) const;  // nullptr: nothing is known
};
using Known = emulation::Counted<const Knowledge>;  // nullptr: nothing

Known joined(const Known&, const Known&);

// Which thread of the launch, and in which epoch; `threads` in its block.
struct Moment {
  u32 block, thread, threads, epoch;
};

// Knowledge that grows while threads arrive somewhere.
class Gathering {
 public:
  void add(const Known& known);
  void add(const Known& known, const Moment& own) {
    add(known);
    set(own);
  }
  bool empty() const { return knowledge_.blocks.empty(); }
  const Knowledge& now() const { return knowledge_; }
  void clear();
  Known snapshot();  // cheap: later changes copy

 private:
  void set(const Moment&);

  Knowledge knowledge_;
  Known last_;      // added: lanes of a warp bring the same one by one
  Known snapshot_;  // of now; nullptr: none was taken since the last change
};

}  // namespace podium::ptx
