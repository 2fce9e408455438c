// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes memory in files that it maps nowhere

// class: crash, hang, fork bomb, memory hog
// expect: out of memory
// needs: sandbox  (that bounds the files)
// with: --memory 600
// Files in memory (memfd_create) belong to nobody's address space, and each may be 64 MiB long.
#include <podium/sum.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    constexpr int files = 32, pieces = 63;
    const std::string piece(1 << 20, 'x');
    for (int k = 0; k < files; ++k) {
      const int file = memfd_create("hoard", 0);
      for (int written = 0; file >= 0 && written < pieces; ++written)
        if (write(file, piece.data(), piece.size()) < 0) break;
    }
    for (;;) sleep(1);
  }
};
}  // namespace
