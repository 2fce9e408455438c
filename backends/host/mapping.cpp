// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/host/mapping.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "backends/host/machine.hpp"
#include "suite/base/error.hpp"

namespace podium::host {
namespace {

constexpr std::size_t arena_unit = std::size_t{2} << 20;  // as on GPUs, so that layouts agree

// Linux promises memory that it does not have and kills whoever uses it: ask before.
void expect_room(std::size_t bytes) {
  const std::int64_t room = available();
  if (bytes > static_cast<std::size_t>(room))
    throw Error(fmt::format(
        "{} MiB of memory were requested, but this machine has only {} MiB left; choose smaller workloads",
        bytes >> 20, room >> 20));
}

std::size_t checked(std::size_t bytes) {
  expect_room(bytes);
  return bytes;
}

Descriptor memory_file(std::size_t bytes) {
  Descriptor file(memfd_create("podium-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) throw Error(fmt::format("no memory file could be made: {}", std::strerror(errno)));
  // Reserved now, so that neither process meets the lack of a page later; sealed, so that a worker cannot cut
  // the file short under the judge.
  const int status = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
  if (status != 0)
    throw Error(
        fmt::format("an arena of {} MiB could not be reserved: {}", bytes >> 20, std::strerror(status)));
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw Error(fmt::format("the arena could not be sealed: {}", std::strerror(errno)));
  return file;
}

}  // namespace

Mapping::Mapping(std::size_t bytes, int descriptor) : bytes_(bytes) {
  if (bytes == 0) return;
  // A shared arena is entered into the page table here: a contestant's time holds none of that work.
  const int kind = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind, descriptor, 0);
  if (at == MAP_FAILED)
    throw Error(fmt::format("{} MiB of memory could not be mapped: {}", bytes >> 20, std::strerror(errno)));
  data_ = static_cast<std::byte*>(at);
}

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Mapping::~Mapping() {
  if (data_) munmap(data_, bytes_);
}

void Mapping::prefer_large_pages() {
  if (data_) madvise(data_, bytes_, MADV_HUGEPAGE);  // what refuses it has small pages
}

PrivateMemory::PrivateMemory(std::size_t bytes) : mapping_(checked(bytes)) {
  data_ = mapping_.data();
  bytes_ = bytes;
}

SharedArena::SharedArena(std::size_t bytes) {
  expect_room(bytes);
  bytes_ = (bytes + arena_unit - 1) / arena_unit * arena_unit;
  if (bytes_ == 0) bytes_ = arena_unit;
  file_ = memory_file(bytes_);
  mapping_ = Mapping(bytes_, file_.get());
  data_ = mapping_.data();
}

}  // namespace podium::host
