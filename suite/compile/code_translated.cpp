// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of an emulated NVIDIA device: a shared library of this machine, in which a section says what a
// cubin would. emulators/nvidia/translator/describe.py writes it.
#include <nlohmann/json.hpp>

#include "suite/compile/code_elf.hpp"
#include "suite/compile/code_object.hpp"

namespace podium::compile {
namespace {

using nlohmann::json;
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

}  // namespace podium::compile
