// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The compilers, flags and libraries that CMake found, as its toolchain.yaml records them.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace podium::compile {

// What a name in a contestant's `needs` stands for. Of a Python library, `compile` is the interpreter that
// has it. Not found: `found` is false and `hint` says which package has it.
struct Need {
  bool found = false;
  std::string version;                     // of its headers, where they are not the compiler's own
  std::vector<std::string> compile, link;  // flags
  std::string hint;
};

struct BackendTools {
  std::string compiler;                        // absolute path; empty: none found
  std::string host_compiler;                   // cuda: what nvcc calls; else empty
  std::string version;                         // their identity, one line
  std::string stamp;                           // size and time of their files when `version` was read
  std::vector<std::string> flags, link_flags;  // of portable and vendor contestants
  std::vector<std::string> native_flags, native_link_flags;  // host only: of contestants for CPUs
  std::string program_compiler;  // cuda: podium-nvrtc; hip: hipcc; host: the C++ compiler
  std::string program_version;
  std::vector<std::string> program_flags;
  std::string default_arch;  // for `podium build` without a device
  bool translates = false;   // for an emulated device: what stands for machine code is made from PTX
  std::map<std::string, Need> needs;
};

struct Toolchain {
  std::filesystem::path file;
  std::filesystem::path sdk;                     // holds podium/podium.hpp
  std::filesystem::path program;                 // holds podium_program.hpp
  std::filesystem::path python;                  // holds compile_kernel.py
  std::filesystem::path bin;                     // holds podium's own programs
  std::map<std::string, BackendTools> backends;  // those that were configured
  // In place of these for an emulated device, whose emulator executes no machine code: what translates
  // instead.
  std::map<std::string, BackendTools> emulated;
};

// Compilers that were replaced since CMake ran are asked for their version again; those that are not here
// keep what was recorded. Throws podium::Error naming the file and key.
Toolchain read_toolchain(const std::filesystem::path& file);

}  // namespace podium::compile
