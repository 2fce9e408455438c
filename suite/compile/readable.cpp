// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/readable.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

namespace podium::compile {
namespace {

namespace fs = std::filesystem;

// Of /etc only what loaders and compilers look up.
constexpr const char* of_the_system[] = {"/usr",
                                         "/opt",
                                         "/bin",
                                         "/sbin",
                                         "/lib",
                                         "/lib32",
                                         "/lib64",
                                         "/libx32",
                                         "/nix/store",
                                         "/gnu/store",
                                         "/etc/alternatives",
                                         "/etc/ld.so.cache",
                                         "/etc/ld.so.conf",
                                         "/etc/ld.so.conf.d",
                                         "/etc/passwd",
                                         "/etc/group",
                                         "/etc/localtime",
                                         "/proc",
                                         "/sys/devices/system/cpu",
                                         "/sys/devices/system/node",
                                         "/dev/null",
                                         "/dev/zero",
                                         "/dev/full",
                                         "/dev/random",
                                         "/dev/urandom"};

// Folders that hold more than a tool chain, whatever lies in them.
bool too_wide(const fs::path& folder) {
  const char* const home = std::getenv("HOME");
  return folder.relative_path().empty() || folder.parent_path() == folder.root_path() ||
         (home && folder == fs::path(home).lexically_normal());
}

class Collection {
 public:
  // A program: with all that was installed with it, where it lies in a folder called bin.
  void program(const fs::path& file) {
    std::error_code absent;
    for (const auto& one : {file, fs::canonical(file, absent)}) {
      if (!one.is_absolute() || !fs::exists(one, absent)) continue;
      const auto prefix = one.parent_path().parent_path();
      if (one.parent_path().filename() == "bin" && !too_wide(prefix))
        add(prefix);
      else
        beside(one);
    }
  }

  // A flag or a variable with paths in it: "-I/a", "-L/a", "--x=/a", "-Wl,-rpath,/a:/b".
  void paths_in(std::string_view text) {
    while (!text.empty()) {
      const auto begin = text.find('/');
      if (begin == std::string_view::npos) return;
      text.remove_prefix(begin);
      const auto end = std::min(text.find_first_of(":,;"), text.size());
      path(fs::path(text.substr(0, end)).lexically_normal());
      text.remove_prefix(end);
    }
  }

  std::vector<std::string> all() const { return {paths_.begin(), paths_.end()}; }
  void add(const fs::path& path) {
    auto text = path.string();
    while (text.size() > 1 && text.ends_with('/')) text.pop_back();
    paths_.insert(text);
  }

 private:
  void path(const fs::path& one) {
    std::error_code absent;
    if (fs::is_directory(one, absent)) {
      if (!too_wide(one)) add(one);
    } else if (fs::exists(one, absent)) {
      beside(one);
    }
  }
  // Libraries lie beside those that they need.
  void beside(const fs::path& file) { add(too_wide(file.parent_path()) ? file : file.parent_path()); }

  std::set<std::string> paths_;
};

}  // namespace

std::vector<std::string> readable_for(const Toolchain& toolchain, const Command& command) {
  Collection all;
  for (const char* path : of_the_system) all.add(path);
  all.program(command.compiler);
  all.program(command.host_compiler);
  for (const auto& [backend, tools] : toolchain.emulated)  // scripts, beside those that they import
    if (tools.compiler == command.compiler) all.add(fs::path(command.compiler).parent_path().parent_path());
  for (const auto& argument : command.arguments) {
    if (argument.find("${bin}") != std::string::npos) {
      all.add(toolchain.bin);
      all.add((toolchain.bin / "../lib").lexically_normal());
    }
    if (argument.starts_with("${")) continue;
    all.paths_in(argument);
    if (argument.starts_with('/')) all.program(argument);
  }
  for (const char* name : compiler_variables())
    if (const char* value = std::getenv(name)) all.paths_in(value);
  if (const char* value = std::getenv("LD_LIBRARY_PATH")) all.paths_in(value);
  auto paths = all.all();
  std::erase_if(paths, [](const std::string& path) { return path.empty() || !fs::exists(path); });
  return paths;
}

bool open_to_others(const fs::path& path, bool from_root) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return false;
  const mode_t needed = S_ISDIR(status.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
  if ((status.st_mode & needed) != needed) return false;
  if (!from_root) return true;
  for (auto folder = path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (::stat(folder.c_str(), &status) != 0 || (status.st_mode & S_IXOTH) == 0) return false;
  return true;
}

}  // namespace podium::compile
