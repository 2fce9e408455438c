// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// ELF files that hold code of devices.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "suite/base/bytes.hpp"
#include "suite/compile/code_object.hpp"

namespace podium::compile {

inline constexpr std::string_view elf_magic = "\177ELF";

// A 64-bit ELF file, as far as device code needs it.
struct Elf {
  struct Section {
    std::string_view name, bytes;
    std::uint32_t type = 0;
  };
  std::uint16_t machine = 0;
  std::uint8_t abi_version = 0;
  std::uint32_t flags = 0;
  std::vector<Section> sections;  // views of the file
};
Elf read_elf(std::string_view file);  // throws podium::Error

inline constexpr std::uint16_t nvidia_machine = 190, amd_machine = 224;  // EM_CUDA, EM_AMDGPU

// Of each vendor, behind read_code().
CodeObject read_cubin(const Elf& elf);
CodeObject read_amd(const Elf& elf);

}  // namespace podium::compile
