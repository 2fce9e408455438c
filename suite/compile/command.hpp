// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The compiler's command line for a contestant or a judge's program.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/compile/contestant.hpp"
#include "suite/compile/toolchain.hpp"

namespace podium::compile {

// Arguments hold no path of a checkout: ${in}, ${out}, ${generated}, ${sdk}, ${program}, ${python}, ${bin},
// ${source}, ${folder} (the source's) and ${host_compiler} stand for them, so that the arguments as they are
// belong to the key.
struct Command {
  std::string compiler, host_compiler;
  std::string identity;  // of the compilers
  std::string language;  // suffix of the file that is compiled: "cpp", "json"
  std::vector<std::string> arguments;
};

// `code`: the architecture to generate code for, "" on the host. Every name in `needs` is known and found, or
// stands in no toolchain and adds nothing.
Command plugin_command(const BackendTools& tools, const Contestant& contestant, const std::string& backend,
                       const std::string& code);
// Device code alone, of a sealed source, and of PTX. `defines`: macros.
Command sealed_command(const BackendTools& tools, const Contestant& contestant, const std::string& backend,
                       const std::string& code, const std::map<std::string, std::int64_t>& defines);
Command ptx_command(const BackendTools& tools, const std::string& code);
// One kernel of a file called `file`, by the interpreter that the library's `compile` names.
Command python_command(const BackendTools& tools, const Need& library, const std::string& identity,
                       const std::string& file, const std::string& code);
Command program_command(const BackendTools& tools, const std::string& backend, const std::string& code);

// The contestant's `needs`, and what its language needs besides.
std::vector<std::string> all_needs(const Contestant& contestant);

// Every `mark`, which is not empty, becomes `by`.
void replace_all(std::string& text, std::string_view mark, const std::string& by);

// 'text', for a POSIX shell.
std::string shell_quoted(const std::string& text);

}  // namespace podium::compile
