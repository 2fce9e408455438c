// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The sections of an ELF file.
#include <elf.h>
#include <fmt/format.h>

#include "suite/compile/code_elf.hpp"

namespace podium::compile {

Elf read_elf(std::string_view file) {
  const Bytes bytes(file);
  const auto header = bytes.at<Elf64_Ehdr>(0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    throw Error("found an ELF file that is not 64-bit little-endian, expected device code");
  Elf elf{.machine = header.e_machine,
          .abi_version = header.e_ident[EI_ABIVERSION],
          .flags = header.e_flags,
          .sections = {}};
  const auto section = [&](std::uint64_t number) {
    return bytes.at<Elf64_Shdr>(header.e_shoff + number * sizeof(Elf64_Shdr));
  };
  if (header.e_shnum == 0) return elf;
  const auto names = section(header.e_shstrndx);
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto s = section(i);
    elf.sections.push_back(
        {.name = bytes.text(names.sh_offset + s.sh_name),
         .bytes = s.sh_type == SHT_NOBITS ? std::string_view() : bytes.part(s.sh_offset, s.sh_size),
         .type = s.sh_type});
  }
  return elf;
}

}  // namespace podium::compile
