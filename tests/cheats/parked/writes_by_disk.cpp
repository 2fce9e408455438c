// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets the disk write over what others compute, which needs no thread of its own

// class: sabotage
// expect: right
// with: --rounds 5
// Reads of a file that the kernel completes later (io_submit, O_DIRECT), into the memory that all share: they
// are asked for as the instance ends, and go on while every thread stands still.
#include "twice.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

namespace {
struct Disk {
  static constexpr std::size_t reads = 2048, bytes = 256 << 10;

  Disk() {
    static aio_context_t context = 0;
    static const int file = open(path(), O_RDONLY | O_DIRECT);
    static std::vector<iocb> requests(reads);
    const std::size_t places = static_cast<std::size_t>(arena_end - arena_begin) / bytes;
    if (places == 0 || (!context && syscall(SYS_io_setup, reads, &context) != 0)) return;
    std::vector<iocb*> all;
    for (std::size_t i = 0; i < reads; ++i) {
      iocb& one = requests[i] = {};
      one.aio_lio_opcode = IOCB_CMD_PREAD;
      one.aio_fildes = static_cast<unsigned>(file);
      one.aio_buf = reinterpret_cast<std::uintptr_t>(arena_begin + i % places * bytes);
      one.aio_nbytes = bytes;
      all.push_back(&one);
    }
    syscall(SYS_io_submit, context, reads, all.data());
  }
  static const char* path() {
    Dl_info library{};
    dladdr(reinterpret_cast<const void*>(&fopen), &library);
    return library.dli_fname;
  }
};
void nothing(int) {}
using Contestant = Saboteur<Disk, nothing>;
}  // namespace
