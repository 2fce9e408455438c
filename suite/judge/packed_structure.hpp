// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The numbers of a workload's structure as their dtypes store them, made once a round for all contestants:
// on the device for the judge alone, and in a file that workers may map and nobody can change.
#pragma once
#include <memory>
#include <vector>

#include "suite/base/descriptor.hpp"
#include "suite/device/device.hpp"
#include "suite/problem/model/instance.hpp"

namespace podium::judge {

class PackedStructure {
 public:
  // Of structure that has been computed. Throws podium::Error: no memory on the device, no file.
  PackedStructure(device::Device& device, const problem::Instance& instance);

  // On the device, in the judge's private memory; index into instance.structure.
  std::byte* data(std::size_t s) const { return memory_ ? memory_->data() + offsets_[s] : nullptr; }
  static std::int64_t memory(const problem::Instance& instance);  // bytes of it

  // What contestants may see, each at its offset in the file; only where anything is visible.
  std::int64_t file_offset(std::size_t s) const { return file_offsets_[s]; }
  std::int64_t file_bytes() const { return file_bytes_; }
  // The file opened for reading, for one worker: none meets another one through what an open file remembers.
  Descriptor open() const;

 private:
  std::unique_ptr<device::Memory> memory_;
  std::vector<std::int64_t> offsets_, file_offsets_;
  std::int64_t file_bytes_ = 0;
  Descriptor file_;
};

}  // namespace podium::judge
