// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Bytes of a file that anybody may have written: every look is checked against their end.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "suite/base/error.hpp"

namespace podium::build {

class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}
  std::size_t size() const { return all_.size(); }

  std::string_view part(std::uint64_t at, std::uint64_t bytes) const {
    if (at > all_.size() || bytes > all_.size() - at)
      throw Error("found code that was cut off, expected the whole file");
    return all_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(bytes));
  }
  // Little-endian, as all devices' code is.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  T at(std::uint64_t offset) const {
    T value;
    std::ranges::copy(part(offset, sizeof(T)), reinterpret_cast<char*>(&value));
    return value;
  }
  // Up to the zero behind it.
  std::string_view text(std::uint64_t at) const {
    const auto rest = part(at, at > all_.size() ? 1 : all_.size() - at);
    const auto end = rest.find('\0');
    if (end == std::string_view::npos) throw Error("found code that was cut off, expected the whole file");
    return rest.substr(0, end);
  }

 private:
  std::string_view all_;
};

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
Elf read_elf(std::string_view file);  // throws podium::Error

inline constexpr std::uint16_t nvidia_machine = 190, amd_machine = 224;  // EM_CUDA, EM_AMDGPU

}  // namespace podium::build
