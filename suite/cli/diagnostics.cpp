// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/diagnostics.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"
#include "suite/cli/built.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/places.hpp"
#include "suite/compile/subprocess.hpp"
#include "suite/contest/session.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"
#include "suite/sandbox/sandbox.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_runs = 5;
constexpr std::size_t most_text = 1 << 20;  // bytes of one command or file
constexpr const char* seconds = "20";       // for one command

// Command lines for sh. A program that is not installed has status 127.
constexpr const char* commands[] = {
    "uname -srm",
    "id -Gn",
    "lscpu",
    "lspci -nn -d 1002:",
    "ls -l /dev/kfd /dev/dri",
    "dmesg | grep -i amdgpu | tail -n 200",
    "hipconfig --full",
    "hipcc --version",
    "rocminfo",
    "amd-smi version",
    "amd-smi static",
    "amd-smi partition",
    "amd-smi metric",
    "rocm-smi --showallinfo",
    "nvidia-smi -q",
    "env | grep -E '^(HIP|ROCR|ROCM|HSA|GPU|CUDA|AMD|PODIUM)_'",
};

// Files of the kernel and the distribution; folders are searched recursively.
constexpr const char* files[] = {"/etc/os-release", "/opt/rocm/.info/version", "/sys/module/amdgpu/version",
                                 "/sys/class/kfd/kfd/topology/nodes"};
constexpr const char* partition_files[] = {"current_compute_partition", "available_compute_partition",
                                           "current_memory_partition"};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(most_text, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

json ran(const std::string& command) {
  std::string output;
  // sh finds timeout, and is given the command as its first word.
  const std::string limited = fmt::format("timeout {} sh -c \"$0\" 2>&1", seconds);
  const int status =
      compile::run_program({"/bin/sh", "-c", limited, command}, {}, [&](const std::string& line) {
        if (output.size() < most_text) output += line + "\n";
      });
  return {{"command", command}, {"status", status}, {"output", output}};
}

json all_commands() {
  json all = json::array();
  for (const char* command : commands) all.push_back(ran(command));
  for (const auto& backend : built_backends())
    all.push_back(ran(fmt::format("ldd '{}'", contest::executables(backend).judge.string())));
  return all;
}

void add_file(json& all, const fs::path& file) {
  std::error_code none;
  if (fs::is_regular_file(file, none)) all[file.string()] = text_of(file);
}

json all_files() {
  json all = json::object();
  std::error_code none;
  for (const char* name : files) {
    add_file(all, name);
    for (fs::recursive_directory_iterator at(name, none), end; at != end; at.increment(none)) {
      const std::string file = at->path().filename();
      if (file == "properties" || file == "name") add_file(all, at->path());
    }
  }
  for (const auto& device : fs::directory_iterator("/sys/bus/pci/devices", none))
    for (const char* name : partition_files) add_file(all, device.path() / name);
  return all;
}

json sandbox() {
  json all = json::array();
  for (const auto& grant : sandbox::grants())
    all.push_back({{"means", name_of(grant.means)}, {"held", grant.held}, {"detail", grant.detail}});
  return all;
}

// Of compact_utc(), which runs' folders begin with.
constexpr std::string_view time_form = "00000000T000000Z";

bool compact_time(const std::string& text) {
  return std::ranges::equal(text, time_form,
                            [](char c, char of) { return of == '0' ? c >= '0' && c <= '9' : c == of; });
}

// A run's start, in the form of compact_utc(): from its record, else from its folder's name, else empty,
// which sorts before all others.
std::string start_of(const fs::path& run) {
  const json record = json::parse(podium::text_of(run / "run.json"), nullptr, false);
  std::string started;
  if (record.is_object() && record.contains("started") && record["started"].is_string())
    started = record["started"].get<std::string>();
  std::erase_if(started, [](char c) { return c == '-' || c == ':'; });
  if (!compact_time(started)) started = run.filename().string().substr(0, time_form.size());
  return compact_time(started) ? started : "";
}

// The newest runs, as recorded. Folders of published runs may have any name.
json newest_runs(const fs::path& results) {
  std::vector<std::pair<std::string, fs::path>> runs;
  std::error_code none;
  for (fs::recursive_directory_iterator at(results, none), end; at != end; at.increment(none)) {
    const fs::path run = at->path().parent_path();
    if (at->path().filename() == "run.json") runs.emplace_back(start_of(run), run);
  }
  std::ranges::sort(runs, std::ranges::greater{});
  runs.resize(std::min(runs.size(), most_runs));
  json all = json::array();
  for (const auto& [started, run] : runs)
    all.push_back({{"run", (run.parent_path().filename() / run.filename()).string()},
                   {"run.json", text_of(run / "run.json")},
                   {"entries.jsonl", text_of(run / "entries.jsonl")}});
  return all;
}

// What `podium calibrate` measured, by device.
json calibrations(const fs::path& results) {
  json all = json::object();
  std::error_code none;
  for (fs::recursive_directory_iterator at(results, none), end; at != end; at.increment(none))
    if (at->path().filename() == "calibration.json")
      all[at->path().parent_path().filename().string()] = text_of(at->path());
  return all;
}

// The end of ctest's log in the build tree, with the failed tests; empty if it has not run.
std::string last_tests() {
  const fs::path log = toolchain_file().parent_path() / "Testing/Temporary/LastTest.log";
  std::ifstream in(log, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const auto bytes = static_cast<std::size_t>(in.tellg());
  std::string text(std::min(bytes, most_text), '\0');
  in.seekg(static_cast<std::streamoff>(bytes - text.size()));
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

// Files that the user names, such as the output of other commands.
json named_files(const std::vector<fs::path>& names) {
  json all = json::object();
  for (const auto& name : names) {
    if (!fs::is_regular_file(name))
      throw Error(
          fmt::format("--with {}: not a file; expected a file to include, such as the output of `podium "
                      "verify | tee verify.txt`",
                      name.string()));
    all[name.string()] = text_of(name);
  }
  return all;
}

void replace(std::string& text, const std::string& what, const std::string& with) {
  constexpr std::size_t shortest = 3;  // "pc" is part of too many words
  if (what.size() < shortest || what == "root") return;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

// Without the names of persons and hosts.
std::string anonymized(std::string text) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const passwd* const user = getpwuid(getuid());
  if (user && std::string(user->pw_dir) != "/root") replace(text, user->pw_dir, "~");
  replace(text, host.data(), "HOST");
  if (user) replace(text, user->pw_name, "USER");
  return text;
}

}  // namespace

void write_bundle(const fs::path& file, const fs::path& results, const std::vector<fs::path>& with) {
  const json named = named_files(with);  // before anything takes time
  const json bundle = {
      {"podium", version()},
      {"commit", record::commit_of(built_checkout(), built_commit())},
      {"made", record::utc(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()))},
      {"devices", devices()},
      {"sandbox", sandbox()},
      {"toolchain", text_of(toolchain_file())},
      {"commands", all_commands()},
      {"files", all_files()},
      {"runs", newest_runs(results)},
      {"calibrations", calibrations(results)},
      {"tests", last_tests()},
      {"with", named}};
  constexpr int indent = 1;
  record::write_file(file,
                     anonymized(bundle.dump(indent, ' ', false, json::error_handler_t::replace)) + "\n");
}

}  // namespace podium::cli
