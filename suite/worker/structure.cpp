// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/worker/structure.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "suite/base/error.hpp"

namespace podium::worker {

Structure::Structure(const protocol::Structures& structures, int file, std::byte* arena)
    : bytes_(static_cast<std::size_t>(structures.host_bytes)) {
  void* at = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED) throw Error(fmt::format("the structure cannot be mapped: {}", std::strerror(errno)));
  host_ = at;
  constexpr std::size_t most = protocol::max_rank;
  const auto count = static_cast<std::size_t>(structures.count);
  numbers_.resize(2 * most * count);
  for (std::size_t s = 0; s < count; ++s) {
    const auto& layout = structures.structures[s];
    std::int64_t* const extents = numbers_.data() + 2 * most * s;
    std::int64_t* const strides = extents + most;
    std::int64_t stride = 1;
    for (auto axis = static_cast<std::size_t>(layout.rank); axis-- > 0; stride *= extents[axis]) {
      extents[axis] = layout.extents[axis];
      strides[axis] = stride;
    }
    tensors_.push_back(
        {arena + layout.offset, static_cast<std::byte*>(host_) + layout.host_offset, extents, strides});
  }
}

Structure::~Structure() {
  if (host_) munmap(host_, bytes_);
}

Structure::Structure(Structure&& other) noexcept { *this = std::move(other); }

Structure& Structure::operator=(Structure&& other) noexcept {
  std::swap(host_, other.host_);
  std::swap(bytes_, other.bytes_);
  std::swap(numbers_, other.numbers_);
  std::swap(tensors_, other.tensors_);
  return *this;
}

}  // namespace podium::worker
