// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Makes every interval between events a microsecond

// class: patched clock or statistics
// expect: clock
// Overwrites the code of cuEventElapsedTime in the driver's library, on which cudaEventElapsedTime rests: it
// stores 1 us and returns success. The 2 ms make the lie visible at any size. Only a clock in another process
// can tell.
#include "honest.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {
void overwrite(void* function) {
  if (function == nullptr) return;
  unsigned char code[] = {0xf3, 0x0f, 0x1e, 0xfa,              // endbr64
                          0xc7, 0x07, 0x00, 0x00, 0x00, 0x00,  // mov dword [rdi], milliseconds
                          0x31, 0xc0, 0xc3};                   // xor eax, eax; ret
  const float milliseconds = 0.001f;
  std::memcpy(code + 6, &milliseconds, sizeof milliseconds);
  const auto address = reinterpret_cast<std::uintptr_t>(function), size = std::uintptr_t(getpagesize());
  if (mprotect(reinterpret_cast<void*>(address / size * size), 2 * size,
               PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
    std::memcpy(function, code, sizeof code);
}

struct Contestant {
  Contestant() {
#if defined(__x86_64__)
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    for (const char* name : {"cuEventElapsedTime", "cuEventElapsedTime_v2"}) {
      overwrite(dlsym(driver, name));
      for (const unsigned version : {2000u, 12080u}) {  // where the runtime looks its entry points up
        void* entry = nullptr;
        cudaDriverEntryPointQueryResult found{};
        if (cudaGetDriverEntryPointByVersion(name, &entry, version, cudaEnableDefault, &found) == cudaSuccess)
          overwrite(entry);
      }
    }
#else
    podium::require(false, "this cheat is written for x86-64");
#endif
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, stream, 2'000'000ll);
    honest_sum(args, stream);
  }
};
}  // namespace
