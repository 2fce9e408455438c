// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/common/report.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace podium::emulation {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& at) {
  return fmt::format("({},{},{})", at[0], at[1], at[2]);
}

}  // namespace

std::string sentence(const Place& place, const std::string& what) {
  std::string text = "kernel " + place.kernel;
  if (place.block) text += ", block " + triple(*place.block);
  if (place.thread) text += ", thread " + triple(*place.thread);
  if (!place.source.empty())
    text += ", " + place.source + (place.code.empty() ? "" : " (" + place.code + ")");
  else if (!place.code.empty())
    text += ", " + place.code;
  return text + ": " + what;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return symbol;
  std::string name = text.get();
  // The parameters are the last parentheses at depth 0; a return type stands before templates' names.
  int depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) {
      name.resize(at);
      break;
    }
  }
  constexpr std::string_view nothing = "void ";
  if (name.starts_with(nothing)) name.erase(0, nothing.size());
  return name;
}

void say(const std::string& sentence) { std::fprintf(stderr, "podium's emulator: %s\n", sentence.c_str()); }

}  // namespace podium::emulation
