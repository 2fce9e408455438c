// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/packed_structure.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "suite/base/error.hpp"
#include "suite/judge/placement.hpp"

namespace podium::judge {
namespace {

[[noreturn]] void fail() {
  throw Error(fmt::format("creating the file that shares structure with the worker failed: {}",
                          std::strerror(errno)));
}

class Mapping {
 public:
  enum class For { writing, reading };
  Mapping(int file, std::size_t bytes, For what) : bytes_(bytes) {
    // A shared one could be made writable, which kernels before 6.7 refuse for a sealed file.
    at_ = what == For::writing ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                               : mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (at_ == MAP_FAILED) fail();
  }
  ~Mapping() { munmap(at_, bytes_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(at_); }

 private:
  void* at_;
  std::size_t bytes_;
};

}  // namespace

std::int64_t PackedStructure::memory(const problem::Instance& instance) {
  std::int64_t bytes = 0;
  for (const auto& structure : instance.structure) bytes += aligned(structure.bytes);
  return bytes;
}

PackedStructure::PackedStructure(device::Device& device, const problem::Instance& instance) {
  std::int64_t bytes = 0, hidden = 0;
  for (const auto& structure : instance.structure) {
    offsets_.push_back(bytes);
    bytes += aligned(structure.bytes);
    file_offsets_.push_back(structure.visible ? file_bytes_ : hidden);
    (structure.visible ? file_bytes_ : hidden) += aligned(structure.bytes);
  }
  if (instance.structure.empty()) return;
  memory_ = device.allocate(static_cast<std::size_t>(std::max(bytes, std::int64_t{tensor_alignment})));
  file_bytes_ = std::max(file_bytes_, std::int64_t{tensor_alignment});  // an empty file cannot be mapped
  file_ = Descriptor(memfd_create("podium-structure", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file_ || ftruncate(file_.get(), file_bytes_) != 0) fail();
  const auto shown_bytes = static_cast<std::size_t>(file_bytes_);
  std::vector<std::byte> kept(static_cast<std::size_t>(hidden));
  const auto each = [&](std::byte* shown, const auto& use) {
    for (std::size_t s = 0; s < instance.structure.size(); ++s)
      if (const auto& structure = instance.structure[s]; structure.bytes > 0)
        use(s, structure, (structure.visible ? shown : kept.data()) + file_offsets_[s]);
  };
  each(Mapping(file_.get(), shown_bytes, Mapping::For::writing).data(),
       [](std::size_t, const auto& structure, std::byte* at) { structure.pack(at); });
  // Sealed before the device reads it: a driver that still held a page would keep it from being sealed.
  if (fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) fail();
  const Mapping sealed(file_.get(), shown_bytes, Mapping::For::reading);
  each(sealed.data(), [&](std::size_t s, const auto& structure, const std::byte* at) {
    device.copy(data(s), at, static_cast<std::size_t>(structure.bytes));
  });
  device.synchronise();
}

Descriptor PackedStructure::open() const {
  Descriptor reader(::open(fmt::format("/proc/self/fd/{}", file_.get()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!reader)
    throw Error(fmt::format("opening the structure for the worker failed: {}", std::strerror(errno)));
  return reader;
}

}  // namespace podium::judge
