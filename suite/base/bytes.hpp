// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Bytes of a file that anybody may have written: every look is checked against their end.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "suite/base/error.hpp"

namespace podium {

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

}  // namespace podium
