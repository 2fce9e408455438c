// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants that an interpreter runs: their product is a program, of the worker's part and their source.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/compile/builder.hpp"
#include "suite/compile/interpreter.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::compile {

namespace fs = std::filesystem;

namespace {

// Whether the adapter of the problem brings the module by which extensions are compiled and kept.
bool compiles_extensions(const problem::PythonFile& adapter) {
  return std::ranges::any_of(adapter.modules,
                             [](const fs::path& module) { return module.filename() == "compiling.py"; });
}

// "sm_90a" as PyTorch's TORCH_CUDA_ARCH_LIST has it, "9.0a"; "" for other architectures.
std::string words_of_pytorch(const std::string& arch) {
  if (!arch.starts_with("sm_")) return "";
  const auto digits = arch.substr(3, arch.find_first_not_of("0123456789", 3) - 3);
  if (digits.size() < 2) return "";
  return digits.substr(0, digits.size() - 1) + "." + digits.back() + arch.substr(3 + digits.size());
}

// The numbers of the board's first test workload, by name; null if there is none.
nlohmann::json first_test(const problem::Problem& problem, const problem::Choice& choice) {
  for (const auto& workload : problem.workloads) {
    if (workload.stage != problem::Stage::test || !on_board(workload, choice)) continue;
    return {{"name", workload.name},
            {"numbers", numbers_of(problem, instantiate(problem, choice, workload))}};
  }
  return nullptr;
}

}  // namespace

// The command that makes a product of manifest and source, by the interpreter that will run it.
void Builder::interpret(Job& job, const std::string& backend, const std::string& script) {
  const auto tools = toolchain_.backends.find(backend);
  if (job.obstacle == Product::Status::built && tools != toolchain_.backends.end()) {
    const auto& interpreter = interpreter_at(tools->second.needs.at(python_need).compile.front());
    if (!interpreter.fault.empty())
      note_obstacle(job, Product::Status::unavailable,
                    fmt::format("{}: {}", job.shown.string(), interpreter.fault));
    job.command = {.compiler = interpreter.program,
                   .host_compiler = "",
                   .identity = fmt::format("{}, {}", interpreter.program.string(), interpreter.version),
                   .language = "json",
                   .arguments = {"-I", "-B", "${python}/" + script, "${in}", "${source}", "${out}"}};
    check_compiler(job, backend);
  }
  for (auto& input : contents_.tree(toolchain_.python, "python")) job.inputs.push_back(std::move(input));
}

// Of a file of the problem's and its modules, by their names in the problem's folder; they become inputs.
nlohmann::json Builder::texts_of(Job& job, const problem::Problem& problem, const problem::PythonFile& file) {
  nlohmann::json texts = nlohmann::json::object();
  std::vector<std::string> names{file.file};
  names.insert(names.end(), file.modules.begin(), file.modules.end());
  for (const std::string& name : names) try {
      Input input = contents_.alone(fs::absolute(problem.file).lexically_normal().parent_path() / name);
      input.name = name;
      texts[name] = *input.text;
      job.inputs.push_back(std::move(input));
    } catch (const Error& e) {
      note_obstacle(job, Product::Status::failed,
                    fmt::format("{}:{}: {}", file.at.file, file.at.line, e.what()));
    }
  return texts;
}

std::size_t Builder::add_reference(const problem::Problem& problem, const problem::Choice& choice,
                                   const std::string& backend) {
  const problem::PythonFile& file = *problem.python;
  Job job;
  job.what = fmt::format("{}/{}, {} for {}", problem.name, choice.name, file.file, backend);
  job.source = fs::absolute(problem.file).lexically_normal().parent_path() / file.file;
  job.shown = problem.file.parent_path() / file.file;
  job.names_source = true;
  // A reference needs an interpreter, and no contestant's libraries.
  const auto tools = toolchain_.backends.find(backend);
  const auto need = tools == toolchain_.backends.end() ? std::map<std::string, Need>::const_iterator()
                                                       : tools->second.needs.find(python_need);
  if (tools == toolchain_.backends.end() || need == tools->second.needs.end() || !need->second.found)
    note_obstacle(job, Product::Status::unavailable,
                  fmt::format("{} needs python, which was not found: {}", job.shown.string(),
                              "scripts/setup --python, or PODIUM_PYTHON"));
  const auto& of = backend_named(backend);
  // An emulated GPU's memory is the processor's.
  const bool there =
      of.interpreters && of.gpu && tools != toolchain_.backends.end() && !tools->second.translates;
  nlohmann::json manifest{{"file", file.file},
                          {"framework", file.framework},
                          {"device", there ? of.name : "cpu"},
                          {"sources", texts_of(job, problem, file)}};
  interpret(job, backend, "compile_reference.py");
  job.stub = job.generated = manifest.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return finish(std::move(job), fmt::format("{}/reference.{}.{}", problem.name, choice.name, backend),
                ".program");
}

std::size_t Builder::add_interpreted(const problem::Problem& problem, const problem::Choice& choice,
                                     const Contestant& contestant, const std::string& backend,
                                     const std::string& arch, Job job) {
  check_needs(job, contestant, backend, "");
  auto manifest = interface_of(problem, choice);
  manifest["framework"] = contestant.framework;
  manifest["gpu"] = backend_named(backend).gpu;
  try {
    job.inputs = {contents_.alone(job.source)};
    if (problem.adapter) {
      manifest["adapter"] = {{"file", problem.adapter->file},
                             {"sources", texts_of(job, problem, *problem.adapter)}};
      if (compiles_extensions(*problem.adapter)) {
        manifest["architecture"] = words_of_pytorch(arch);
        manifest["prepare"] = first_test(problem, choice);
      }
    }
    interpret(job, backend, "compile_contestant.py");
  } catch (const Error& e) {
    note_obstacle(job, Product::Status::failed, e.what());
  }
  job.stub = job.generated = manifest.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return finish(std::move(job),
                fmt::format("{}/{}.{}.{}", problem.name, contestant.name, choice.name, backend), ".plugin");
}

}  // namespace podium::compile
