// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which form code has, and what of a container is for one device.
#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "suite/compile/code_elf.hpp"
#include "suite/fatbin/bundle.hpp"
#include "suite/fatbin/fatbin.hpp"
#include "suite/problem/model/arch.hpp"

namespace podium::compile {
namespace {

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

}  // namespace

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
