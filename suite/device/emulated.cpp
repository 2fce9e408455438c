// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/device/emulated.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <system_error>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"

namespace podium::device {
namespace {

constexpr std::string_view mark = ":emulated";
constexpr const char* asynchrony = "PODIUM_EMULATED_ASYNC";  // as judge and worker find it
constexpr const char* threads = "PODIUM_EMULATED_THREADS";   // likewise
constexpr const char* watch_judge = "PODIUM_EMULATED_WATCH_JUDGE";

std::vector<std::string> backends_with_emulator() {
  auto names = backend_names();
  std::erase_if(names, [](const auto& name) { return emulated_architectures(name).empty(); });
  return names;
}

// What a process's loader is to be told besides what podium's was.
std::string library_path(const std::filesystem::path& first) {
  const char* const inherited = std::getenv("LD_LIBRARY_PATH");
  return inherited && *inherited ? fmt::format("{}:{}", first.string(), inherited) : first.string();
}

}  // namespace

std::string Emulated::name() const { return fmt::format("{}{}:{}", backend, mark, architecture); }

const std::vector<std::string>& emulated_architectures(std::string_view backend) {
  static const std::vector<std::string> none;
  const Backend* const found = find_backend(backend);
  return found ? found->emulator.architectures : none;
}

std::optional<Emulated> parse_emulated(const std::string& name) {
  const auto at = name.find(mark);
  if (at == std::string::npos) return std::nullopt;
  const std::string rest = name.substr(at + mark.size());
  if (!rest.empty() && rest.front() != ':') return std::nullopt;  // of some other form
  Emulated device{.backend = name.substr(0, at), .architecture = rest.empty() ? "" : rest.substr(1)};
  const auto& known = emulated_architectures(device.backend);
  if (known.empty())
    throw Error(fmt::format("--device {}: there are emulators for {}, none for '{}'", name,
                            fmt::join(backends_with_emulator(), " and "), device.backend));
  if (std::ranges::find(known, device.architecture) == known.end())
    throw Error(fmt::format("--device {}: {}", name, found_one_of(device.architecture, known)));
  return device;
}

std::filesystem::path emulator_folder(const std::filesystem::path& programs, const std::string& backend) {
  return (programs / ".." / "lib" / "podium" / "emulated" / backend).lexically_normal();
}

bool open_to_all(std::filesystem::path folder) {
  std::error_code failed;
  for (folder = std::filesystem::absolute(folder).lexically_normal(); !folder.empty();
       folder = folder.parent_path()) {
    const auto status = std::filesystem::status(folder, failed);
    if (std::filesystem::is_directory(status) &&
        (status.permissions() & std::filesystem::perms::others_exec) == std::filesystem::perms::none)
      return false;
    if (folder == folder.root_path()) break;
  }
  return true;
}

EmulatedSetting emulated_setting(const Emulated& device, const std::filesystem::path& programs,
                                 const std::filesystem::path& cache) {
  const auto folder = emulator_folder(programs, device.backend);
  if (!std::filesystem::is_directory(folder))
    throw Error(fmt::format("{}: this Podium was built without that emulator ({} is not there); run "
                            "`scripts/setup --emulators`, then build the preset {} anew",
                            device.name(), folder.string(), device.backend),
                Fault::device);
  // Workers read it as another user, whom root's own folders are closed to.
  const bool readable = geteuid() != 0 || open_to_all(cache);
  const auto translations =
      (readable ? std::filesystem::absolute(cache) : "/var/cache/podium") / "emulated" / device.backend;
  std::error_code failed;
  std::filesystem::create_directories(translations, failed);
  if (failed)
    throw Error(
        fmt::format("{}: the folder for translations, {}, cannot be created: {}; set PODIUM_CACHE to a "
                    "folder that you own",
                    device.name(), translations.string(), failed.message()));
  EmulatedSetting setting{
      .environment = {"LD_LIBRARY_PATH=" + library_path(folder), "PODIUM_EMULATED=" + device.architecture,
                      "PODIUM_EMULATOR_CACHE=" + translations.string()},
      .folders = {folder.string(), translations.string()},
      .prepare = std::filesystem::exists(folder / "prepare") ? folder / "prepare" : ""};
  for (const char* const name : {asynchrony, threads, watch_judge})
    if (const char* const value = std::getenv(name))
      setting.environment.push_back(std::string(name) + "=" + value);
  return setting;
}

void set_asynchrony(const std::string& mode, const std::optional<Emulated>& device) {
  static const std::regex form("lazy|eager|random:[0-9]{1,9}");
  if (!device)
    throw Error(
        fmt::format("--async {}: only an emulated device lets its asynchronous operations be ordered; give "
                    "one with --device, such as cuda:emulated:sm_90a",
                    mode));
  if (!backend_named(device->backend).emulator.asynchronous)
    throw Error(
        fmt::format("--async {}: {} does each operation at once, in every run alike; leave --async away, or "
                    "give one of CUDA's emulated devices, such as cuda:emulated:sm_90a",
                    mode, device->name()));
  if (!std::regex_match(mode, form))
    throw Error(fmt::format("--async '{}': expected lazy, eager or random:SEED, such as random:7", mode));
  setenv(asynchrony, mode.c_str(), 1);
}

std::string asynchrony_words() {
  const char* const mode = std::getenv(asynchrony);
  return mode ? fmt::format(" --async {}", mode) : "";
}

void refuse_times(std::string_view product, const std::string& what) {
  throw Error(
      fmt::format("{}: {} runs on the CPU and its times mean nothing, expected a device that is there; "
                  "`podium verify` checks what is right on it",
                  what, product));
}

}  // namespace podium::device
