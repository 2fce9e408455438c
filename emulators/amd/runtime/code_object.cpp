// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/code_object.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "emulators/common/shared_file.hpp"
#include "suite/fatbin/bundle.hpp"

namespace podium::amd {
namespace {

constexpr std::uint32_t relative64 = 13, absolute64 = 3, relative_to_place64 = 5;  // R_AMDGPU_*
constexpr std::uint32_t metadata_note = 32;                                        // NT_AMDGPU_METADATA
constexpr std::size_t tail =
    4096;  // behind the image: scalar loads may reach a little further than they need

template <class T>
T read(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::uint32_t machine_of(const void* elf) {
  constexpr std::uint32_t mask = 0xff;  // EF_AMDGPU_MACH
  return read<Elf64_Ehdr>(static_cast<const char*>(elf)).e_flags & mask;
}

std::size_t elf_bytes(const char* at) {
  const auto header = read<Elf64_Ehdr>(at);
  return header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum;
}

// A code object by itself. Its target's features (xnack, sramecc) do not matter here.
std::vector<char> alone(const char* at, const Target& target) {
  const Target* const own = target_of(at);
  if (own && own->name == target.name) return {at, at + elf_bytes(at)};
  throw std::runtime_error(
      fmt::format("it holds code for {}, none for {}",
                  own ? own->name : fmt::format("a target of number 0x{:x}", machine_of(at)), target.name));
}

// The part of a bundle, of which the loader is told no size: its table says where everything ends.
std::vector<char> unbundled(const char* at, const Target& target) {
  if (std::string_view(at, 4) == "\177ELF") return alone(at, target);
  if (std::string_view(at, bundle::compressed_magic.size()) == bundle::compressed_magic) {
    const auto bytes = bundle::header_of({at, bundle::most_header_bytes}).stored_bytes;
    return unbundled(bundle::decompressed({at, bytes}).data(), target);
  }
  if (std::string_view(at, bundle::magic.size()) != bundle::magic)
    throw std::runtime_error("it is neither an ELF file nor a bundle of code objects");
  std::vector<std::string> found;
  const char* entry = at + bundle::magic.size() + sizeof(std::uint64_t);
  for (auto left = read<std::uint64_t>(at + bundle::magic.size()); left > 0; --left) {
    const auto offset = read<std::uint64_t>(entry), bytes = read<std::uint64_t>(entry + 8);
    const auto length = read<std::uint64_t>(entry + 16);
    const std::string triple(entry + 24, length);
    entry += 24 + length;
    const auto dashes = triple.rfind("--");
    const std::string name = triple.substr(dashes == std::string::npos ? 0 : dashes + 2);
    if (bytes == 0 || triple.starts_with("host")) continue;
    found.push_back(name);
    if (name.substr(0, name.find(':')) == target.name) return {at + offset, at + offset + bytes};
  }
  throw std::runtime_error(
      fmt::format("it holds code for {}, none for {}", fmt::join(found, ", "), target.name));
}

}  // namespace

const Target* target_of(const void* elf) {
  const auto found = std::ranges::find(targets(), machine_of(elf), &Target::machine);
  return found == targets().end() ? nullptr : &*found;
}

CodeObject::CodeObject(const void* image, const Target& target)
    : file_(unbundled(static_cast<const char*>(image), target)) {
  load();
}

CodeObject::~CodeObject() {
  if (memory_) emulation::unmap(memory_, bytes_ + tail);
}

void CodeObject::load() {
  const char* const file = file_.data();
  const auto header = read<Elf64_Ehdr>(file);
  std::vector<Elf64_Phdr> segments;
  for (int i = 0; i < header.e_phnum; ++i)
    segments.push_back(read<Elf64_Phdr>(file + header.e_phoff + i * header.e_phentsize));
  for (const auto& segment : segments)
    if (segment.p_type == PT_LOAD) bytes_ = std::max(bytes_, std::size_t{segment.p_vaddr + segment.p_memsz});
  memory_ = emulation::map_private(bytes_ + tail);
  if (!memory_) throw std::runtime_error("there is no memory for its code");
  for (const auto& segment : segments)
    if (segment.p_type == PT_LOAD)
      std::memcpy(memory_ + segment.p_vaddr, file + segment.p_offset, segment.p_filesz);

  std::vector<Elf64_Shdr> sections;
  for (int i = 0; i < header.e_shnum; ++i)
    sections.push_back(read<Elf64_Shdr>(file + header.e_shoff + i * header.e_shentsize));
  std::vector<Elf64_Sym> symbols;
  for (const auto& section : sections)
    if (section.sh_type == SHT_DYNSYM)
      for (std::size_t i = 0; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
        symbols.push_back(read<Elf64_Sym>(file + section.sh_offset + i * sizeof(Elf64_Sym)));
        const auto& symbol = symbols.back();
        if (symbol.st_shndx == 0) continue;
        symbols_[file + sections[section.sh_link].sh_offset + symbol.st_name] = {symbol.st_value,
                                                                                 symbol.st_size};
      }
  for (const auto& section : sections)
    if (section.sh_type == SHT_RELA)
      for (std::size_t i = 0; i < section.sh_size / sizeof(Elf64_Rela); ++i) {
        const auto rela = read<Elf64_Rela>(file + section.sh_offset + i * sizeof(Elf64_Rela));
        const auto kind = static_cast<std::uint32_t>(ELF64_R_TYPE(rela.r_info));
        const std::uint64_t symbol = kind == relative64 ? 0 : symbols.at(ELF64_R_SYM(rela.r_info)).st_value;
        std::uint64_t value = symbol + static_cast<std::uint64_t>(rela.r_addend);
        if (kind == relative64 || kind == absolute64)
          value += base();
        else if (kind == relative_to_place64)
          value -= rela.r_offset;
        else
          throw std::runtime_error(
              fmt::format("it has a relocation of kind {}, which the emulator does not know", kind));
        std::memcpy(memory_ + rela.r_offset, &value, sizeof value);
      }
  for (const auto& section : sections)
    if (section.sh_type == SHT_NOTE) read_metadata({file + section.sh_offset, section.sh_size});
}

void CodeObject::read_metadata(std::span<const char> note) {
  const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= note.size();) {
    const auto header = read<Elf64_Nhdr>(note.data() + at);
    const char* const content = note.data() + at + sizeof header + padded(header.n_namesz);
    at += sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    if (header.n_type != metadata_note) continue;
    const auto metadata = nlohmann::json::from_msgpack(content, content + header.n_descsz);
    for (const auto& one : metadata.at("amdhsa.kernels")) {
      KernelCode kernel;
      kernel.name = one.at(".name").get<std::string>();
      kernel.descriptor = symbols_.at(one.at(".symbol").get<std::string>()).first;
      kernel.dynamic_stack = one.value(".uses_dynamic_stack", false);
      kernel.wave = one.value(".wavefront_size", 64);
      if (one.contains(".args"))
        for (const auto& argument : one.at(".args"))
          kernel.arguments.push_back({argument.at(".value_kind").get<std::string>(),
                                      argument.at(".offset").get<std::uint32_t>(),
                                      argument.at(".size").get<std::uint32_t>()});
      complete(kernel);
      kernels_[kernel.name] = kernel;
    }
  }
}

void CodeObject::complete(KernelCode& kernel) const {
  const char* const at = reinterpret_cast<const char*>(memory_ + kernel.descriptor);
  constexpr std::uint32_t stack_of_unknown_depth =
      16 << 10;                                    // what the compiler cannot tell: recursion, pointers
  constexpr std::uint64_t preload_preamble = 256;  // instructions that older firmware would execute
  kernel.lds_bytes = read<std::uint32_t>(at);
  kernel.scratch_bytes = read<std::uint32_t>(at + 4);
  kernel.argument_bytes = read<std::uint32_t>(at + 8);
  kernel.resources1 = read<std::uint32_t>(at + 48);
  kernel.resources2 = read<std::uint32_t>(at + 52);
  kernel.properties = read<std::uint16_t>(at + 56);
  kernel.preload = read<std::uint16_t>(at + 58);
  kernel.entry = kernel.descriptor + static_cast<std::uint64_t>(read<std::int64_t>(at + 16));
  if (kernel.preload & 0x7f) kernel.entry += preload_preamble;
  if (kernel.dynamic_stack) kernel.scratch_bytes += stack_of_unknown_depth;
}

const KernelCode* CodeObject::kernel(const std::string& name) const {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : &found->second;
}

std::pair<std::byte*, std::size_t> CodeObject::variable(const std::string& name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) return {nullptr, 0};
  return {memory_ + found->second.first, found->second.second};
}

}  // namespace podium::amd
