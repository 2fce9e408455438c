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

// "sm_90a" -> "compute_90a"
std::string virtual_of(const std::string& code) { return "compute_" + code.substr(code.find('_') + 1); }

std::vector<std::string> arch_flags(const std::string& backend, const std::string& code) {
  if (backend == "cuda") return {"-gencode=arch=" + virtual_of(code) + ",code=" + code};
  if (backend == "hip") return {"--offload-arch=" + code};
  return {};
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
std::vector<std::string> prefix_map(const std::string& backend, const std::string& problem) {
  const std::string map = "-fmacro-prefix-map=${folder}=" + problem;
  return {backend == "cuda" ? "-Xcompiler=" + map : map};
}

std::string language_of(const std::string& backend) {
  if (backend == "cuda") return "cu";
  if (backend == "hip") return "hip";
  return "cpp";
}

}  // namespace

std::vector<std::string> all_needs(const Contestant& contestant) {
  auto needs = contestant.needs;
  if (contestant.kind == Kind::kokkos && std::ranges::find(needs, "kokkos") == needs.end())
    needs.push_back("kokkos");
  return needs;
}

Command plugin_command(const BackendTools& tools, const Contestant& contestant, const std::string& backend,
                       const std::string& code) {
  const bool native = backend == "host" && contestant.kind != Kind::portable;
  auto arguments = native ? tools.native_flags : tools.flags;
  std::vector<std::string> libraries;
  for (const auto& name : all_needs(contestant)) {
    const auto need = tools.needs.find(name);
    if (need == tools.needs.end()) continue;
    append(arguments, need->second.compile);
    append(libraries, need->second.link);
  }
  keep_last_standard(arguments);
  append(arguments, arch_flags(backend, code));
  append(arguments, prefix_map(backend, contestant.problem));
  append(arguments, {"-I${generated}", "-I${sdk}", "${in}", "-o", "${out}"});
  append(arguments, libraries);
  append(arguments, native ? tools.native_link_flags : tools.link_flags);
  if (!tools.host_compiler.empty()) append(arguments, {"-ccbin", "${host_compiler}"});
  return {tools.compiler, tools.host_compiler, tools.version, language_of(backend), arguments};
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
  arguments.emplace_back(backend == "cuda" ? "-cubin" : "--genco");
  append(arguments, arch_flags(backend, code));
  for (const auto& [name, value] : defines) arguments.push_back("-D" + name + "=" + std::to_string(value));
  append(arguments, prefix_map(backend, contestant.problem));
  append(arguments, {"-I${generated}", "-I${sdk}", "${in}", "-o", "${out}"});
  if (!tools.host_compiler.empty()) append(arguments, {"-ccbin", "${host_compiler}"});
  return {tools.compiler, tools.host_compiler, tools.version, language_of(backend), arguments};
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
  auto arguments = tools.program_flags;
  if (backend == "cuda")
    append(arguments, {"--arch", code, "-I", "${program}", "${in}", "-o", "${out}"});
  else
    append(arguments, arch_flags(backend, code)),
        append(arguments, {"-I${program}", "${in}", "-o", "${out}"});
  return {tools.program_compiler, "", tools.program_version, language_of(backend), arguments};
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace podium::compile
