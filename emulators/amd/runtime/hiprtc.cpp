// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// hipRTC: kernels compiled while a program runs. Its entry points are in this library, as they are in AMD's,
// and under the name of its own library; the compiler is clang, a process of its own, as it is for
// translations. Roots laid out by earlier versions of scripts/setup have no header of it: types are as the
// interface has them, results as numbers.
#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulators/amd/runtime/code_object.hpp"
#include "emulators/amd/runtime/device.hpp"
#include "emulators/amd/runtime/target.hpp"
#include "emulators/amd/runtime/translation.hpp"

using namespace podium::amd;

namespace {

namespace fs = std::filesystem;

enum Result {
  success = 0,
  creation_failure = 2,
  invalid_input = 3,
  invalid_program = 4,
  compilation = 6,
  no_names_after_compilation = 8,
  no_lowered_names_before_compilation = 9,
  name_not_valid = 10,
};

struct Program {
  std::string source, name, log;
  std::map<std::string, std::string> headers;  // by the name that the source includes them by
  std::vector<std::string> expressions;        // of kernels: "scale<float>"
  std::map<std::string, std::string> lowered;  // their symbols
  std::vector<char> code;
  bool compiled = false;
};

Program* of(void* program) { return static_cast<Program*>(program); }

// Removed with all that is in it.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = scratch_folder() / "hiprtc-XXXXXX";
    if (!mkdtemp(name.data())) throw std::runtime_error(name + ": cannot be made: " + std::strerror(errno));
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    const fs::path file = path / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
};

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// "scale<float>" of "_Z5scaleIfEvPT_", as it is without spaces; its own text if nothing can be made of it.
std::string expression_of(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0) return symbol;
  std::string name = text.get();
  if (name.starts_with("void ")) name.erase(0, 5);  // of templates the result is told too
  int depth = 0;                                    // the parameters are the last parentheses
  for (auto at = name.size(); at-- > 0;) {
    depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
    if (depth == 0 && name[at] == '(') {
      name.erase(at);
      break;
    }
  }
  return without_spaces(name);
}

// What options of hipRTC mean to clang. Those that only the runtime's own compiler has are left out.
std::vector<std::string> words_of(const Program& program, int count, const char* const* options,
                                  const fs::path& folder) {
  std::vector<std::string> words = {PODIUM_EMULATOR_COMPILER,
                                    "-x",
                                    "hip",
                                    "-O3",
                                    "--offload-device-only",
                                    "--no-gpu-bundle-output",
                                    std::string("--rocm-path=") + PODIUM_EMULATOR_ROCM,
                                    "-isystem",
                                    std::string(PODIUM_EMULATOR_ROCM) + "/include",
                                    "-D__HIPCC_RTC__=1",
                                    "-include",
                                    "hip/hip_runtime.h",
                                    "-I" + folder.string()};
  bool chosen = false;
  for (int i = 0; i < count; ++i) {
    std::string option = options[i];
    for (const char* const own : {"--gpu-architecture=", "-arch=", "--offload-arch="})
      if (option.starts_with(own)) {
        option = "--offload-arch=" + option.substr(std::strlen(own));
        chosen = true;
      }
    words.push_back(option);
  }
  if (!chosen) words.push_back("--offload-arch=" + target().name);
  words.insert(words.end(), {(folder / program.name).string(), "-o", (folder / "code").string()});
  return words;
}

// The source, and behind it what makes the compiler instantiate the templates that are asked for.
std::string text_of(const Program& program) {
  std::string text = "#line 1 \"" + program.name + "\"\n" + program.source + "\n";
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    text += fmt::format(
        "__device__ __attribute__((used)) const void* const podium_kernel_{} = reinterpret_cast<const "
        "void*>(&({}));\n",
        i, program.expressions[i]);
  return text;
}

void find_lowered_names(Program& program) {
  const Target* const compiled_for = target_of(program.code.data());
  if (!compiled_for) return;
  const CodeObject code(program.code.data(), *compiled_for);
  for (const std::string& expression : program.expressions)
    for (const auto& [symbol, kernel] : code.kernels())
      if (expression_of(symbol) == without_spaces(expression)) program.lowered[expression] = symbol;
}

}  // namespace

#define PODIUM_HIPRTC_ENTRY PODIUM_HIP_ENTRY

PODIUM_HIPRTC_ENTRY int hiprtcVersion(int* major, int* minor) {
  if (!major || !minor) return invalid_input;
  *major = 9;  // the interface of ROCm 6 and 7
  *minor = 0;
  return success;
}
PODIUM_HIPRTC_ENTRY const char* hiprtcGetErrorString(int result) {
  switch (result) {
    case success:
      return "HIPRTC_SUCCESS";
    case creation_failure:
      return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case invalid_input:
      return "HIPRTC_ERROR_INVALID_INPUT";
    case invalid_program:
      return "HIPRTC_ERROR_INVALID_PROGRAM";
    case compilation:
      return "HIPRTC_ERROR_COMPILATION";
    case no_names_after_compilation:
      return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case no_lowered_names_before_compilation:
      return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case name_not_valid:
      return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    default:
      return "HIPRTC_ERROR_INTERNAL_ERROR";
  }
}
PODIUM_HIPRTC_ENTRY int hiprtcCreateProgram(void** program, const char* source, const char* name, int count,
                                            const char* const* headers, const char* const* names) {
  if (!program || !source || count < 0 || (count > 0 && (!headers || !names))) return invalid_input;
  auto made = std::make_unique<Program>();
  made->source = source;
  made->name = name && *name ? fs::path(name).filename().string() : "program.hip";
  for (int i = 0; i < count; ++i) made->headers[names[i]] = headers[i];
  *program = made.release();
  return success;
}
PODIUM_HIPRTC_ENTRY int hiprtcDestroyProgram(void** program) {
  if (!program || !*program) return invalid_program;
  delete of(*program);
  *program = nullptr;
  return success;
}
PODIUM_HIPRTC_ENTRY int hiprtcAddNameExpression(void* program, const char* expression) {
  if (!program) return invalid_program;
  if (!expression) return invalid_input;
  if (of(program)->compiled) return no_names_after_compilation;
  of(program)->expressions.emplace_back(expression);
  return success;
}
PODIUM_HIPRTC_ENTRY int hiprtcCompileProgram(void* program, int count, const char* const* options) try {
  if (!program) return invalid_program;
  if (count < 0 || (count > 0 && !options)) return invalid_input;
  Program& own = *of(program);
  const Folder folder;
  for (const auto& [name, text] : own.headers) folder.write(name, text);
  folder.write(own.name, text_of(own));
  own.log = run_program(words_of(own, count, options, folder.path),
                        {"PATH=/usr/bin:/bin", "TMPDIR=" + folder.path.string()}, folder.path / "log");
  if (!own.log.empty()) return compilation;
  const std::string code = file_contents(folder.path / "code");
  own.code.assign(code.begin(), code.end());
  own.compiled = true;
  find_lowered_names(own);
  return success;
} catch (const std::runtime_error& e) {
  of(program)->log = e.what();
  return compilation;
}
PODIUM_HIPRTC_ENTRY int hiprtcGetProgramLogSize(void* program, size_t* bytes) {
  if (!program) return invalid_program;
  *bytes = of(program)->log.size() + 1;
  return success;
}
PODIUM_HIPRTC_ENTRY int hiprtcGetProgramLog(void* program, char* text) {
  if (!program) return invalid_program;
  std::memcpy(text, of(program)->log.c_str(), of(program)->log.size() + 1);
  return success;
}
PODIUM_HIPRTC_ENTRY int hiprtcGetCodeSize(void* program, size_t* bytes) {
  if (!program || !of(program)->compiled) return invalid_program;
  *bytes = of(program)->code.size();
  return success;
}
PODIUM_HIPRTC_ENTRY int hiprtcGetCode(void* program, char* code) {
  if (!program || !of(program)->compiled) return invalid_program;
  std::ranges::copy(of(program)->code, code);
  return success;
}
PODIUM_HIPRTC_ENTRY int hiprtcGetLoweredName(void* program, const char* expression, const char** symbol) {
  if (!program) return invalid_program;
  if (!of(program)->compiled) return no_lowered_names_before_compilation;
  const auto found = of(program)->lowered.find(expression);
  if (found == of(program)->lowered.end()) return name_not_valid;
  *symbol = found->second.c_str();
  return success;
}
