// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "suite/base/nearest.hpp"
#include "suite/contest/session.hpp"

namespace podium::cli {
namespace {

constexpr std::array backends = {"cuda", "hip", "host"};  // in the order of preference

}  // namespace

DeviceName parse_device(const std::string& text) {
  const auto colon = text.find(':');
  DeviceName name{text.substr(0, colon)};
  if (std::find(backends.begin(), backends.end(), name.backend) == backends.end())
    throw Error(fmt::format("--device: {}", found_one_of(name.backend, {backends.begin(), backends.end()})));
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
  for (const std::string backend : backends) try {
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
      return {backend, 0};
    } catch (const Error& e) {
      if (e.exit() != Exit::no_device) throw;
      fmt::print(stderr, "podium: no {} device ({}); going on\n", backend, e.what());
    }
  throw Error("no device could be opened; `podium doctor` says what was found", Exit::no_device);
}

}  // namespace podium::cli
