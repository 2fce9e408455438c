// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>

namespace podium::telemetry {

Library::Library(const char* variable, std::vector<std::string> names) {
  if (const char* stated = std::getenv(variable); stated && *stated) names = {stated};
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    name_ = name.substr(name.find_last_of('/') + 1);
    if (handle_) return;
  }
  throw Unavailable(fmt::format("{} could not be loaded", fmt::join(names, " or ")));
}

Library::~Library() { dlclose(handle_); }

void* Library::address(const char* symbol) const { return dlsym(handle_, symbol); }

void Library::lacks(const char* symbol) const {
  throw Unavailable(fmt::format("{} has no {}; a newer one is needed", name_, symbol));
}

PciAddress pci_address(const std::string& text) {
  PciAddress at;
  int end = 0;
  if (std::sscanf(text.c_str(), "%x:%x:%x.%x%n", &at.domain, &at.bus, &at.device, &at.function, &end) != 4 ||
      end != static_cast<int>(text.size()))
    throw Unavailable(fmt::format("'{}' is no address on the PCI bus, such as 0000:c1:00.0", text));
  return at;
}

}  // namespace podium::telemetry
