// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Device code written byte by byte: an ELF file with the sections that describe kernels, for machines without
// a compiler for GPUs. What real compilers write is read in real_code_test.cpp.
#pragma once
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace podium::compile::written {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

using Sections = std::vector<std::pair<std::string, std::string>>;  // name, bytes

inline std::string elf(std::uint16_t machine, std::uint8_t abi, std::uint32_t flags, const Sections& sections,
                       std::uint32_t type = SHT_PROGBITS) {
  std::string names(1, '\0'), content;
  std::vector<Elf64_Shdr> headers(1);
  const auto add = [&](const std::string& name, const std::string& bytes, std::uint32_t of_type) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<std::uint32_t>(names.size());
    header.sh_type = of_type;
    header.sh_offset = sizeof(Elf64_Ehdr) + content.size();
    header.sh_size = bytes.size();
    names += name + '\0';
    content += bytes;
    headers.push_back(header);
  };
  for (const auto& [name, bytes] : sections) add(name, bytes, type);
  names += std::string(".shstrtab") + '\0';
  headers.push_back({});
  auto& last = headers.back();
  last.sh_name = static_cast<std::uint32_t>(names.size() - 10);
  last.sh_type = SHT_STRTAB;
  last.sh_offset = sizeof(Elf64_Ehdr) + content.size();
  last.sh_size = names.size();
  content += names;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_ABIVERSION] = abi;
  header.e_machine = machine;
  header.e_flags = flags;
  header.e_shoff = sizeof header + content.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(headers.size());
  header.e_shstrndx = static_cast<std::uint16_t>(headers.size() - 1);
  std::string file = bytes_of(header) + content;
  for (const auto& section : headers) file += bytes_of(section);
  return file;
}

struct Kernel {
  std::string name;
  std::vector<int> arguments;
  std::uint32_t most_threads = 0;
  std::vector<std::uint32_t> block = {}, cluster = {};
  int hidden = 0;
};

// As CUDA 13 writes it for sm_<number>.
inline std::string cubin(int number, const std::vector<Kernel>& kernels) {
  const auto attribute = [](std::uint8_t name, const std::string& value) {
    return std::string{'\x04', static_cast<char>(name)} + bytes_of(static_cast<std::uint16_t>(value.size())) +
           value;
  };
  Sections sections;
  for (const auto& kernel : kernels) {
    std::string info, three;
    std::uint16_t offset = 0;
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
      const auto size = static_cast<std::uint32_t>(kernel.arguments[i]);
      offset = static_cast<std::uint16_t>((offset + size - 1) / size * size);
      // Latest first, as ptxas lists them.
      info = attribute(0x17, bytes_of(std::uint32_t{0}) + bytes_of(static_cast<std::uint16_t>(i)) +
                                 bytes_of(offset) + bytes_of(size << 18 | 0x1f000)) +
             info;
      offset = static_cast<std::uint16_t>(offset + size);
    }
    if (kernel.most_threads)
      info += attribute(0x05, bytes_of(kernel.most_threads) + bytes_of(1u) + bytes_of(1u));
    for (const auto& [name, sides] : {std::pair{'\x10', kernel.block}, std::pair{'\x3d', kernel.cluster}}) {
      if (sides.empty()) continue;
      three.clear();
      for (const auto side : sides) three += bytes_of(side);
      info += attribute(static_cast<std::uint8_t>(name), three);
    }
    info += std::string{'\x03', '\x19'} + bytes_of(static_cast<std::uint16_t>(offset + kernel.hidden));
    sections.emplace_back(".nv.info." + kernel.name, info);
    sections.emplace_back(".text." + kernel.name, "machine code");
  }
  return elf(190, 8, static_cast<std::uint32_t>(number) << 8 | 0x06000004, sections);
}

// What stands for it on an emulated device: a library of this machine that describes its kernels.
inline std::string translated(const std::string& architecture, const std::vector<Kernel>& kernels) {
  constexpr std::uint16_t this_machine = EM_X86_64;
  const std::vector<std::uint32_t> none(3);
  auto all = nlohmann::json::array();
  for (const auto& kernel : kernels)
    all.push_back({{"name", kernel.name},
                   {"arguments", kernel.arguments},
                   {"most_threads", kernel.most_threads},
                   {"block", kernel.block.empty() ? none : kernel.block},
                   {"cluster", kernel.cluster.empty() ? none : kernel.cluster}});
  const nlohmann::json about{{"architecture", architecture}, {"kernels", all}};
  return elf(this_machine, 0, 0, {{".text", "code"}, {".podium.kernels", about.dump() + '\0'}});
}

inline std::string amd(const std::string& target, const std::vector<Kernel>& kernels) {
  auto all = nlohmann::json::array();
  for (const auto& kernel : kernels) {
    auto arguments = nlohmann::json::array();
    int offset = 0;
    for (const int size : kernel.arguments) {
      arguments.push_back({{".offset", offset}, {".size", size}, {".value_kind", "by_value"}});
      offset += size;
    }
    arguments.push_back({{".offset", offset}, {".size", 4}, {".value_kind", "hidden_block_count_x"}});
    all.push_back({{".name", kernel.name}, {".args", arguments}, {".symbol", kernel.name + ".kd"}});
    if (kernel.most_threads) all.back()[".max_flat_workgroup_size"] = kernel.most_threads;
    if (!kernel.block.empty()) all.back()[".reqd_workgroup_size"] = kernel.block;
  }
  std::string packed;
  nlohmann::json::to_msgpack({{"amdhsa.kernels", all},
                              {"amdhsa.target", "amdgcn-amd-amdhsa--" + target},
                              {"amdhsa.version", {1, 2}}},
                             packed);
  Elf64_Nhdr header{.n_namesz = 7, .n_descsz = static_cast<std::uint32_t>(packed.size()), .n_type = 32};
  packed.resize((packed.size() + 3) / 4 * 4);
  const std::string name("AMDGPU\0\0", 8);
  return elf(224, 4, 0x54c, {{".note", bytes_of(header) + name + packed}}, SHT_NOTE);
}

}  // namespace podium::compile::written
