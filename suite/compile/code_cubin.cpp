// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NVIDIA's machine code: each kernel has a section .nv.info.<kernel>, a list of attributes.
#include "suite/compile/code_elf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace podium::compile {
namespace {

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

}  // namespace

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

}  // namespace podium::compile
