// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/arena_tensors.hpp"

#include <algorithm>

namespace podium::judge {
namespace {

using problem::Role;

}  // namespace

std::size_t bytes_kept(const problem::Instance& instance) {
  std::size_t bytes = 0;
  for (const auto& tensor : instance.tensors)
    if (tensor.visible && tensor.role != Role::input)
      bytes += static_cast<std::size_t>(aligned(std::max(tensor.bytes, tensor.whole_bytes)));
  return bytes;
}

void KeptOutputs::begin(const problem::Instance& instance) {
  offsets_.clear();
  bytes_ = 0;
  for (const auto& tensor : instance.tensors) {
    offsets_.push_back(bytes_);
    if (tensor.visible && tensor.role != Role::input && tensor.bytes > 0)
      bytes_ += static_cast<std::size_t>(aligned(tensor.bytes));
  }
}

int KeptOutputs::calls_within(int most) const {
  if (bytes_ == 0) return most;
  const std::size_t room = memory_ ? memory_->bytes() / bytes_ : 0;
  return std::max(1, static_cast<int>(std::min(static_cast<std::size_t>(most), room)));
}

void ArenaTensors::begin(const problem::Instance& instance) {
  if (instance.ranks > 1) part_ = problem::part_of_rank(instance);
  instance_ = instance.ranks > 1 ? &*part_ : &instance;
  kept_.begin(*instance_);
}

std::int64_t ArenaTensors::offset_of_part(std::size_t tensor) const {
  const auto& part = instance_->tensors[tensor];
  return part.per_rank == problem::PerRank::whole ? 0 : rank_ * part.bytes;
}

const std::byte* ArenaTensors::input(std::size_t tensor) const {
  return evaluator_.input(tensor) + offset_of_part(tensor);
}

int ArenaTensors::calls_with_room() const {
  constexpr int where_fills_are_slow = 6;  // filling and checking on a CPU would double the time of a run
  return calls_within(*instance_, static_cast<std::int64_t>(arena_.bytes()),
                      device_.spins() ? protocol::most_together : where_fills_are_slow);
}

// In bytes from the arena's begin on. The rest of a large arena belongs to other workloads.
std::int64_t ArenaTensors::room() const { return arena_bytes(*instance_, calls_with_room()); }

int ArenaTensors::most_together() const { return kept_.calls_within(calls_with_room()); }

Placement ArenaTensors::place(std::uint64_t seed) const { return judge::place(*instance_, room(), seed); }

std::vector<Placement> ArenaTensors::place_calls(std::uint64_t seed, std::size_t calls) const {
  return judge::place_calls(*instance_, room(), seed, static_cast<int>(calls));
}

protocol::Structures ArenaTensors::write_structure() {
  const Placement placement = place(0);
  const PackedStructure& packed = evaluator_.structure();
  protocol::Structures message{};
  for (std::size_t s = 0; s < instance_->structure.size(); ++s) {
    const auto& structure = instance_->structure[s];
    if (!structure.visible) continue;
    const Range at = placement.structure[s];
    if (at.bytes > 0) device_.copy(arena_.data() + at.offset, packed.data(s), at.bytes);
    auto& layout = message.structures[message.count++];
    layout.offset = at.offset;
    layout.host_offset = packed.file_offset(s);
    layout.rank = static_cast<std::int32_t>(structure.extents.size());
    std::copy(structure.extents.begin(), structure.extents.end(), layout.extents);
  }
  if (message.count > 0) device_.synchronise();
  message.host_bytes = packed.file_bytes();
  return message;
}

void ArenaTensors::poison(const Placement& placement, std::uint8_t poison) {
  for (const auto& [at, name, before] : placement.guards)
    if (at.bytes > 0) device_.set(arena_.data() + at.offset, guard_byte, at.bytes);
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t]; at.bytes > 0 && instance_->tensors[t].role == Role::output)
      device_.set(arena_.data() + at.offset, poison, at.bytes);
}

void ArenaTensors::write_inputs(const Placement& placement) {
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t];
        writes_inputs_ && at.bytes > 0 && instance_->tensors[t].role != Role::output)
      device_.copy(arena_.data() + at.offset, input(t), at.bytes);
}

void ArenaTensors::each_output(const Placement& placement, const auto& use) const {
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (instance_->tensors[t].role != Role::input) use(t, placement.tensors[t]);
}

std::size_t ArenaTensors::bytes_written(const Placement& placement) const {
  std::size_t bytes = 0;
  each_output(placement, [&](std::size_t, const Range& at) { bytes += static_cast<std::size_t>(at.bytes); });
  return bytes;
}

void ArenaTensors::copy_outputs(const Placement& placement) {
  each_output(placement, [&](std::size_t t, const Range& at) {
    if (at.bytes > 0)
      device_.copy(evaluator_.output(t) + offset_of_part(t), arena_.data() + at.offset, at.bytes);
  });
}

void ArenaTensors::keep_outputs(std::span<const Placement> calls, const std::function<void()>& between) {
  for (std::size_t k = calls.size(); k-- > 0;)
    each_output(calls[k], [&](std::size_t t, const Range& at) {
      if (at.bytes > 0) device_.copy(kept_.at(k, t), arena_.data() + at.offset, at.bytes);
      between();
    });
}

void ArenaTensors::restore_outputs(const Placement& placement, std::size_t call) {
  each_output(placement, [&](std::size_t t, const Range& at) {
    if (at.bytes > 0)
      device_.copy(evaluator_.output(t), kept_.at(call, t), static_cast<std::size_t>(at.bytes));
  });
}

}  // namespace podium::judge
