// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NVIDIA's machine code: each kernel has a section .nv.info.<kernel>, a list of attributes. AMD's code
// objects: a note holds what the runtime needs to know of each kernel, as MessagePack. Kernels of an emulated
// NVIDIA device: a shared library of this machine, in which a section says what a cubin would;
// emulators/nvidia/translator/describe.py writes it.
#include "suite/compile/code_object.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <regex>

#include "suite/base/bytes.hpp"
#include "suite/fatbin/bundle.hpp"
#include "suite/fatbin/fatbin.hpp"
#include "suite/problem/model/arch.hpp"

namespace podium::compile {
namespace {

constexpr std::string_view elf_magic = "\177ELF";

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
constexpr std::uint16_t nvidia_machine = 190, amd_machine = 224;  // EM_CUDA, EM_AMDGPU

// Throws podium::Error.
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

// An attribute is a byte that says how its value is stored, a byte that names it, and two bytes that are the
// value or, where it is a sequence, the number of bytes that follow.
constexpr std::uint8_t sequence = 4;
constexpr std::uint8_t half_word = 3;
enum Attribute : std::uint8_t {
  max_threads = 0x05,
  required_block = 0x10,
  argument = 0x17,
  argument_bytes = 0x19,
  cluster = 0x3d,
  argument_v2 = 0x45
};

// EIATTR_KPARAM_INFO and its second version: a word, ordinal and offset of two bytes each; then a word that
// ends in 14 bits of size, or two bytes of size and two of flags.
struct Argument {
  std::uint32_t index;
  std::uint16_t ordinal, offset;
  std::uint32_t rest;
};
constexpr unsigned size_shift = 18, size_mask = 0xffff;

std::array<std::uint32_t, 3> three(const Bytes& value) {
  return {value.at<std::uint32_t>(0), value.at<std::uint32_t>(4), value.at<std::uint32_t>(8)};
}

KernelInfo kernel(std::string_view name, std::string_view section) {
  KernelInfo info{.name = std::string(name)};
  std::map<int, int> arguments;  // by ordinal: bytes
  int end = 0, declared = -1;    // of the arguments, as they are listed and as the launch has them
  const Bytes bytes(section);
  for (std::uint64_t at = 0; at < bytes.size();) {
    const auto format = bytes.at<std::uint8_t>(at), attribute = bytes.at<std::uint8_t>(at + 1);
    const auto word = bytes.at<std::uint16_t>(at + 2);
    at += 4;
    if (format == half_word && attribute == argument_bytes) declared = word;
    if (format != sequence) continue;
    const Bytes value(bytes.part(at, word));
    at += word;
    if (attribute == argument || attribute == argument_v2) {
      const auto a = value.at<Argument>(0);
      const int size = static_cast<int>(attribute == argument ? a.rest >> size_shift : a.rest & size_mask);
      arguments[a.ordinal] = size;
      end = std::max(end, a.offset + size);
    } else if (attribute == max_threads) {
      const auto most = three(value);
      info.most_threads = static_cast<int>(most[0] * most[1] * most[2]);
    } else if (attribute == required_block) {
      info.block = three(value);
    } else if (attribute == cluster) {
      info.cluster = three(value);
    }
  }
  info.hidden = std::max(0, declared - end);
  for (const auto& [ordinal, size] : arguments) {
    if (ordinal != static_cast<int>(info.arguments.size()))
      throw Error(fmt::format("found kernel '{}' without its argument {}, expected all of them", info.name,
                              info.arguments.size()));
    info.arguments.push_back(size);
  }
  return info;
}

using nlohmann::json;
constexpr std::uint32_t metadata = 32;  // NT_AMDGPU_METADATA

// The value of the note, or "".
std::string_view note(const Elf& elf) {
  for (const auto& section : elf.sections) {
    if (section.type != SHT_NOTE) continue;
    const Bytes bytes(section.bytes);
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    for (std::uint64_t at = 0; at < bytes.size();) {
      const auto header = bytes.at<Elf64_Nhdr>(at);
      const auto name = at + sizeof header, value = name + padded(header.n_namesz);
      if (header.n_type == metadata && bytes.part(name, header.n_namesz).starts_with("AMDGPU"))
        return bytes.part(value, header.n_descsz);
      at = value + padded(header.n_descsz);
    }
  }
  return {};
}

KernelInfo described_kernel(const json& about) {
  KernelInfo info{.name = about.at(".name").get<std::string>()};
  if (about.contains(".max_flat_workgroup_size")) info.most_threads = about.at(".max_flat_workgroup_size");
  if (about.contains(".reqd_workgroup_size")) about.at(".reqd_workgroup_size").get_to(info.block);
  if (!about.contains(".args")) return info;
  for (const auto& argument : about.at(".args"))
    if (!argument.at(".value_kind").get<std::string>().starts_with("hidden_"))  // the runtime's own
      info.arguments.push_back(argument.at(".size"));
  return info;
}

constexpr std::string_view described = ".podium.kernels";
constexpr const char* expected = "expected kernels that the emulator's translator made";

KernelInfo translated_kernel(const json& about) {
  KernelInfo info{.name = about.at("name")};
  about.at("arguments").get_to(info.arguments);
  info.most_threads = about.at("most_threads");
  about.at("block").get_to(info.block);
  about.at("cluster").get_to(info.cluster);
  return info;
}

std::string of_fatbin(std::string_view container, const std::string& architecture, bool translated) {
  const fatbin::Entry *machine = nullptr, *text = nullptr;
  std::vector<std::string> others;
  const auto entries = fatbin::entries(container);
  for (const auto& entry : entries) {
    const std::string arch = fmt::format("sm_{}", entry.number);
    const bool elf = entry.kind == fatbin::Kind::machine;
    const fatbin::Entry*& best = elf ? machine : text;
    if ((elf || entry.kind == fatbin::Kind::ptx) && problem::admits(elf ? arch : arch + "+", architecture) &&
        (!best || entry.number >= best->number))
      best = &entry;
    others.push_back((elf ? "" : "PTX of ") + arch);
  }
  if (!machine && !text)
    throw Error(fmt::format("found {}, expected code for {}", fmt::join(others, ", "), architecture));
  if (machine && !(translated && text)) return fatbin::code_of(*machine);
  auto code = fatbin::code_of(*text);
  code.resize(std::min(code.find('\0'), code.size()));
  return code;
}

// clang's offload bundle: a count, then offset, size and triple of each entry.
std::string of_bundle(std::string_view container, const std::string& architecture) {
  const Bytes bytes(container);
  std::uint64_t at = bundle::magic.size();
  const auto count = bytes.at<std::uint64_t>(at);
  at += sizeof count;
  std::vector<std::string> others;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto offset = bytes.at<std::uint64_t>(at), size = bytes.at<std::uint64_t>(at + 8);
    const auto length = bytes.at<std::uint64_t>(at + 16);
    const std::string triple(bytes.part(at + 24, length));
    at += 24 + length;
    const auto begin = triple.rfind("gfx");
    if (begin == std::string::npos) continue;  // the host's, which is empty
    const auto arch = triple.substr(begin, triple.find(':', begin) - begin);
    if (problem::admits(arch, architecture)) return std::string(bytes.part(offset, size));
    others.push_back(arch);
  }
  throw Error(fmt::format("found {}, expected code for {}",
                          others.empty() ? "no code at all" : fmt::format("{}", fmt::join(others, ", ")),
                          architecture));
}

CodeObject read_cubin(const Elf& elf) {
  constexpr std::uint8_t new_abi = 8;  // CUDA 13 moved the architecture one byte up
  const unsigned number = elf.abi_version >= new_abi ? elf.flags >> 8 & 0xff : elf.flags & 0xff;
  CodeObject code{.architecture = fmt::format("sm_{}", number), .kernels = {}};
  constexpr std::string_view text = ".text.", info = ".nv.info.";
  for (const auto& section : elf.sections) {
    if (!section.name.starts_with(info)) continue;
    const auto name = section.name.substr(info.size());
    const bool there = std::ranges::any_of(elf.sections, [&](const auto& other) {
      return other.name.starts_with(text) && other.name.substr(text.size()) == name;
    });
    if (there) code.kernels.push_back(kernel(name, section.bytes));
  }
  return code;
}

CodeObject read_amd(const Elf& elf) try {
  const auto packed = note(elf);
  if (packed.empty())
    throw Error("found AMD code without kernel metadata, expected a code object of version 3 or later");
  const auto root = json::from_msgpack(packed.begin(), packed.end());
  CodeObject code{.architecture = "", .kernels = {}};
  if (root.contains("amdhsa.target")) {  // amdgcn-amd-amdhsa--gfx942:xnack-
    const std::string target = root.at("amdhsa.target");
    const auto begin = target.rfind("gfx");
    if (begin != std::string::npos) code.architecture = target.substr(begin, target.find(':', begin) - begin);
  }
  for (const auto& about : root.at("amdhsa.kernels")) code.kernels.push_back(described_kernel(about));
  return code;
} catch (const json::exception& e) {
  throw Error(fmt::format("found kernel metadata that cannot be read: {}", e.what()));
}

}  // namespace

CodeObject read_translated(std::string_view bytes) try {
  if (bytes.starts_with(elf_magic))
    for (const auto& section : read_elf(bytes).sections) {
      if (section.name != described) continue;
      const auto about = json::parse(Bytes(section.bytes).text(0));
      CodeObject code{.architecture = about.at("architecture"), .kernels = {}};
      for (const auto& one : about.at("kernels")) code.kernels.push_back(translated_kernel(one));
      return code;
    }
  throw Error(std::string("found code without a description of its kernels, ") + expected);
} catch (const json::exception& e) {
  throw Error(std::string("found a description of kernels that cannot be read (") + e.what() + "), " +
              expected);
}

CodeForm form_of(std::string_view bytes) {
  if (bytes.starts_with(elf_magic) && bytes.size() > sizeof(Elf64_Ehdr)) {
    const auto machine = Bytes(bytes).at<std::uint16_t>(offsetof(Elf64_Ehdr, e_machine));
    return machine == nvidia_machine ? CodeForm::cubin
           : machine == amd_machine  ? CodeForm::amd
                                     : CodeForm::unknown;
  }
  if (bytes.starts_with(fatbin::magic)) return CodeForm::fatbin;
  if (bytes.starts_with(bundle::magic) || bytes.starts_with(bundle::compressed_magic))
    return CodeForm::amd_bundle;
  return ptx_target(bytes).empty() ? CodeForm::unknown : CodeForm::ptx;
}

std::string ptx_target(std::string_view text) {
  static const std::regex form("(?:sm_[0-9]+[af]?)");
  constexpr std::string_view key = ".target";
  const auto at = text.find(key);
  if (at == std::string_view::npos || text.find('\0') != std::string_view::npos) return "";
  const auto line = std::string(text.substr(at + key.size(), text.find('\n', at) - at - key.size()));
  std::smatch found;
  return std::regex_search(line, found, form) ? found[0].str() : "";
}

std::string extract(std::string_view container, const std::string& architecture, bool translated) {
  switch (form_of(container)) {
    case CodeForm::fatbin:
      return of_fatbin(container, architecture, translated);
    case CodeForm::amd_bundle:
      return container.starts_with(bundle::compressed_magic)
                 ? of_bundle(bundle::decompressed(container), architecture)
                 : of_bundle(container, architecture);
    default:
      return std::string(container);
  }
}

CodeObject read_code(std::string_view bytes) {
  switch (form_of(bytes)) {
    case CodeForm::cubin:
      return read_cubin(read_elf(bytes));
    case CodeForm::amd:
      return read_amd(read_elf(bytes));
    default:
      throw Error("found no machine code of a GPU, expected a cubin or an AMD code object");
  }
}

}  // namespace podium::compile
