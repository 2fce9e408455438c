// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/hip/access.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <grp.h>
#include <hip/hip_runtime_api.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "backends/telemetry/kfd.hpp"

namespace podium::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* container = "in a container add --device /dev/kfd --device /dev/dri";

std::vector<fs::path> render_nodes(const fs::path& dev) {
  std::vector<fs::path> nodes;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(dev / "dri", none))
    if (entry.path().filename().string().starts_with("renderD")) nodes.push_back(entry.path());
  std::ranges::sort(nodes);
  return nodes;
}

// Whether the user's groups, as they are on disk, hold one that this login does not have yet.
bool joined_since_login(const char* user, gid_t own, gid_t group) {
  int count = 256;
  std::vector<gid_t> groups(static_cast<std::size_t>(count));
  if (getgrouplist(user, own, groups.data(), &count) < 0) return false;
  groups.resize(static_cast<std::size_t>(count));
  return std::ranges::find(groups, group) != groups.end();
}

// How this user comes to open `node`.
std::string join(const fs::path& node) {
  struct stat status{};
  stat(node.c_str(), &status);
  const group* const owner = getgrgid(status.st_gid);
  if (!owner)
    return fmt::format("it belongs to group {}, which has no name here: {} --group-add {}", status.st_gid,
                       container, status.st_gid);
  const passwd* const self = getpwuid(getuid());
  const std::string user = self ? self->pw_name : std::to_string(getuid());
  const std::string name = owner->gr_name;
  if (self && joined_since_login(self->pw_name, self->pw_gid, status.st_gid))
    return fmt::format("user {} is in its group {} only since this login: log in again, or `newgrp {}`", user,
                       name, name);
  return fmt::format("it belongs to group {}: `sudo usermod -aG {} {}`, then log in again", name,
                     name == "video" ? name : name + ",video", user);
}

std::optional<std::string> closed(const Machine& machine, const fs::path& node) {
  if (machine.may_open(node)) return std::nullopt;
  return fmt::format("this user may not open {}; {}", node.string(), join(node));
}

// The root that scripts/setup --hip lays out keeps its compiler there, which no ROCm does.
bool only_compiles(const fs::path& runtime) {
  return !runtime.empty() && fs::exists(runtime.parent_path().parent_path() / "llvm/installation");
}

}  // namespace

Machine this_machine() {
  Machine machine;
  if (Dl_info info{}; dladdr(reinterpret_cast<void*>(&hipGetDeviceCount), &info) != 0 && info.dli_fname)
    machine.runtime = info.dli_fname;
  machine.may_open = [](const fs::path& node) { return access(node.c_str(), R_OK | W_OK) == 0; };
  machine.variable = [](const char* name) -> const char* { return std::getenv(name); };
  return machine;
}

std::string why_no_device(const Machine& machine) {
  const fs::path kfd = machine.dev / "kfd";
  if (!fs::exists(kfd))
    return fs::exists(machine.sys / "module/amdgpu")
               ? fmt::format("the driver amdgpu is loaded, but there is no {}: {}", kfd.string(), container)
               : fmt::format(
                     "there is no {}; is the amdgpu driver loaded? `sudo modprobe amdgpu`, or install "
                     "AMD's package amdgpu-dkms",
                     kfd.string());
  if (auto sentence = closed(machine, kfd)) return *sentence;
  const auto gpus = telemetry::kfd_gpus(machine.sys);
  if (gpus.empty())
    return fmt::format(
        "{} is there, but the kernel knows no AMD GPU that computes (class/kfd/kfd/topology in {}): "
        "`lspci -d 1002:` lists AMD's devices, `sudo dmesg | grep amdgpu` says what became of them",
        kfd.string(), machine.sys.string());
  const auto nodes = render_nodes(machine.dev);
  if (nodes.empty())
    return fmt::format("there is no {}/dri/renderD*, by which GPUs are opened: {}", machine.dev.string(),
                       container);
  for (const auto& node : nodes)
    if (auto sentence = closed(machine, node)) return *sentence;
  for (const char* name :
       {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"})
    if (const char* value = machine.variable(name))
      return fmt::format("the environment hides devices: {}={}; unset it", name, value);
  if (only_compiles(machine.runtime))
    return fmt::format(
        "{} only serves to compile, as scripts/setup --hip lays it out: install ROCm, delete build/hip and "
        "build again",
        machine.runtime.string());
  return fmt::format("the kernel knows {}, this ROCm does not: `rocminfo` says more; a newer ROCm may",
                     gpus.front().architecture);
}

}  // namespace podium::gpu
