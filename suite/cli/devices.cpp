// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "suite/base/backend.hpp"
#include "suite/base/nearest.hpp"
#include "suite/compile/builder.hpp"

namespace podium::cli {
namespace {

using nlohmann::json;

// Of a GPU: what kernels are written for.
std::string parts(const json& d) {
  if (d["local_share"] == 0) return "";
  return fmt::format(", {} multiprocessors of {} KiB shared memory, warps of {}, last cache {} MiB",
                     d["multiprocessors"].get<int>(), d["local_share"].get<std::int64_t>() >> 10,
                     d["warp"].get<int>(), d["last_level_cache"].get<std::int64_t>() >> 20);
}

// "host", "cuda:0".
std::string name_of_device(const std::string& backend, int ordinal) {
  return backend_named(backend).processor ? backend : fmt::format("{}:{}", backend, ordinal);
}

}  // namespace

std::string DeviceName::words() const {
  if (emulated) return fmt::format("--device {}{}", emulated->name(), device::asynchrony_words());
  return "--device " + name_of_device(backend, ordinal);
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
        fmt::format("--device {}: expected a device number after the colon, for example cuda:0", text));
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
      if (e.fault() != Fault::device) throw;
      fmt::print(stderr, "podium: no {} device ({}); trying the next backend\n", backend, e.what());
    }
  throw Error("no device could be opened; `podium doctor` reports what was found", Fault::device);
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

std::string code_architecture(const DeviceName& name, const protocol::Opened& device) {
  return backend_named(name.backend).code_by_architecture() ? protocol::get(device.architecture) : "";
}

void refuse_times(const DeviceName& device, const std::string& what) {
  if (device.emulated) device::refuse_times(device.emulated->name() + " (emulated)", what);
}

void refuse_times(const protocol::Opened& device, const std::string& what) {
  if (device.emulated != 0) device::refuse_times(protocol::get(device.product), what);
}

json devices() {
  json all = json::array();
  for (const auto& backend : built_backends())
    for (int ordinal = 0;; ++ordinal) try {
        const contest::Session session(contest::executables(backend), ordinal, {});
        const auto& d = session.device();
        all.push_back({{"device", name_of_device(backend, ordinal)},
                       {"product", protocol::get(d.product)},
                       {"architecture", protocol::get(d.architecture)},
                       {"driver", protocol::get(d.driver)},
                       {"memory", d.memory},
                       {"partition", protocol::get(d.partition)},
                       {"multiprocessors", d.multiprocessors},
                       {"warp", d.warp},
                       {"local_share", d.local_share},
                       {"last_level_cache", d.last_level_cache},
                       {"pci", protocol::get(d.pci)},
                       {"available", true}});
        if (backend_named(backend).processor) break;
      } catch (const Error& e) {
        if (ordinal == 0) all.push_back({{"device", backend}, {"available", false}, {"why", e.what()}});
        break;
      }
  for (const auto& backend : built_backends())
    for (const auto& architecture : device::emulated_architectures(backend)) {
      const DeviceName name{.backend = backend, .emulated = device::Emulated{backend, architecture}};
      json row{{"device", name.emulated->name()}, {"architecture", architecture}, {"emulated", true}};
      try {
        executables_for(name);
        row["available"] = true;
      } catch (const Error& e) {
        row["available"] = false;
        row["why"] = e.what();
      }
      all.push_back(row);
    }
  return all;
}

void show_devices(const json& devices) {
  for (const auto& d : devices)
    if (!d["available"].get<bool>())
      fmt::print("{:8} not available: {}\n", d["device"].get<std::string>(), d["why"].get<std::string>());
    else if (d.contains("emulated"))
      fmt::print("{:8} emulated: the CPU executes {} code; for `podium verify` only, never timed\n",
                 d["device"].get<std::string>(), d["architecture"].get<std::string>());
    else
      fmt::print("{:8} {} ({}, {:.1f} GiB{}{})\n", d["device"].get<std::string>(),
                 d["product"].get<std::string>(), d["architecture"].get<std::string>(),
                 d["memory"].get<double>() / (1 << 30), parts(d),
                 d["partition"].get<std::string>().empty() ? "" : ", " + d["partition"].get<std::string>());
}

}  // namespace podium::cli
