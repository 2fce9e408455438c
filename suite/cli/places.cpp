// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/places.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/record/provenance.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

// <build>/bin/podium or <prefix>/bin/podium
fs::path root() { return fs::read_symlink("/proc/self/exe").parent_path().parent_path(); }

std::optional<fs::path> variable(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? std::optional<fs::path>(value) : std::nullopt;
}

fs::path installed_kernels() { return root() / "share/podium/kernels"; }

// The checkout that <build> or <prefix> lies in: build/<preset>, as the presets have it.
std::optional<fs::path> checkout() {
  for (fs::path at = root(); at != at.root_path(); at = at.parent_path())
    if (fs::exists(at / "kernels") && fs::exists(at / "CMakePresets.json")) return at;
  return std::nullopt;
}

// A folder of Python packages: the checkout's, or the installed one.
fs::path packages_in(const char* name) {
  const fs::path installed = root() / "share/podium" / name;
  if (fs::exists(installed)) return installed;
  if (const auto tree = checkout(); tree && fs::exists(*tree / name)) return *tree / name;
  throw Error(
      fmt::format("{} does not exist; install Podium again, or run it in a checkout", installed.string()));
}

}  // namespace

fs::path toolchain_file() {
  if (const auto given = variable("PODIUM_TOOLCHAIN")) return *given;
  for (const auto& file : {root() / "toolchain.yaml", root() / "share/podium/toolchain.yaml"})
    if (fs::exists(file)) return file;
  throw Error(fmt::format(
      "{}/toolchain.yaml does not exist; CMake writes it: run `cmake --preset host` in the checkout",
      root().string()));
}

fs::path problems_folder() {
  if (const auto given = variable("PODIUM_PROBLEMS")) return *given;
  if (const auto installed = installed_kernels(); fs::exists(installed)) return installed;
  if (const auto tree = checkout()) return *tree / "kernels";
  throw Error("found no folder of problems; name one with --problems DIR");
}

std::optional<fs::path> own_checkout() { return fs::exists(installed_kernels()) ? std::nullopt : checkout(); }

std::string own_command() {
  const auto given = variable("PODIUM_COMMAND");
  return given ? given->string() : "podium";
}

std::string relative_to_here(const fs::path& path) {
  const auto near = path.lexically_proximate(fs::current_path());
  return near.string().starts_with("..") ? path.string() : near.string();
}

std::string problems_option(const fs::path& folder) {
  return folder.empty() ? "" : " --problems " + record::quoted(folder.string());
}

fs::path publish_python() {
  std::vector<fs::path> prefixes{"/opt/podium"};
  if (const auto data = variable("XDG_DATA_HOME")) prefixes.push_back(*data / "podium");
  if (const auto home = variable("HOME")) prefixes.push_back(*home / ".local/share/podium");
  if (const auto given = variable("PODIUM_PREFIX")) prefixes = {*given};
  for (const fs::path& prefix : prefixes)
    if (const fs::path python = prefix / "publish/bin/python3"; access(python.c_str(), X_OK) == 0)
      return python;
  throw Error(
      fmt::format("{}/publish/bin/python3 does not exist, which makes pages and Parquet: run "
                  "scripts/setup --publish",
                  prefixes.front().string()));
}

fs::path site_folder() { return packages_in("site"); }

fs::path importers_folder() { return packages_in("importers"); }

fs::path results_folder() {
  if (const auto given = variable("PODIUM_RESULTS")) return *given;
  if (const auto tree = checkout()) return *tree / "results";
  return "results";
}

fs::path problem_file(const std::string& name, const fs::path& folder) {
  if (const fs::path given = name;
      given.has_parent_path() || given.has_extension() || fs::is_regular_file(given)) {
    if (fs::is_directory(given)) return given / "problem.yaml";
    if (!fs::is_regular_file(given))
      throw Error(fmt::format("{}: no such file; give a problem's name or its problem.yaml", name));
    return given;
  }
  const fs::path problems = folder.empty() ? problems_folder() : folder;
  if (const fs::path file = problems / name / "problem.yaml"; fs::exists(file)) return file;
  std::vector<std::string> there;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(problems, error))
    if (fs::exists(entry.path() / "problem.yaml")) there.push_back(entry.path().filename().string());
  std::sort(there.begin(), there.end());
  throw Error(fmt::format("no such problem in {}: {}", problems.string(), found_one_of(name, there)));
}

}  // namespace podium::cli
