// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The interpreter that runs contestants in Python, as it describes itself.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/compile/toolchain.hpp"

namespace podium::compile {

// What contestants in Python need, in a tool chain's `needs`.
inline constexpr const char* python_need = "python";

struct Interpreter {
  std::filesystem::path program;  // itself, where `python` may be a version manager's script
  std::string version;            // "CPython 3.11.2; numpy 2.4.6, numba 0.68.1"
  std::string fault;              // why it cannot run contestants, a clause; "": it can
};

// What `python` says of itself; asked once a process. Never throws.
const Interpreter& interpreter_at(const std::string& python);

// In place of what CMake found: the interpreter that the variable PODIUM_PYTHON names, if it is set.
void choose_interpreter(Toolchain& toolchain);

// The interpreter in the first line of a product that is a program of its own; empty: it is none.
std::filesystem::path interpreter_of(int product);

// Where an interpreter has its modules: the prefix of its environment, and of what that was made from.
std::vector<std::string> prefixes_of(const std::filesystem::path& interpreter);

}  // namespace podium::compile
