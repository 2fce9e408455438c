// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Finds the static __shared__ variables of this library or program, to poison them. They are function-local
// thread-local variables; the symbol table of the file says where in a thread's block of such variables each
// lies.
#include <podium/emulation/library/static_shared.hpp>

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace podium::host {

__thread char anchor;  // its address and its symbol's value give the address of all others

namespace {

class StaticShared {
 public:
  // Reads the file at once: a plugin's may be gone after it has been loaded. Errors wait for poison().
  StaticShared() {
    try {
      read(file());
    } catch (const std::exception& error) {
      problem_ = error.what();
    }
  }
  void poison() const {
    if (!problem_.empty()) throw std::runtime_error(problem_);
    char* const start = &anchor - anchor_;
    for (const auto& variable : variables_) std::memset(start + variable.offset, 0xFF, variable.bytes);
  }

 private:
  struct Variable {
    std::size_t offset, bytes;
  };

  // Path of the library or program that holds this code.
  static std::string file() {
    struct Search {
      ElfW(Addr) address;
      std::string found;
    } search{reinterpret_cast<ElfW(Addr)>(&StaticShared::file), {}};
    dl_iterate_phdr(
        [](dl_phdr_info* module, std::size_t, void* data) {
          auto& s = *static_cast<Search*>(data);
          for (int i = 0; i < module->dlpi_phnum; ++i) {
            const auto& segment = module->dlpi_phdr[i];
            if (segment.p_type != PT_LOAD ||
                s.address - module->dlpi_addr - segment.p_vaddr >= segment.p_memsz)
              continue;
            s.found = module->dlpi_name && *module->dlpi_name ? module->dlpi_name : "/proc/self/exe";
            return 1;
          }
          return 0;
        },
        &search);
    return search.found;
  }

  void read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string image{std::istreambuf_iterator<char>(stream), {}};
    const auto get = [&]<class T>(std::size_t at, T& value) {
      if (at > image.size() || image.size() - at < sizeof value) throw std::runtime_error(unreadable(path));
      std::memcpy(&value, image.data() + at, sizeof value);
    };
    ElfW(Ehdr) header;
    get(0, header);
    bool anchored = false;
    for (unsigned s = 0; s < header.e_shnum; ++s) {
      ElfW(Shdr) table, names;
      get(header.e_shoff + s * sizeof table, table);
      if (table.sh_type != SHT_SYMTAB) continue;
      get(header.e_shoff + table.sh_link * sizeof names, names);
      for (std::size_t at = table.sh_offset; at < table.sh_offset + table.sh_size; at += sizeof(ElfW(Sym))) {
        ElfW(Sym) symbol;
        get(at, symbol);
        if ((symbol.st_info & 0xF) != STT_TLS) continue;
        const std::string name =
            image.c_str() + std::min<std::size_t>(names.sh_offset + symbol.st_name, image.size());
        if (name == "_ZN6podium4host6anchorE") {
          anchor_ = symbol.st_value;
          anchored = true;
        } else if (name.starts_with("_ZZ") &&
                   !name.starts_with("_ZZNSt")) {  // a local of a function, not std's
          variables_.push_back({symbol.st_value, symbol.st_size});
        }
      }
    }
    if (!anchored) throw std::runtime_error(unreadable(path));
  }
  static std::string unreadable(const std::string& path) {
    return path +
           " has no readable symbol table, which the emulation needs to poison shared memory: build without "
           "-s";
  }

  std::size_t anchor_ = 0;
  std::vector<Variable> variables_;
  std::string problem_;
};

const StaticShared static_shared;

}  // namespace

void poison_static_shared() { static_shared.poison(); }

}  // namespace podium::host
