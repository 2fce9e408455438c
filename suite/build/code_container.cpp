// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which form code has, and what of a container is for one device.
#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "suite/build/code_vendors.hpp"
#include "suite/problem/arch.hpp"

namespace podium::build {
namespace {

constexpr std::string_view elf_magic = "\177ELF", fatbin_magic = "\x50\xed\x55\xba",
                           bundle_magic = "__CLANG_OFFLOAD_BUNDLE__", compressed_bundle = "CCOB";

// NVIDIA's fatbin, as fatbinary writes it: a header, then entries, each a header and its code.
struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // behind the header
};
struct FatbinEntry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  // padded
  std::uint32_t compressed_bytes, unknown;
  std::uint16_t minor, major;
  std::uint32_t number;  // 90 of sm_90
  std::uint32_t name_offset, name_bytes;
  std::uint64_t flags;
};
constexpr std::uint16_t ptx_kind = 1, elf_kind = 2;
constexpr std::uint64_t compressed_flags = 0xa000;  // LZ4, Zstandard

std::string of_fatbin(std::string_view container, const std::string& architecture, bool translated) {
  const Bytes bytes(container);
  const auto header = bytes.at<FatbinHeader>(0);
  const auto end = header.header_bytes + header.bytes;
  struct Best {
    std::string_view code;
    unsigned number = 0;
    bool compressed = false;
  } machine, text;
  std::vector<std::string> others;
  for (std::uint64_t at = header.header_bytes; at < end;) {
    const auto entry = bytes.at<FatbinEntry>(at);
    if (entry.header_bytes < sizeof(FatbinEntry))
      throw Error("found a fatbin with an entry of another layout, expected one of CUDA 12 or 13");
    const std::string arch = fmt::format("sm_{}", entry.number);
    const bool elf = entry.kind == elf_kind;
    auto& best = elf ? machine : text;
    if ((elf || entry.kind == ptx_kind) && problem::admits(elf ? arch : arch + "+", architecture) &&
        entry.number >= best.number)
      best = {bytes.part(at + entry.header_bytes, entry.bytes), entry.number,
              (entry.flags & compressed_flags) != 0};
    others.push_back((elf ? "" : "PTX of ") + arch);
    at += entry.header_bytes + entry.bytes;
  }
  const bool as_text = machine.code.empty() || (translated && !text.code.empty());
  const auto& best = as_text ? text : machine;
  if (best.code.empty())
    throw Error(fmt::format("found {}, expected code for {}", fmt::join(others, ", "), architecture));
  if (best.compressed)
    throw Error(
        fmt::format("found {} code that is compressed, expected it as it is: make the fatbin with "
                    "-no-compress",
                    as_text ? "PTX" : "machine"));
  if (!as_text) return std::string(machine.code);
  return std::string(text.code.substr(0, text.code.find('\0')));
}

// clang's offload bundle: a count, then offset, size and triple of each entry.
std::string of_bundle(std::string_view container, const std::string& architecture) {
  const Bytes bytes(container);
  std::uint64_t at = bundle_magic.size();
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

}  // namespace

CodeForm form_of(std::string_view bytes) {
  if (bytes.starts_with(elf_magic) && bytes.size() > sizeof(Elf64_Ehdr)) {
    const auto machine = Bytes(bytes).at<std::uint16_t>(offsetof(Elf64_Ehdr, e_machine));
    return machine == nvidia_machine ? CodeForm::cubin
           : machine == amd_machine  ? CodeForm::amd
                                     : CodeForm::unknown;
  }
  if (bytes.starts_with(fatbin_magic)) return CodeForm::fatbin;
  if (bytes.starts_with(bundle_magic) || bytes.starts_with(compressed_bundle)) return CodeForm::amd_bundle;
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
      if (container.starts_with(compressed_bundle))
        throw Error("found a compressed bundle, expected it as it is: make it with --no-offload-compress");
      return of_bundle(container, architecture);
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

}  // namespace podium::build
