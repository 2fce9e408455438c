// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One command compiles and links; libraries follow the source, as linkers want it.
#include "suite/compile/command.hpp"

#include <algorithm>
#include <utility>

namespace podium::compile {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& flags) {
  to.insert(to.end(), flags.begin(), flags.end());
}

// `flags` of a backend's row, for the architecture `code`.
std::vector<std::string> for_code(std::vector<std::string> flags, const Backend& backend,
                                  const std::string& code) {
  for (auto& flag : flags) {
    replace_all(flag, "${number}", code.substr(std::min(backend.prefix.size(), code.size())));
    replace_all(flag, "${code}", code);
  }
  return flags;
}

bool names_standard(const std::string& flag) {
  return flag.starts_with("-std=") || flag.starts_with("--std=");
}

// A library that states its own language standard wins; nvcc refuses two.
void keep_last_standard(std::vector<std::string>& flags) {
  const auto last = std::find_if(flags.rbegin(), flags.rend(), names_standard);
  if (last == flags.rend()) return;
  auto kept = *last;
  std::erase_if(flags, names_standard);
  flags.insert(flags.begin(), std::move(kept));
}

// __FILE__ reads problem/file wherever the checkout lies, so products of equal keys are alike.
std::vector<std::string> prefix_map(const Backend& backend, const std::string& problem) {
  return {backend.host_flag_prefix + "-fmacro-prefix-map=${folder}=" + problem};
}

}  // namespace

void replace_all(std::string& text, std::string_view mark, const std::string& by) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

std::vector<std::string> all_needs(const Contestant& contestant) {
  auto needs = contestant.needs;
  for (const auto& name : contestant.language->needs)
    if (std::ranges::find(needs, name) == needs.end()) needs.push_back(name);
  return needs;
}

Command plugin_command(const BackendTools& tools, const Contestant& contestant, const std::string& backend,
                       const std::string& code) {
  const Backend& traits = backend_named(backend);
  const bool native = !traits.gpu && !contestant.language->for_gpus;
  auto arguments = native ? tools.native_flags : tools.flags;
  std::vector<std::string> libraries;
  for (const auto& name : all_needs(contestant)) {
    const auto need = tools.needs.find(name);
    if (need == tools.needs.end()) continue;
    append(arguments, need->second.compile);
    append(libraries, need->second.link);
  }
  keep_last_standard(arguments);
  append(arguments, for_code(traits.architecture_flags, traits, code));
  append(arguments, prefix_map(traits, contestant.problem));
  append(arguments, {"-I${generated}", "-I${sdk}"});
  append(arguments, contestant.language->arguments);
  append(arguments, {"${in}", "-o", "${out}"});
  append(arguments, libraries);
  append(arguments, native ? tools.native_link_flags : tools.link_flags);
  if (!tools.host_compiler.empty()) append(arguments, {"-ccbin", "${host_compiler}"});
  return {tools.compiler, tools.host_compiler, tools.version, traits.source, arguments};
}

Command sealed_command(const BackendTools& tools, const Contestant& contestant, const std::string& backend,
                       const std::string& code, const std::map<std::string, std::int64_t>& defines) {
  auto arguments = tools.flags;
  for (const char* of_libraries : {"-shared", "-fPIC", "-fvisibility=hidden"})
    std::erase(arguments, of_libraries);
  for (const auto& name : contestant.needs)
    if (const auto need = tools.needs.find(name); need != tools.needs.end())
      append(arguments, need->second.compile);
  keep_last_standard(arguments);
  const Backend& traits = backend_named(backend);
  arguments.push_back(traits.device_code_flag);
  append(arguments, for_code(traits.architecture_flags, traits, code));
  for (const auto& [name, value] : defines) arguments.push_back("-D" + name + "=" + std::to_string(value));
  append(arguments, prefix_map(traits, contestant.problem));
  append(arguments, {"-I${generated}", "-I${sdk}", "${in}", "-o", "${out}"});
  if (!tools.host_compiler.empty()) append(arguments, {"-ccbin", "${host_compiler}"});
  return {tools.compiler, tools.host_compiler, tools.version, traits.source, arguments};
}

Command ptx_command(const BackendTools& tools, const std::string& code) {
  std::vector<std::string> arguments{"-cubin", "-arch=" + code, "${in}", "-o", "${out}"};
  if (tools.translates) append(arguments, {"--cxx", "${host_compiler}"});
  return {tools.compiler, tools.translates ? tools.host_compiler : "", tools.version, "ptx", arguments};
}

Command python_command(const BackendTools& tools, const Need& library, const std::string& identity,
                       const std::string& file, const std::string& code) {
  const std::string python = library.compile.empty() ? "" : library.compile.front();
  // Without what the user's environment or home folder would add.
  const std::vector<std::string> rest{
      "-E", "-s", "-B", "${python}/compile_kernel.py", "${in}", "${folder}/" + file, "${out}"};
  if (!tools.translates) return {python, "", identity, "json", rest};
  std::vector<std::string> arguments{"--python", python, "--cxx", "${host_compiler}", "--arch", code};
  append(arguments, rest);
  return {tools.compiler, tools.host_compiler, tools.version + identity, "json", arguments};
}

Command program_command(const BackendTools& tools, const std::string& backend, const std::string& code) {
  const Backend& traits = backend_named(backend);
  auto arguments = tools.program_flags;
  append(arguments, for_code(traits.program_flags, traits, code));
  append(arguments, {"${in}", "-o", "${out}"});
  return {tools.program_compiler, "", tools.program_version, traits.source, arguments};
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace podium::compile
