// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The languages that contestants are written in, in one table: all that sets them apart. A new one is a file
// beside this one, and its row in language.cpp.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/base/backend.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/sealed_program.hpp"

namespace podium::compile {

// How the device code of a sealed file comes to be.
enum class SealedForm {
  source,  // the file is compiled as a whole, with macros
  python,  // each of its kernels by suite/compile/python, once for each set of constants
  objects  // other files hold it
};

// What `podium new contestant` writes.
enum class FirstText { none, loop, kernel, sealed_kernel, function };

// An argument of a kernel in Python, as its compiler sees it.
struct TypedArgument {
  bool array = false;  // an address
  problem::Dtype dtype = problem::Dtype::i32;
  std::vector<std::int64_t> extents;  // of an array, row-major unless strides are given
  std::vector<std::int64_t> strides;  // in elements
  protocol::SealedProgram::Argument value;
};

// Of languages with SealedForm::python; suite/compile/python/with_NAME.py compiles them.
struct PythonKernels {
  std::vector<std::string> options;  // that a launch may set
  std::string no_options;            // where there are none: where they stand instead
  std::string no_ptx;                // why it cannot run on emulated devices; "": it makes PTX
  std::string hidden_advice;         // if its code takes arguments that it does not list
  // What its compiler is told of an array called `name`.
  nlohmann::json (*array)(const TypedArgument&, const std::string& name) = nullptr;
  // What its kernel takes after an array's address; null: nothing.
  std::vector<protocol::SealedProgram::Argument> (*behind_address)(const TypedArgument&) = nullptr;
  // Why its kernel cannot take that array, "found …, expected …"; "" or null: it can.
  std::string (*fault)(const TypedArgument&) = nullptr;
};

// As whose arrays tensors arrive in an interpreter, and where.
struct Framework {
  std::string module;                 // that a contestant imports
  std::vector<std::string> packages;  // whose versions are part of what it is
  bool on_processors = true;
  bool on_gpus = false;
};

struct Language {
  std::string name;     // in records
  std::string title;    // for people; "": its name
  std::string suffix;   // of files: ".gpu.cpp"
  std::string comment;  // begins a line comment; "": the file is YAML itself
  std::function<bool(const Backend&)> runs_on;
  FirstText first = FirstText::none;
  bool for_gpus = false;                // on a CPU emulated: verified, never timed
  std::vector<std::string> needs = {};  // besides those that the contestant states
  bool among_needs = false;             // a contestant's `needs` tell it from others of its suffix, by name
  std::vector<std::string> arguments = {};  // of the compiler, before the stub; ${source} is the contestant
  // The text that is compiled, for a board; null: the contestant as C++.
  std::string (*stub)(const problem::Problem&, const problem::Choice&) = nullptr;
  std::optional<SealedForm> sealed = {};  // device code and a launch list, no host code
  PythonKernels python = {};
  // Of languages that an interpreter runs; the first unless the contestant names another. None: it is
  // compiled.
  std::vector<Framework> frameworks = {};
};

// In the order in which sentences name them.
const std::vector<Language>& languages();

// By the longest suffix that fits; null: none does. Of several with one suffix the first.
const Language* language_of(std::string_view filename);

// Those that share its suffix, itself among them.
std::vector<const Language*> with_suffix_of(const Language& language);

// The backends that contestants with its suffix may run on, processors first.
std::vector<std::string> backends_of(const Language& language);

// Whether it is one vendor's own.
bool of_one_vendor(const Language& language);

}  // namespace podium::compile
