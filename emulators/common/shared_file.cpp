// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/common/shared_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace podium::emulation {
namespace {

constexpr std::size_t guard = 64 << 10;  // bytes on either side; a multiple of any page

std::size_t pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

std::byte* map(int descriptor, std::size_t bytes, int flags) {
  void* const whole =
      mmap(nullptr, pages(bytes) + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  auto* const at = static_cast<std::byte*>(whole) + guard;
  if (mmap(at, pages(bytes), PROT_READ | PROT_WRITE, flags | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
    munmap(whole, pages(bytes) + 2 * guard);
    return nullptr;
  }
  return at;
}

}  // namespace

int make_shared_file(std::size_t bytes) {
  const int descriptor = memfd_create("podium-device-memory", MFD_CLOEXEC);
  if (descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(pages(bytes))) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

std::byte* map_file(int descriptor, std::size_t bytes) { return map(descriptor, bytes, MAP_SHARED); }

std::byte* map_private(std::size_t bytes) {
  return map(-1, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
}

void unmap(std::byte* at, std::size_t bytes) {
  if (at) munmap(at - guard, pages(bytes) + 2 * guard);
}

}  // namespace podium::emulation
