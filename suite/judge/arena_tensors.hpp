// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The tensors of an instance in the arena that the judge shares with a worker: where they lie, what is
// written there before a call, and what is copied from there after it.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "suite/device/device.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::judge {

// Of the outputs of one call, as they are kept, whatever structure makes of them.
std::size_t bytes_kept(const problem::Instance& instance);

// Where outputs of calls behind one gate lie until all are copied, one call behind the other.
class KeptOutputs {
 public:
  explicit KeptOutputs(const device::Memory* memory) : memory_(memory) {}  // none: single calls only

  void begin(const problem::Instance& instance);
  int calls_within(int most) const;  // for which there is room, at least 1
  std::byte* at(std::size_t call, std::size_t tensor) const {
    return memory_->data() + call * bytes_ + offsets_[tensor];
  }

 private:
  const device::Memory* memory_;
  std::vector<std::size_t> offsets_;  // of each tensor of one call, written or not
  std::size_t bytes_ = 0;             // of all of them
};

class ArenaTensors {
 public:
  // `writes_inputs`: false for the trusted empty contestant, whose inputs nobody fills. All outlive this.
  // `rank`: of a group, whose part of the tensors these are.
  ArenaTensors(device::Device& device, device::Arena& arena, const device::Memory* kept, Evaluator& evaluator,
               bool writes_inputs, int rank = 0)
      : device_(device),
        arena_(arena),
        evaluator_(evaluator),
        writes_inputs_(writes_inputs),
        rank_(rank),
        kept_(kept) {}

  void begin(const problem::Instance& instance);                    // until the next one
  const problem::Instance& instance() const { return *instance_; }  // the rank's part of it
  const std::byte* input(std::size_t tensor) const;  // the private copy of what the arena must hold

  int most_together() const;  // calls for which arena and kept outputs have room
  Placement place(std::uint64_t seed) const;
  std::vector<Placement> place_calls(std::uint64_t seed, std::size_t calls) const;

  // The device's copy of visible structure, where every sample finds it. Returns what the worker is told of
  // it.
  protocol::Structures write_structure();
  void poison(const Placement& placement, std::uint8_t poison);  // guards and outputs
  // From the judge's own memory. Last, so that what of them fits is in the caches of a call before which
  // nothing is flushed.
  void write_inputs(const Placement& placement);
  std::size_t bytes_written(const Placement& placement) const;  // by a call

  // Private copies first: whatever still runs over there cannot change them.
  void copy_outputs(const Placement& placement);
  // Of several calls all are copied before the first is looked at: what is written later counts for none of
  // them. Then one call's at a time goes to the evaluator. `between` is called after each copy.
  void keep_outputs(std::span<const Placement> calls, const std::function<void()>& between);
  void restore_outputs(const Placement& placement, std::size_t call);

 private:
  int calls_with_room() const;
  std::int64_t room() const;
  std::int64_t offset_of_part(std::size_t tensor) const;  // in the private copies of the whole
  void each_output(const Placement& placement, const auto& use) const;

  device::Device& device_;
  device::Arena& arena_;
  Evaluator& evaluator_;
  bool writes_inputs_;
  int rank_;
  KeptOutputs kept_;
  std::optional<problem::Instance> part_;  // of a group alone
  const problem::Instance* instance_ = nullptr;
};

}  // namespace podium::judge
