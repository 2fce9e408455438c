// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants that an interpreter runs: their product is a program, of the worker's part and their source.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "suite/base/error.hpp"
#include "suite/compile/builder.hpp"
#include "suite/compile/interpreter.hpp"
#include "suite/problem/generate/generate.hpp"

namespace podium::compile {

std::size_t Builder::add_interpreted(const problem::Problem& problem, const problem::Choice& choice,
                                     const Contestant& contestant, const std::string& backend, Job job) {
  check_needs(job, contestant, backend, "");
  const auto tools = toolchain_.backends.find(backend);
  if (job.obstacle == Product::Status::built && tools != toolchain_.backends.end()) {
    const auto& interpreter =
        interpreter_at(tools->second.needs.at(contestant.language->needs.front()).compile.front());
    if (!interpreter.fault.empty())
      note_obstacle(job, Product::Status::unavailable,
                    fmt::format("{}: {}", job.shown.string(), interpreter.fault));
    job.command = {
        .compiler = interpreter.program,
        .host_compiler = "",
        .identity = fmt::format("{}, {}", interpreter.program.string(), interpreter.version),
        .language = "json",
        .arguments = {"-I", "-B", "${python}/compile_contestant.py", "${in}", "${source}", "${out}"}};
    check_compiler(job, backend);
  }
  auto manifest = interface_of(problem, choice);
  manifest["framework"] = contestant.framework;
  manifest["gpu"] = backend_named(backend).gpu;
  job.stub = job.generated = manifest.dump();
  try {
    job.inputs = {contents_.alone(job.source)};
    for (auto& script : contents_.tree(toolchain_.python, "python")) job.inputs.push_back(std::move(script));
  } catch (const Error& e) {
    note_obstacle(job, Product::Status::failed, e.what());
  }
  return finish(std::move(job),
                fmt::format("{}/{}.{}.{}", problem.name, contestant.name, choice.name, backend), ".plugin");
}

}  // namespace podium::compile
