// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A code object, loaded: its segments in memory with relocations applied, its kernels with what a launch
// needs to know of them (LLVM's "User Guide for AMDGPU Backend", code object v4 to v6).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "emulators/amd/runtime/target.hpp"

namespace podium::amd {

struct Argument {
  std::string kind;  // "by_value", "global_buffer", "hidden_block_count_x" ...
  std::uint32_t offset = 0, bytes = 0;

  bool hidden() const { return kind.starts_with("hidden_"); }  // the compiler's own, behind the caller's
};

struct KernelCode {
  std::string name;
  std::uint64_t descriptor = 0;     // offsets in the loaded image
  std::uint64_t entry = 0;          // of the first instruction; behind the preamble that preloads arguments
  std::uint32_t lds_bytes = 0;      // without what a launch adds
  std::uint32_t scratch_bytes = 0;  // of a lane
  std::uint32_t argument_bytes = 0;
  std::uint32_t resources1 = 0, resources2 = 0, properties = 0, preload = 0;  // words of the descriptor
  bool dynamic_stack = false;
  int wave = 64;
  std::vector<Argument> arguments;
};

// That of a code object which is no bundle; nullptr if the emulator has none such.
const Target* target_of(const void* elf);

class CodeObject {
 public:
  // Of `image`, an ELF file or a bundle with code objects for several targets, that for `target`. Throws
  // std::runtime_error: there is none for it, or it cannot be read.
  CodeObject(const void* image, const Target& target);
  CodeObject(const CodeObject&) = delete;
  CodeObject& operator=(const CodeObject&) = delete;
  ~CodeObject();

  std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(memory_); }
  std::size_t bytes() const { return bytes_; }
  const std::map<std::string, KernelCode>& kernels() const { return kernels_; }
  const KernelCode* kernel(const std::string& name) const;
  // Address and size of a variable; {nullptr, 0} if there is none.
  std::pair<std::byte*, std::size_t> variable(const std::string& name) const;
  // The file, as the translator reads it.
  const std::vector<char>& file() const { return file_; }

 private:
  void load();
  void read_metadata(std::span<const char> note);
  void complete(KernelCode& kernel) const;

  std::vector<char> file_;
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> symbols_;  // offset, size
  std::map<std::string, KernelCode> kernels_;
};

}  // namespace podium::amd
