// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/device_list.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "suite/cli/devices.hpp"

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

}  // namespace

json devices() {
  json all = json::array();
  for (const auto& backend : built_backends())
    for (int ordinal = 0;; ++ordinal) try {
        const contest::Session session(contest::executables(backend), ordinal, {});
        const auto& d = session.device();
        all.push_back({{"device", backend == "host" ? backend : fmt::format("{}:{}", backend, ordinal)},
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
        if (backend == "host") break;
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
      fmt::print("{:8} the CPU executes {} code: for `podium verify`, never timed\n",
                 d["device"].get<std::string>(), d["architecture"].get<std::string>());
    else
      fmt::print("{:8} {} ({}, {:.1f} GiB{}{})\n", d["device"].get<std::string>(),
                 d["product"].get<std::string>(), d["architecture"].get<std::string>(),
                 d["memory"].get<double>() / (1 << 30), parts(d),
                 d["partition"].get<std::string>().empty() ? "" : ", " + d["partition"].get<std::string>());
}

}  // namespace podium::cli
