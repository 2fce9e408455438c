// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The command line of judges and workers: numbers of descriptors that podium left open for them, or of
// devices.
#pragma once
#include <charconv>
#include <string>
#include <string_view>

#include "suite/base/error.hpp"

namespace podium {

// The number that follows `name` (`--socket 5`); -1 if `name` is absent. Throws podium::Error if it is none
// from 0 on.
inline int number_argument(int argc, char** argv, std::string_view name) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i] != name) continue;
    const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
    int number = -1;
    const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || status != std::errc{} || end != value.data() + value.size() || number < 0)
      throw Error(std::string(argv[0]) + ": " + std::string(name) + " wants a number from 0 on, not '" +
                  std::string(value) + "'; only podium starts this program");
    return number;
  }
  return -1;
}

// The text that follows `name`; empty if `name` is absent.
inline std::string text_argument(int argc, char** argv, std::string_view name) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == name) return argv[i + 1];
  return {};
}

}  // namespace podium
