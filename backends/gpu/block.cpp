// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/block.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>

#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

std::map<int, std::int64_t> allocated;  // bytes, by device
std::set<int> reaching;                 // devices that reach what is shared

}  // namespace

std::int64_t Block::held(int device) { return allocated[device]; }

void Block::let_reach(int device) { reaching.insert(device); }

std::size_t round_up(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - block_unit) return bytes / block_unit * block_unit;
  return bytes == 0 ? block_unit : (bytes + block_unit - 1) / block_unit * block_unit;
}

Block::Block(int device, std::size_t bytes, bool shared) : bytes_(round_up(bytes)), device_(device) {
  api::AllocationProperties properties{};
  properties.type = api::pinned_allocation;
  properties.location.type = api::device_location;
  properties.location.id = device;
  if (shared) api::request_descriptor(properties);
  std::size_t free = 0, total = 0;
  check(api::memory_info(&free, &total));
  // Asked before: drivers take their time to refuse, and some refuse absurd sizes with another error.
  const auto status = bytes_ > total ? api::out_of_memory : api::create(&allocation_, bytes_, properties);
  if (status == api::out_of_memory) {
    static_cast<void>(api::last_error());
    throw device::OutOfMemory(fmt::format(
        "{} MiB of device memory were requested, but only {} of {} MiB are free; choose smaller workloads",
        bytes_ >> 20, free >> 20, total >> 20));
  }
  check(status);
  held_ = true;
  own_ = true;
  allocated[device] += static_cast<std::int64_t>(bytes_);
  map(device, shared);
}

Block::Block(int device, std::size_t bytes, const Descriptor& file) : bytes_(bytes) {
  check(api::import_descriptor(&allocation_, file.get()));
  held_ = true;
  map(device, false);
}

void Block::map(int device, bool shared) try {
  check(api::reserve(&data_, bytes_));
  check(api::map(data_, bytes_, allocation_));
  mapped_ = true;
  check(api::allow(data_, bytes_, device));
  if (shared)
    for (const int other : reaching)
      if (other != device) check(api::allow(data_, bytes_, other));
} catch (...) {
  free();
  throw;
}

void Block::free() {
  if (mapped_)
    ignore(api::device_synchronise());  // unmapping does not wait for what was enqueued and still writes
  if (mapped_) ignore(api::unmap(data_, bytes_));
  if (data_) ignore(api::give_back(data_, bytes_));
  if (held_) ignore(api::release(allocation_));
  if (own_) allocated[device_] -= static_cast<std::int64_t>(bytes_);
}

Block::~Block() { free(); }

Descriptor Block::exported() const {
  int descriptor = -1;
  check(api::export_descriptor(&descriptor, allocation_));
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return Descriptor(descriptor);
}

PrivateMemory::PrivateMemory(int device, std::size_t bytes) : block_(device, bytes, false) {
  data_ = block_.data();
  bytes_ = bytes;
}

SharedArena::SharedArena(int device, std::size_t bytes)
    : block_(device, bytes, true), file_(block_.exported()) {
  data_ = block_.data();
  bytes_ = block_.bytes();
}

}  // namespace podium::gpu
