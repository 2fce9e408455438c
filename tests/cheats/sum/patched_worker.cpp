// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rewrites the worker's own code where it asks for the time

// class: patched clock or statistics
// expect: clock
// Leaves the C library alone, whose code somebody might compare. In the program that samples, podium-worker,
// it looks for the stub through which std::chrono::steady_clock::now is called, and writes a jump over it:
// the 5 ms that a call takes read 5 us.
#include "honest.hpp"
#include "mappings.hpp"
#include "overwritten.hpp"

#include <link.h>

#include <chrono>
#include <cstring>
#include <string>
#include <utility>

namespace {
using Clock = std::chrono::steady_clock;

Clock::time_point slow_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  constexpr std::int64_t second = 1'000'000'000;
  return Clock::time_point(std::chrono::nanoseconds((time.tv_sec * second + time.tv_nsec) / 1000));
}

// The address that the program's relocations give to a function; the main program is what is listed first.
std::uintptr_t slot_of(const char* name) {
  struct Search {
    const char* name;
    std::uintptr_t found;
  } search{name, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& [wanted, found] = *static_cast<Search*>(data);
        const ElfW(Sym)* symbols = nullptr;
        const char* names = nullptr;
        struct Table {
          const ElfW(Rela) * begin;
          std::size_t bytes;
        } tables[2]{};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
          const auto* entry =
              reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
          for (; entry->d_tag != DT_NULL; ++entry) {
            const auto* at = reinterpret_cast<const void*>(entry->d_un.d_ptr);
            if (entry->d_tag == DT_SYMTAB) symbols = static_cast<const ElfW(Sym)*>(at);
            if (entry->d_tag == DT_STRTAB) names = static_cast<const char*>(at);
            if (entry->d_tag == DT_JMPREL) tables[0].begin = static_cast<const ElfW(Rela)*>(at);
            if (entry->d_tag == DT_PLTRELSZ) tables[0].bytes = entry->d_un.d_val;
            if (entry->d_tag == DT_RELA) tables[1].begin = static_cast<const ElfW(Rela)*>(at);
            if (entry->d_tag == DT_RELASZ) tables[1].bytes = entry->d_un.d_val;
          }
        }
        for (const Table& table : tables)
          for (std::size_t i = 0; i < table.bytes / sizeof *table.begin; ++i) {
            const ElfW(Rela) & one = table.begin[i];
            if (std::strcmp(names + symbols[ELF64_R_SYM(one.r_info)].st_name, wanted) == 0)
              found = info->dlpi_addr + one.r_offset;
          }
        return 1;  // no further objects
      },
      &search);
  return search.found;
}

// The stub that jumps to what lies at `slot`: jmp [rip + distance].
void* stub_of(std::uintptr_t slot) {
  for (const Mapping& mapping : mappings()) {
    if (mapping.access[2] != 'x' || mapping.file.find("podium-worker") == std::string::npos) continue;
    constexpr std::uintptr_t length = 6;
    for (auto at = mapping.begin; at + length <= mapping.end; ++at) {
      const auto* code = reinterpret_cast<const unsigned char*>(at);
      std::int32_t distance = 0;
      std::memcpy(&distance, code + 2, sizeof distance);
      if (code[0] == 0xff && code[1] == 0x25 && at + length + std::uintptr_t(std::intptr_t(distance)) == slot)
        return reinterpret_cast<void*>(at);
    }
  }
  return nullptr;
}

struct Contestant {
  Contestant() {
    static bool overwritten = false;  // the stub can be found once
    if (std::exchange(overwritten, true)) return;
    const std::uintptr_t slot = slot_of("_ZNSt6chrono3_V212steady_clock3nowEv");
    podium::require(slot != 0, "the worker asks for the time in another way than this cheat knows");
    overwrite_function(stub_of(slot), reinterpret_cast<void*>(&slow_now));
  }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    usleep(5000);
  }
};
}  // namespace
