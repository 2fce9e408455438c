// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads toolchain.yaml and finds out whether its compilers are still those that it names.
#include "suite/compile/toolchain.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <regex>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/compile/interpreter.hpp"
#include "suite/compile/subprocess.hpp"
#include "suite/problem/yaml/mistakes.hpp"
#include "suite/problem/yaml/yaml.hpp"

namespace podium::compile {
namespace {

namespace fs = std::filesystem;
using yaml::Node;

class ToolchainReader {
 public:
  explicit ToolchainReader(const fs::path& file) : file_(file) {
    tools_.file = fs::absolute(file);
    const auto root = yaml::parse(yaml::read_file(file), file.string());
    for (const auto& child : root.children) top(child);
    if (tools_.sdk.empty() || tools_.program.empty() || tools_.backends.empty())
      wrong(root, "expected the keys sdk, program and backends; run cmake again");
  }
  Toolchain take() {
    mistakes_.raise();
    return std::move(tools_);
  }

 private:
  void top(const Node& node) {
    if (node.key == "podium") {
      if (text(node) != "1") wrong(node, "found another version than 1; run cmake again");
    } else if (node.key == "sdk")
      tools_.sdk = path(node);
    else if (node.key == "program")
      tools_.program = path(node);
    else if (node.key == "python")
      tools_.python = path(node);
    else if (node.key == "bin")
      tools_.bin = path(node);
    else if (node.key == "backends")
      for (const auto& child : node.children) backend(child, tools_.backends);
    else if (node.key == "emulated")
      for (const auto& child : node.children)
        backend(child, tools_.emulated), tools_.emulated[child.key].translates = true;
    else
      unknown(node, {"podium", "sdk", "program", "python", "bin", "backends", "emulated"});
  }

  void backend(const Node& node, std::map<std::string, BackendTools>& all) {
    auto& b = all[node.key];
    const std::map<std::string, std::string*> texts = {{"compiler", nullptr},
                                                       {"host_compiler", &b.host_compiler},
                                                       {"version", &b.version},
                                                       {"stamp", &b.stamp},
                                                       {"program_compiler", nullptr},
                                                       {"program_version", &b.program_version},
                                                       {"default_arch", &b.default_arch},
                                                       {"needs", nullptr}};
    const std::map<std::string, std::vector<std::string>*> lists = {
        {"flags", &b.flags},
        {"link_flags", &b.link_flags},
        {"native_flags", &b.native_flags},
        {"native_link_flags", &b.native_link_flags},
        {"program_flags", &b.program_flags}};
    for (const auto& child : node.children) {
      if (child.key == "needs") {
        for (const auto& n : child.children) b.needs[n.key] = need(n);
      } else if (child.key == "compiler") {
        b.compiler = path(child);
      } else if (child.key == "program_compiler") {
        b.program_compiler = path(child);
      } else if (const auto t = texts.find(child.key); t != texts.end()) {
        *t->second = text(child);
      } else if (const auto l = lists.find(child.key); l != lists.end()) {
        *l->second = list(child);
      } else {
        std::vector<std::string> known;
        for (const auto& [key, at] : texts) known.push_back(key);
        for (const auto& [key, at] : lists) known.push_back(key);
        unknown(child, known);
      }
    }
  }

  Need need(const Node& node) {
    Need n;
    for (const auto& child : node.children) {
      if (child.key == "found")
        n.found = text(child) == "true";
      else if (child.key == "version")
        n.version = text(child);
      else if (child.key == "compile")
        n.compile = list(child);
      else if (child.key == "link")
        n.link = list(child);
      else if (child.key == "hint")
        n.hint = text(child);
      else
        unknown(child, {"found", "version", "compile", "link", "hint"});
    }
    return n;
  }

  std::string text(const Node& node) {
    if (node.kind != Node::Kind::scalar && node.kind != Node::Kind::null)
      wrong(node, "expected one line of text");
    return node.text;
  }
  // Relative to the file, so that a tree can be moved.
  fs::path path(const Node& node) {
    const fs::path given = text(node);
    return given.empty() ? given : (tools_.file.parent_path() / given).lexically_normal();
  }
  std::vector<std::string> list(const Node& node) {
    std::vector<std::string> result;
    if (node.kind != Node::Kind::list && node.kind != Node::Kind::null)
      wrong(node, "expected a list of flags");
    for (const auto& child : node.children) result.push_back(text(child));
    return result;
  }
  void unknown(const Node& node, const std::vector<std::string>& known) {
    wrong(node, "unknown key: " + found_one_of(node.key, known));
  }
  void wrong(const Node& node, const std::string& sentence) {
    mistakes_.add({file_.string(), node.line}, node.key, sentence);
  }

  const fs::path& file_;
  Toolchain tools_;
  problem::Mistakes mistakes_;
};

// "size.seconds" of each file, as PodiumToolchain.cmake writes it; empty if one is not here.
std::string stamp_of(const BackendTools& tools) {
  std::string stamp;
  for (const auto& file : {tools.compiler, tools.host_compiler}) {
    if (file.empty()) continue;
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) return {};
    stamp += fmt::format("{}{}.{}", stamp.empty() ? "" : " ", status.st_size, status.st_mtim.tv_sec);
  }
  return stamp;
}

// The line with the version, GCC by that name however it was called, as PodiumToolchain.cmake writes it.
std::string version_of(const std::string& compiler) {
  static const std::regex number("[0-9]+\\.[0-9]+");
  std::string version;
  run_program({compiler, "--version"}, {{"LC_ALL", "C"}}, [&](const std::string& line) {
    if (version.empty() && std::regex_search(line, number)) version = line;
  });
  const auto name = fs::path(compiler).filename().string() + " ";
  if (version.starts_with(name)) version.erase(0, name.size());
  return version.starts_with('(') ? "GCC " + version : version;
}

void bring_up_to_date(BackendTools& tools) {
  const auto stamp = stamp_of(tools);
  if (stamp.empty() || stamp == tools.stamp) return;
  const bool same = tools.program_version == tools.version;
  auto version = version_of(tools.compiler);
  if (!tools.host_compiler.empty()) version += "; " + version_of(tools.host_compiler);
  tools.version = version;
  tools.stamp = stamp;
  if (same) tools.program_version = version;
}

}  // namespace

Toolchain read_toolchain(const fs::path& file) {
  auto tools = ToolchainReader(file).take();
  for (auto& [name, backend] : tools.backends) bring_up_to_date(backend);
  for (auto& [name, backend] : tools.emulated) bring_up_to_date(backend);
  choose_interpreter(tools);
  return tools;
}

}  // namespace podium::compile
