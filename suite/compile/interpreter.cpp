// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/interpreter.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/compile/languages/language.hpp"
#include "suite/compile/readable.hpp"
#include "suite/compile/subprocess.hpp"
#include "suite/sandbox/sandbox.hpp"

namespace podium::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* oldest = "3.10";
constexpr std::string_view shebang = "#!";

// Its path, its version or what is wrong with that, and the folders that it has its modules in.
constexpr const char* question = R"(
import importlib.metadata as metadata, platform, sys
found = []
for name in sys.argv[1:]:
    try: found.append(name + " " + metadata.version(name))
    except metadata.PackageNotFoundError: pass
print(sys.executable)
print("old" if sys.version_info < (3, 10) else "")
print(platform.python_implementation(), platform.python_version() + ("; " if found else "") + ", ".join(found))
print(sys.prefix)
print(sys.base_prefix)
)";

// The first folder on the way to `path`, or it, that others cannot enter.
fs::path closed_on_the_way(const fs::path& path) {
  fs::path way;
  for (const auto& part : path) {
    way /= part;
    if (!open_to_others(way, false)) return way;
  }
  return path;
}

Interpreter ask(const std::string& python) {
  Interpreter found{.program = python, .version = "", .fault = ""};
  std::vector<std::string> said;
  int status = -1;
  try {
    std::vector<std::string> command{python, "-I", "-B", "-c", question};
    for (const auto& language : languages())
      for (const auto& framework : language.frameworks)
        command.insert(command.end(), framework.packages.begin(), framework.packages.end());
    status = run_program(command, {}, [&](const std::string& line) { said.push_back(line); });
  } catch (const Error& e) {
    said = {e.what()};
  }
  if (status != 0 || said.size() != 5) {
    found.fault = fmt::format("{} is not a Python {} or later that starts{}", python, oldest,
                              said.empty() || said.back().empty() ? "" : ": " + said.back());
    return found;
  }
  found.program = said[0];
  found.version = said[2];
  if (!said[1].empty())
    found.fault = fmt::format("{} is {}, expected Python {} or later", python, found.version, oldest);
  if (!sandbox::granted().has(sandbox::Means::uid)) return found;
  for (const auto& folder : {said[3], said[4]})
    if (found.fault.empty() && !open_to_others(folder, true))
      found.fault = fmt::format(
          "{} keeps modules in {}, and contestants run as a user who cannot enter {}: open that to others, "
          "or "
          "let PODIUM_PYTHON name another interpreter",
          python, folder, closed_on_the_way(folder).string());
  return found;
}

}  // namespace

const Interpreter& interpreter_at(const std::string& python) {
  static std::map<std::string, Interpreter> asked;
  const auto known = asked.find(python);
  return known != asked.end() ? known->second : asked.emplace(python, ask(python)).first->second;
}

void choose_interpreter(Toolchain& toolchain) {
  const char* const named = std::getenv("PODIUM_PYTHON");
  if (!named || !*named) return;
  for (auto& [backend, tools] : toolchain.backends)
    if (const auto at = tools.needs.find(python_need); at != tools.needs.end())
      at->second = {.found = true, .version = "", .compile = {named}, .link = {}, .hint = ""};
}

std::vector<std::string> prefixes_of(const fs::path& interpreter) {
  std::vector<std::string> all;
  std::error_code absent;
  for (const auto& program : {interpreter, fs::canonical(interpreter, absent)})
    if (!program.empty()) all.push_back(program.parent_path().parent_path().string());
  return all;
}

fs::path interpreter_of(int product) {
  std::array<char, 4096> text{};
  const ssize_t got = ::pread(product, text.data(), text.size(), 0);
  const std::string_view read(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  const auto end = read.find('\n');
  if (!read.starts_with(shebang) || end == std::string_view::npos) return {};
  return read.substr(shebang.size(), end - shebang.size());
}

}  // namespace podium::compile
