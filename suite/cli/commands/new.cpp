// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium new problem` and `podium new contestant`: nothing that exists is written over.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <memory>
#include <vector>

#include "suite/base/nearest.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/create.hpp"
#include "suite/cli/places.hpp"
#include "suite/problem/formula/names.hpp"
#include "suite/problem/parse/parse.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string name, problem, kind = "gpu.cpp";
  fs::path folder;  // of problems; empty: the default
};

const std::vector<std::string> kinds{"gpu.cpp", "cpp", "cu", "hip", "sealed.gpu.cpp"};

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw Error(fmt::format("{}: cannot be written; is the folder yours, and is there room?", file.string()));
}

std::string fault_of_contestant_name(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
  return plain ? "" : "expected a contestant's name: at most 100 letters, digits, _ and -, without a suffix";
}

// The file that has the contestant's name already; "" if none. One name may be a .cu and a .hip.
std::string taken_by(const fs::path& folder, const std::string& name, const std::string& kind) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.substr(0, file.find('.')) != name) continue;
    const std::string suffix = file.substr(std::min(file.size(), name.size() + 1));
    const bool pair = (kind == "cu" && suffix == "hip") || (kind == "hip" && suffix == "cu");
    if (!pair) return file;
  }
  return "";
}

// Seen from kernels/NAME, where it is beside kernels/.
std::string schema_near(const fs::path& problems) {
  return fs::exists(fs::absolute(problems).parent_path() / "docs/problem.schema.json")
             ? "../../docs/problem.schema.json"
             : "";
}

Exit new_problem(const std::string& name, const fs::path& given) {
  if (const std::string fault = problem::fault_of_problem_name(name); !fault.empty())
    throw Error(fmt::format("new problem: found \"{}\", {}", name, fault));
  const fs::path problems = given.empty() ? problems_folder() : given;
  const fs::path folder = problems / name;
  if (fs::exists(folder))
    throw Error(
        fmt::format("{}: is there already, expected a new name; change what is there, or remove it first",
                    folder.string()));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(fmt::format("{}: cannot be made: {}; --problems names another folder", folder.string(),
                            error.message()));
  write(folder / "problem.yaml", first_problem(name, schema_near(problems)));
  write(folder / "plain.gpu.cpp", first_portable(name));
  write(folder / "serial.cpp", first_native(name));
  const std::string option = given.empty() ? "" : fmt::format(" --problems {}", given.string());
  fmt::print("{0}: problem.yaml, plain.gpu.cpp, serial.cpp\nnow: podium run {1} --quick{2}\n",
             folder.string(), name, option);
  return Exit::success;
}

Exit new_contestant(const std::string& of, const std::string& name, const std::string& kind,
                    const fs::path& given) {
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw Error("--kind: " + found_one_of(kind, kinds));
  if (const std::string fault = fault_of_contestant_name(name); !fault.empty())
    throw Error(fmt::format("new contestant: found \"{}\", {}", name, fault));
  const problem::Problem problem = problem::load(problem_file(of, given));
  const fs::path folder = fs::absolute(problem.file).parent_path();
  if (const std::string file = taken_by(folder, name, kind); !file.empty())
    throw Error(fmt::format("{}: is there already, expected a new name", (folder / file).string()));
  const fs::path file = folder / fmt::format("{}.{}", name, kind);
  write(file, first_contestant(problem, name, kind));
  const std::string option = given.empty() ? "" : fmt::format(" --problems {}", given.string());
  fmt::print("{}\nnow: write what is missing, then: podium run {} --contestant {} --quick{}\n", file.string(),
             problem.name, name, option);
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.require_subcommand(1);
  auto* const problem = app.add_subcommand("problem", "A commented problem with two contestants, which runs");
  problem->add_option("name", request->name, "Of the problem: a folder of this name is made")->required();
  problem->add_option("--problems", request->folder, "Folder of problem folders");
  auto* const contestant =
      app.add_subcommand("contestant", "A contestant that compiles and writes nothing yet");
  contestant->add_option("problem", request->problem, "A problem's name, or its file")->required();
  contestant->add_option("name", request->name, "Of the contestant: its file without suffix")->required();
  contestant->add_option("--kind", request->kind,
                         "gpu.cpp (portable), cpp (CPU), cu, hip or sealed.gpu.cpp (gpu.cpp)");
  contestant->add_option("--problems", request->folder, "Folder of problem folders");
  return [request, problem] {
    return problem->parsed()
               ? new_problem(request->name, request->folder)
               : new_contestant(request->problem, request->name, request->kind, request->folder);
  };
}

const Registered registered({.name = "new",
                             .summary = "First files of a problem, or of a contestant",
                             .place = 90,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
