// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cuMem*: blocks of memory mapped by hand, and shared with another process through a descriptor. A block is a
// file in memory; an address range is reserved address space of this process.
#include <cuda.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "emulators/common/shared_file.hpp"
#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/runtime/memory.hpp"

namespace podium::ptx {
namespace {

constexpr std::size_t unit = std::size_t{2} << 20;

struct BlockFile {
  BlockFile(int file, std::size_t size, bool counted) : descriptor(file), bytes(size), own(counted) {}
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;
  ~BlockFile() {
    close(descriptor);
    if (own) give_memory_back(bytes);
  }
  int descriptor;
  std::size_t bytes;
  bool own;
};
using Handle = std::shared_ptr<BlockFile>;

struct Mapping {
  Handle block;              // which it keeps alive
  std::uint64_t begin, end;  // in the block
  bool accessible = false;
  std::uint64_t bytes() const { return end - begin; }
};
using Ranges = std::map<CUdeviceptr, std::uint64_t>;  // bytes by first address

std::mutex mutex;
std::map<CUdeviceptr, Mapping>& mapped() {
  static auto* const all = new std::map<CUdeviceptr, Mapping>;
  return *all;
}
Ranges& reserved() {
  static auto* const all = new Ranges;
  return *all;
}
std::atomic<bool> twice{false};

// Blocks that came here on two ways are the same file.
bool same_file(const BlockFile& a, const BlockFile& b) {
  struct stat of_a, of_b;
  return fstat(a.descriptor, &of_a) != 0 || fstat(b.descriptor, &of_b) != 0 ||
         (of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}
void look_for_twice() {
  bool found = false;
  for (auto a = mapped().begin(); a != mapped().end(); ++a)
    for (auto b = std::next(a); b != mapped().end(); ++b)
      found = found || (a->second.begin < b->second.end && b->second.begin < a->second.end &&
                        same_file(*a->second.block, *b->second.block));
  twice = found;
}
// A process to which one block was given works for the process that gave it, which waits meanwhile. Of
// several, some are other devices'.
void look_for_others() {
  std::vector<const BlockFile*> given;
  for (const auto& [at, mapping] : mapped())
    if (!mapping.block->own &&
        std::ranges::none_of(given, [&](const BlockFile* one) { return same_file(*one, *mapping.block); }))
      given.push_back(mapping.block.get());
  others_may_write() = given.size() > 1;
}
// What lies side by side in one reserved range, and may be accessed, is one allocation, as it is one on a
// device.
void allocate_anew() {
  static auto* const before = new Ranges;
  Ranges now;
  CUdeviceptr last = 0, end_of_range = 0;  // of the allocation that ends where the next mapping may begin
  for (const auto& [at, mapping] : mapped()) {
    if (!mapping.accessible) continue;
    if (last != 0 && last + now[last] == at && at < end_of_range) {
      now[last] += mapping.bytes();
      continue;
    }
    last = at;
    now[at] = mapping.bytes();
    const auto range = std::prev(reserved().upper_bound(at));
    end_of_range = range->first + range->second;
  }
  const auto holds = [](const Ranges& ranges, const Ranges::value_type& range) {
    const auto found = ranges.find(range.first);
    return found != ranges.end() && found->second == range.second;
  };
  for (const auto& range : *before)
    if (!holds(now, range)) device_memory().remove(reinterpret_cast<void*>(range.first));
  for (const auto& range : now)
    if (!holds(*before, range))
      device_memory().add(reinterpret_cast<void*>(range.first), range.second,
                          fmt::format("a block of {} bytes", range.second));
  *before = std::move(now);
}

// Whether [at, at + bytes) consists of mappings, whole ones.
bool is_mapped(CUdeviceptr at, std::uint64_t bytes) {
  auto next = at;
  for (auto found = mapped().find(at); found != mapped().end() && found->first == next && next < at + bytes;
       ++found)
    next += found->second.bytes();
  return next == at + bytes;
}

Handle& handle_of(CUmemGenericAllocationHandle handle) { return *reinterpret_cast<Handle*>(handle); }

}  // namespace

bool memory_has_two_addresses() { return twice; }

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp*,
                                       CUmemAllocationGranularity_flags) {
  *granularity = unit;
  return CUDA_SUCCESS;
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes, const CUmemAllocationProp*,
                     unsigned long long) {
  if (bytes == 0 || bytes % unit != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!take_memory(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  const int file = podium::emulation::make_shared_file(bytes);
  if (file < 0) {
    give_memory_back(bytes);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *handle = reinterpret_cast<CUmemGenericAllocationHandle>(
      new Handle(std::make_shared<BlockFile>(file, bytes, true)));
  return CUDA_SUCCESS;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  delete &handle_of(handle);
  return CUDA_SUCCESS;
}
CUresult cuMemExportToShareableHandle(void* to, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long) {
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
  const int copy = dup(handle_of(handle)->descriptor);
  if (copy < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  *static_cast<int*>(to) = copy;
  return CUDA_SUCCESS;
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* from,
                                        CUmemAllocationHandleType type) {
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
  const int copy = dup(static_cast<int>(reinterpret_cast<std::intptr_t>(from)));
  const off_t bytes = copy < 0 ? -1 : lseek(copy, 0, SEEK_END);
  if (bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  *handle = reinterpret_cast<CUmemGenericAllocationHandle>(
      new Handle(std::make_shared<BlockFile>(copy, static_cast<std::size_t>(bytes), false)));
  return CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr* at, size_t bytes, size_t, CUdeviceptr, unsigned long long) {
  void* const range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  *at = reinterpret_cast<CUdeviceptr>(range);
  const std::lock_guard lock(podium::ptx::mutex);
  reserved()[*at] = bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes) {
  const std::lock_guard lock(podium::ptx::mutex);
  const auto range = reserved().find(at);
  if (range == reserved().end() || range->second != bytes) return CUDA_ERROR_INVALID_VALUE;
  const auto first = mapped().lower_bound(at);
  if (first != mapped().end() && first->first < at + bytes) return CUDA_ERROR_INVALID_VALUE;
  munmap(reinterpret_cast<void*>(at), bytes);
  reserved().erase(range);
  return CUDA_SUCCESS;
}
CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long) {
  const Handle& block = handle_of(handle);
  const std::lock_guard lock(podium::ptx::mutex);
  const auto range = reserved().upper_bound(at);
  const bool is_reserved =
      range != reserved().begin() && at + bytes <= std::prev(range)->first + std::prev(range)->second;
  if (!is_reserved || offset + bytes > block->bytes) return CUDA_ERROR_INVALID_VALUE;
  if (mmap(reinterpret_cast<void*>(at), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, block->descriptor,
           static_cast<off_t>(offset)) == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  mapped()[at] = {block, offset, offset + bytes};
  look_for_twice();
  look_for_others();
  return CUDA_SUCCESS;
}
CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc* access, size_t) {
  const bool reads = access->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  const bool writes = access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  const std::lock_guard lock(podium::ptx::mutex);
  if (!is_mapped(at, bytes) ||
      mprotect(reinterpret_cast<void*>(at), bytes, (reads ? PROT_READ : 0) | (writes ? PROT_WRITE : 0)) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  const auto end = mapped().lower_bound(at + bytes);
  for (auto each = mapped().lower_bound(at); each != end; ++each) each->second.accessible = reads;
  allocate_anew();
  return CUDA_SUCCESS;
}
CUresult cuMemUnmap(CUdeviceptr at, size_t bytes) {
  const std::lock_guard lock(podium::ptx::mutex);
  // The range stays reserved.
  if (!is_mapped(at, bytes) ||
      mmap(reinterpret_cast<void*>(at), bytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return CUDA_ERROR_INVALID_VALUE;
  mapped().erase(mapped().lower_bound(at), mapped().lower_bound(at + bytes));
  allocate_anew();
  look_for_twice();
  look_for_others();
  return CUDA_SUCCESS;
}

}  // extern "C"
