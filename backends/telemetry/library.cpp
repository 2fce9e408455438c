// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
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
  const char *next = text.data(), *const end = text.data() + text.size();
  const auto part = [&](unsigned& number, char closing) {  // 0: the end of the text
    const auto [stop, error] = std::from_chars(next, end, number, 16);
    const bool closed = closing == 0 ? stop == end : stop != end && *stop == closing;
    next = stop + (closing != 0 && closed);
    return error == std::errc() && closed;
  };
  if (!part(at.domain, ':') || !part(at.bus, ':') || !part(at.device, '.') || !part(at.function, 0))
    throw Unavailable(fmt::format("'{}' is no address on the PCI bus, such as 0000:c1:00.0", text));
  return at;
}

}  // namespace podium::telemetry
