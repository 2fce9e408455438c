// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// AMD's code objects: a note holds what the runtime needs to know of each kernel, as MessagePack.
#include <elf.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "suite/compile/code_elf.hpp"

namespace podium::compile {
namespace {

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

}  // namespace

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

}  // namespace podium::compile
