// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/import.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "suite/base/backend.hpp"
#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "suite/base/user.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/task_documents.hpp"
#include "suite/compile/cache.hpp"
#include "suite/compile/content.hpp"
#include "suite/compile/interpreter.hpp"
#include "suite/compile/job.hpp"
#include "suite/compile/readable.hpp"
#include "suite/compile/subprocess.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/sandbox/process.hpp"
#include "suite/sandbox/scratch.hpp"

namespace podium::cli {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using sandbox::Means;

namespace {

constexpr std::int64_t most_memory = std::int64_t{16} << 30;  // bytes, as of a compilation
constexpr std::int64_t most_file = std::int64_t{2} << 30;     // bytes
constexpr std::size_t kept_log = 1 << 16;                     // bytes of what tasks print
// The interpreter runs with -I, which takes no module from the environment: the package's folder is its first
// argument.
constexpr const char* launcher =
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from podium_import.__main__ import main; "
    "sys.exit(main())";

const compile::Interpreter& contestants_interpreter(const compile::Toolchain& toolchain) {
  const auto host = toolchain.backends.find(processor_backend().name);
  if (host != toolchain.backends.end())
    if (const auto need = host->second.needs.find("python");
        need != host->second.needs.end() && need->second.found && !need->second.compile.empty()) {
      const auto& interpreter = compile::interpreter_at(need->second.compile.front());
      if (!interpreter.fault.empty()) throw Error(interpreter.fault);
      return interpreter;
    }
  throw Error(
      "importing needs an interpreter with PyTorch: let PODIUM_PYTHON name one, or run scripts/setup "
      "--python-torch");
}

// What tells where a folder comes from: of its repository the commit, the address and the licence.
std::vector<fs::path> provenance_of(const fs::path& folder) {
  std::vector<fs::path> all;
  for (fs::path at = folder; at != at.root_path(); at = at.parent_path()) {
    for (const char* name : {"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"})
      all.push_back(at / name);
    if (fs::exists(at / ".git")) {
      all.push_back(at / ".git");  // where it is a file, it says no more than where the rest is
      for (const char* name : {"HEAD", "config", "packed-refs", "refs"}) all.push_back(at / ".git" / name);
      break;
    }
  }
  std::erase_if(all, [](const fs::path& path) {
    return !fs::exists(path) || (path.filename() == ".git" && fs::is_directory(path));
  });
  return all;
}

// Files outside of a task's folder that its task.yml names.
void add_named_files(const fs::path& task, const ordered_json& document, std::vector<fs::path>& all) {
  std::vector<std::string> named;
  if (const auto files = document.find("files"); files != document.end() && files->is_array())
    for (const ordered_json& file : *files)
      if (file.is_object() && file.contains("source") && file["source"].is_string())
        named.push_back(file["source"]);
  if (const auto templates = document.find("templates");
      templates != document.end() && templates->is_object())
    for (const ordered_json& file : *templates)
      if (file.is_string()) named.push_back(file);
  for (const std::string& name : named)
    if (const fs::path file = fs::weakly_canonical(task.parent_path() / name); fs::is_regular_file(file))
      all.push_back(file);
}

// What belongs to a task that is one file of several: a configuration beside it, or the set that it is of.
std::vector<fs::path> beside(const std::string& kind, const fs::path& file) {
  if (kind == "kernelbench" && file.filename() == "func_forward.py") return {file.parent_path()};
  if (kind != "flashinfer-bench") return {};
  for (fs::path at = file.parent_path(); at != at.root_path(); at = at.parent_path())
    if (at.filename() == "definitions") return {at.parent_path()};
  return {file.parent_path()};
}

class Drawing {
 public:
  explicit Drawing(const ImportRequest& request)
      : request_(request),
        source_(fs::canonical(request.source)),
        toolchain_(compile::read_toolchain(toolchain_file())),
        interpreter_(contestants_interpreter(toolchain_)) {
    readable_ = {importers_folder(), source_};
    if (!fs::is_directory(source_))
      for (auto& path : beside(request.kind, source_)) readable_.push_back(std::move(path));
    for (const auto& file : request.files) readable_.push_back(fs::canonical(file));
    read_documents();
    for (const auto& path : provenance_of(fs::is_directory(source_) ? source_ : source_.parent_path()))
      readable_.push_back(path);
    confine();
    folder_ = sandbox::ScratchFolder(sandbox_.uid.value_or(::geteuid()));
    write_documents();
    run();
  }

  fs::path drawn() const { return folder_.path() / "drawn"; }
  const compile::Interpreter& interpreter() const { return interpreter_; }

 private:
  void read_documents() {
    if (request_.kind != "gpumode" || !fs::is_directory(source_)) return;
    for (const auto& file : task_files(source_)) {
      documents_[file.string()] = yaml_as_json(file);
      add_named_files(file, documents_[file.string()], readable_);
    }
  }

  void confine() {
    compile::Command command;
    command.compiler = interpreter_.program;
    sandbox_.readable = compile::readable_for(toolchain_, command);
    for (const auto& prefix : compile::prefixes_of(interpreter_.program)) sandbox_.readable.push_back(prefix);
    for (const auto& path : readable_) sandbox_.readable.push_back(path.string());
    sandbox_.file_bytes = most_file;
    sandbox_.memory_bytes = most_memory;
    // Where that user could not read the task, podium's own draws it up, as with compilers.
    const bool own_view = sandbox_.means.has(Means::mounts);
    if (sandbox_.means.has(Means::uid) && std::ranges::all_of(sandbox_.readable, [&](const auto& path) {
          return compile::open_to_others(path, !own_view);
        }))
      sandbox_.uid = worker_uid();
  }

  void write_documents() const {
    const fs::path file = folder_.path() / "documents.json";
    std::ofstream(file) << documents_.dump();
    fs::permissions(file, fs::perms(0444));
    fs::create_directory(folder_.path() / "temporary");
    if (sandbox_.uid && ::chown((folder_.path() / "temporary").c_str(), *sandbox_.uid, *sandbox_.uid) != 0)
      throw Error(
          fmt::format("{}: changing its owner failed: {}", folder_.path().string(), std::strerror(errno)));
  }

  void run() {
    const Descriptor log(::memfd_create("podium-import", MFD_CLOEXEC));
    const std::string own = (folder_.path() / "temporary").string();
    sandbox_.folder = folder_.path().string();
    sandbox::Start start{
        .program = "/bin/sh",
        .arguments = {"-c", "exec \"$0\" \"$@\"", interpreter_.program.string(), "-I", "-B", "-c", launcher,
                      importers_folder().string(), "draw", request_.kind, source_.string(), "--to",
                      drawn().string()},
        .descriptors = {},
        .environment = {"TMPDIR=" + own, "HOME=" + own, "LOGNAME=podium", "PYTHONDONTWRITEBYTECODE=1",
                        "PODIUM_IMPORT_DOCUMENTS=" + (folder_.path() / "documents.json").string()},
        .output = log.get(),
        .sandbox = sandbox_};
    if (!request_.name.empty()) start.arguments.insert(start.arguments.end(), {"--name", request_.name});
    start.arguments.insert(start.arguments.end(), request_.options.begin(), request_.options.end());
    sandbox::Child child(start);
    std::optional<sandbox::End> end;
    while (!end) end = child.ended(1000);
    child.end();
    if (*end == sandbox::succeeded) return;
    std::string text(kept_log, '\0');
    const auto count = ::pread(log.get(), text.data(), text.size(), 0);
    text.resize(count > 0 ? std::size_t(count) : 0);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    const std::string last = text.substr(text.rfind('\n') + 1);
    throw Error(
        fmt::format("import of {}: {}", source_.string(), last.empty() ? sandbox::words_of(*end) : last));
  }

  const ImportRequest& request_;
  fs::path source_;
  compile::Toolchain toolchain_;
  const compile::Interpreter& interpreter_;
  std::vector<fs::path> readable_;
  ordered_json documents_ = ordered_json::object();
  sandbox::Sandbox sandbox_;
  sandbox::ScratchFolder folder_;
};

// The same for the same tasks: commands that a run suggests name it, and contestants may be added there.
fs::path folder_of_tasks(const std::vector<std::string>& tasks) {
  std::string all;
  for (const auto& task : tasks) all += fs::canonical(task).string() + '\n';
  fs::path folder = compile::default_cache() / "tasks" / compile::sha256_hex(all).substr(0, 16);
  std::error_code failed;
  if (fs::create_directories(folder, failed); failed)
    throw Error(fmt::format("{}: no folder for imported tasks: {}", folder.string(), failed.message()));
  return folder;
}

bool is_task(const fs::path& folder) {
  return fs::is_regular_file(folder / "task.yml") && !fs::exists(folder / "problem.yaml");
}

}  // namespace

const std::vector<std::string>& import_kinds() {
  static const std::vector<std::string> all{"gpumode", "kernelbench", "flashinfer-bench"};
  return all;
}

bool import_tasks(const ImportRequest& request) {
  if (!fs::exists(request.source))
    throw Error(
        fmt::format("import: {} does not exist, expected a task's folder or file", request.source.string()));
  const Drawing drawing(request);
  std::vector<std::string> command{drawing.interpreter().program.string(),
                                   "-I",
                                   "-B",
                                   "-c",
                                   launcher,
                                   importers_folder().string(),
                                   "place",
                                   drawing.drawn().string(),
                                   "--to",
                                   fs::absolute(request.to).string()};
  if (request.brief) command.emplace_back("--brief");
  if (!request.report.empty())
    command.insert(command.end(), {"--report", fs::absolute(request.report).string()});
  const int status = compile::run_program(command, {}, [&](const std::string& line) {
    fmt::print(request.brief ? stderr : stdout, "{}\n", line);
  });
  if (status > 1)
    throw Error(fmt::format("import of {}: copying what was drawn up failed", request.source.string()));
  return status == 0;
}

void import_in_place(std::vector<std::string>& problems, fs::path& folder) {
  const auto tasks = std::ranges::count_if(problems, is_task);
  if (tasks == 0) return;
  if (tasks != std::ssize(problems) || !folder.empty())
    throw Error("found a task's folder beside problems, expected one of both; run them one after the other");
  const sandbox::ScratchFolder notes(::geteuid());
  const fs::path report = notes.path() / "report.json";
  folder = folder_of_tasks(problems);
  std::set<std::string> known;
  for (std::string& problem : problems) {
    ImportRequest request;
    request.kind = "gpumode";
    request.source = problem;
    request.to = folder;
    request.brief = true;
    request.report = report;
    if (!import_tasks(request))
      throw Error(fmt::format("{}: was not imported, so there is nothing to run", problem));
    std::ifstream file(report);
    const std::string name = ordered_json::parse(file).at(0).at("name");
    if (!known.insert(name).second)
      throw Error(fmt::format("{}: another of these tasks has the same name", problem));
    problem = name;
  }
}

}  // namespace podium::cli
