// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Architecture names taken apart.
#include "suite/problem/model/arch.hpp"

#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "suite/base/backend.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

struct Sm {
  int major = 0, minor = 0;
  char suffix = 0;  // 'a', 'f', '+'
};

std::optional<Sm> sm(const std::string& name) {
  static const std::regex form("sm_([0-9]{1,2})([0-9])([af+]?)");
  std::smatch parts;
  if (!std::regex_match(name, parts, form)) return std::nullopt;
  return Sm{std::stoi(parts[1]), std::stoi(parts[2]), parts[3].length() > 0 ? parts[3].str()[0] : '\0'};
}

// The processor's name without its feature flags: gfx942 of gfx942:sramecc+:xnack-.
std::string processor(const std::string& architecture) {
  return architecture.substr(0, architecture.find(':'));
}

bool is_gfx(const std::string& name) {
  static const std::regex form("gfx[0-9]{1,3}[0-9a-f]{2}");
  return std::regex_match(name, form);
}

bool admits(const Sm& wanted, const Sm& device) {
  const bool later = device.minor >= wanted.minor;
  switch (wanted.suffix) {
    case '+':
      return device.major > wanted.major || (device.major == wanted.major && later);
    case 'a':
      return device.major == wanted.major && device.minor == wanted.minor;
    default:
      return device.major == wanted.major && later;
  }
}

}  // namespace

std::string arch_mistake(const std::string& arch) {
  if (sm(arch) || is_gfx(arch)) return "";
  return fmt::format("found '{}', expected an architecture like sm_90, sm_90a, sm_80+ or gfx942",
                     yaml::excerpt(arch));
}

bool admits(const std::string& arch, const std::string& architecture) {
  const auto own = processor(architecture);
  const auto wanted = sm(arch), device = sm(own);
  return wanted ? device && admits(*wanted, *device) : own == arch;
}

std::optional<std::string> code_for(const std::string& arch, const std::string& backend,
                                    const std::string& architecture) {
  const auto own = processor(architecture);
  const Backend* const known = find_backend(backend);
  bool any = false;  // name of its vendor
  std::istringstream names(arch);
  for (std::string name; names >> name;) {
    if (!known || !of_backend(name, *known)) continue;
    any = true;
    const auto wanted = sm(name);
    if (admits(name, architecture)) return wanted && wanted->suffix != '+' ? name : own;
  }
  if (any) return std::nullopt;
  return own;
}

}  // namespace podium::problem
