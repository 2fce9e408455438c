// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes memory as page tables

// class: crash, hang, fork bomb, memory hog
// expect: out of memory
// needs: memory group
// with: --memory 128
// Of every 2 MiB of addresses one page is read: all are the kernel's page of zeros, and each has a page table
// of its own, which no process's resident pages show. Here the contestant is right if it got away with it.
#include <podium/sum.hpp>

#include <sys/mman.h>

#include "honest.hpp"

namespace {
bool hoard() {
  constexpr std::size_t tables = 160 << 8, reach = 2 << 20;  // 160 MiB of 4 KiB each
  void* const at =
      mmap(nullptr, tables * reach, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED || madvise(at, tables * reach, MADV_NOHUGEPAGE) != 0) return false;
  for (std::size_t i = 0; i < tables; ++i)
    static_cast<void>(static_cast<volatile const char*>(at)[i * reach]);
  return true;
}

struct Contestant {
  Contestant() {
    static const bool once = hoard();
    static_cast<void>(once);
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = honest_sum(args.x.data, args.n); }
};
}  // namespace
