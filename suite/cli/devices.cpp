// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "suite/base/backend.hpp"
#include "suite/base/nearest.hpp"
#include "suite/compile/builder.hpp"

namespace podium::cli {
std::string DeviceName::words() const {
  if (emulated) return fmt::format("--device {}{}", emulated->name(), device::asynchrony_words());
  return backend == "host" ? "--device host" : fmt::format("--device {}:{}", backend, ordinal);
}

DeviceName parse_device(const std::string& text) {
  if (auto emulated = device::parse_emulated(text))
    return {.backend = emulated->backend, .ordinal = 0, .emulated = std::move(emulated)};
  const auto colon = text.find(':');
  DeviceName name{.backend = text.substr(0, colon)};
  if (!find_backend(name.backend))
    throw Error(fmt::format("--device: {}", found_one_of(name.backend, backend_names())));
  if (colon == std::string::npos) return name;
  const std::string number = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), name.ordinal);
  if (error != std::errc() || end != number.data() + number.size() || name.ordinal < 0)
    throw Error(
        fmt::format("--device {}: after the colon stands the device's number, for example cuda:0", text));
  return name;
}

std::vector<std::string> built_backends() {
  std::vector<std::string> built;
  for (const auto& backend : backend_names()) try {
      contest::executables(backend);
      built.push_back(backend);
    } catch (const Error&) {  // not built
    }
  return built;
}

DeviceName choose_device(const std::string& text) {
  if (!text.empty()) return parse_device(text);
  for (const auto& backend : built_backends()) try {
      [[maybe_unused]] const contest::Session opens(contest::executables(backend), 0, {});
      return {.backend = backend};
    } catch (const Error& e) {
      if (e.exit() != Exit::no_device) throw;
      fmt::print(stderr, "podium: no {} device ({}); going on\n", backend, e.what());
    }
  throw Error("no device could be opened; `podium doctor` says what was found", Exit::no_device);
}

contest::Executables executables_for(const DeviceName& device) {
  if (!device.emulated) return contest::executables(device.backend);
  // A stand-in for a library is put in its place when a program is loaded; for one that is linked statically
  // there are programs of their own.
  contest::Executables found = contest::executables(backend_named(device.backend).emulator.programs);
  auto setting =
      device::emulated_setting(*device.emulated, found.judge.parent_path(), compile::default_cache());
  found.environment = std::move(setting.environment);
  found.folders = std::move(setting.folders);
  found.prepare = std::move(setting.prepare);
  return found;
}

void refuse_times(const DeviceName& device, const std::string& what) {
  if (device.emulated)
    device::refuse_times(device.emulated->name() + std::string(device::emulated_mark), what);
}

}  // namespace podium::cli
