// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Turns contestants and problems into jobs, looks their keys up, has the rest compiled, and says what became
// of each.
#include "suite/compile/builder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/compile/diagnosis.hpp"
#include "suite/compile/explain.hpp"
#include "suite/compile/search_path.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/model/arch.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::compile {
namespace {

namespace fs = std::filesystem;
using Status = Product::Status;

constexpr const char* recipe = "2";  // raised when products of equal inputs would come out differently
constexpr std::size_t enough_room = 16 << 20;  // bytes; more than a compilation's temporary files

bool depends_on_processor(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments,
                             [](const auto& a) { return a.starts_with("-m") && a.ends_with("=native"); });
}

std::string on(const std::string& backend, const std::string& arch) {
  return arch.empty() ? backend : backend + " " + arch;
}

fs::path made(fs::path folder) {
  make_folder(folder);
  return folder;
}

const BackendTools& tools_of(const Toolchain& toolchain, const std::string& backend) {
  static const BackendTools none;
  const auto found = toolchain.backends.find(backend);
  return found == toolchain.backends.end() ? none : found->second;
}

// Whether it brings compiled code of somebody else's.
bool links_library(const Need& need) {
  return std::ranges::any_of(need.link, [](const std::string& flag) {
    return flag.starts_with("-l") || flag.ends_with(".so") || flag.ends_with(".a");
  });
}

// Whether an obstacle stands even where a product is cached.
bool conclusive(Status obstacle) { return obstacle == Status::failed || obstacle == Status::unsuited; }

// What the host's compiler says of `text`, of which nothing is made. Other compilers are not asked again:
// they have no such option, or take long, and `podium check` compiles for the host.
std::string log_of(const Toolchain& toolchain, const Job& job, const Limits& limits,
                   const std::string& text) {
  Job trial = job;
  trial.stub = text;
  trial.command.arguments.emplace_back("-fsyntax-only");
  return compile(toolchain, {&trial}, limits, nullptr).front().log;
}

// The log is kept beside the product if the compiler had anything to say.
Product collect(const Job& job, const Compiled& compiled) {
  std::error_code ignored;
  fs::remove(job.log, ignored);
  if (!compiled.log.empty()) write_private(job.log, compiled.log);
  Product product;
  if (!compiled.log.empty()) product.log = job.log;
  if (compiled.built) {
    seal(job.file);
    product.file = job.file;
    return product;
  }
  // A full disk is nobody's mistake, and may leave an empty log; but a contestant may say anything.
  if (compiled.log.empty() || compiled.log.find("No space left on device") != std::string::npos)
    for (const auto& folder : {compiled.folder.path(), job.file.parent_path()})
      if (fs::space(folder, ignored).available < enough_room)
        throw Error(fmt::format("{}: No space left on device; free some", folder.string()));
  product.status = Status::failed;
  product.message = compiled.excess.empty()
                        ? diagnose(compiled.log, {job.source, job.shown, compiled.folder.path()})
                        : fmt::format("{}: its compilation took {}; PODIUM_COMPILE_LIMITS sets the limits",
                                      job.shown.string(), compiled.excess);
  return product;
}

// But for the SDK, which is podium's own.
void note_included(Product& product, const std::vector<Job>& jobs, std::size_t index) {
  for (const auto part : jobs[index].parts) note_included(product, jobs, part);
  for (const auto& input : jobs[index].inputs)
    if (!jobs[index].trusted && (input.file != jobs[index].source || jobs[index].names_source) &&
        !input.name.starts_with("sdk/") && !input.name.starts_with("python/")) {
      product.included.emplace(input.name, input.sha256);
      product.texts.emplace(input.sha256, input.text);
    }
}

// Its parts come before it. What one of them lacks, the whole lacks.
Product assembled(const Job& job, const std::vector<Product>& products) {
  std::vector<Product> parts;
  for (const auto part : job.parts) {
    parts.push_back(products.at(part));
    if (parts.back().status != Status::built) return parts.back();
  }
  auto product = job.assemble(parts);
  product.cached = !parts.empty() && std::ranges::all_of(parts, &Product::cached);
  return product;
}

}  // namespace

std::string without_path(std::string text, const std::string& path) {
  if (!path.empty()) replace_all(text, path, "${problem}");
  return text;
}

const std::vector<const char*>& compiler_variables() {
  static const std::vector<const char*> all = {"CPATH",
                                               "C_INCLUDE_PATH",
                                               "CPLUS_INCLUDE_PATH",
                                               "LIBRARY_PATH",
                                               "GCC_EXEC_PREFIX",
                                               "COMPILER_PATH",
                                               "NVCC_CCBIN",
                                               "NVCC_PREPEND_FLAGS",
                                               "NVCC_APPEND_FLAGS",
                                               "CUDA_HOME",
                                               "CUDA_PATH",
                                               "ROCM_PATH",
                                               "HIP_PATH",
                                               "HIP_PLATFORM",
                                               "HIPCC_COMPILE_FLAGS_APPEND",
                                               "HIPCC_LINK_FLAGS_APPEND",
                                               "HIP_CLANG_PATH",
                                               "HIP_DEVICE_LIB_PATH"};
  return all;
}

std::string key_of(const Job& job) {
  Digest digest;
  digest.add(recipe).add(job.command.identity).add(job.command.arguments).add(job.command.language);
  digest.add(job.source.filename().string()).add(job.header_name).add(job.generated).add(job.searched);
  std::map<std::string, std::string> inputs;  // the order in which they were found does not matter
  for (const auto& input : job.inputs) inputs[input.name] = input.sha256;
  for (const auto& [name, sha256] : inputs) digest.add(name).add(sha256);
  if (depends_on_processor(job.command.arguments)) digest.add(this_processor());
  for (const char* name : compiler_variables())
    if (const char* value = std::getenv(name)) digest.add(name).add(value);
  return digest.hex();
}

Builder::Builder(Toolchain toolchain, fs::path cache, Limits limits)
    : toolchain_(std::move(toolchain)),
      cache_(made(fs::absolute(cache))),
      kept_(cache_),
      limits_(limits),
      searched_(state_of_search_path()) {}

// What it lacks becomes an obstacle, not an error: a product may be cached all the same. Returns the
// architecture to generate code for.
std::string Builder::check_needs(Job& job, const Contestant& contestant, const std::string& backend,
                                 const std::string& arch) {
  const auto code = problem::code_for(contestant.arch, backend, arch);
  if (!code)
    note_obstacle(
        job, Status::unsuited,
        fmt::format("{}: its `arch` is {}, this device is {}", job.shown.string(), contestant.arch, arch));
  const auto& tools = tools_of(toolchain_, backend);
  std::vector<std::string> known;
  for (const auto& [name, need] : tools.needs) known.push_back(name);
  for (const auto& name : all_needs(contestant)) {
    const auto need = tools.needs.find(name);
    if (need == tools.needs.end())
      note_obstacle(
          job, Status::failed,
          fmt::format("{}: needs: {}", job.shown.string(), found_one_of(yaml::excerpt(name), known)));
    else if (!need->second.found)
      note_obstacle(
          job, Status::unavailable,
          fmt::format("{} needs {}, which was not found: {}", job.shown.string(), name, need->second.hint));
    else if (tools.translates && links_library(need->second))
      note_obstacle(
          job, Status::unavailable,
          fmt::format("{} needs {}, a library whose kernels come without their source or PTX: it cannot run "
                      "on an emulated device",
                      job.shown.string(), name));
  }
  return code.value_or(arch);
}

void Builder::command_for(Job& job, const Contestant& contestant, const std::string& backend,
                          const std::string& arch) {
  const auto code = check_needs(job, contestant, backend, arch);
  const auto& tools = tools_of(toolchain_, backend);
  job.command = plugin_command(tools, contestant, backend, code);
  for (const auto& name : all_needs(contestant))
    if (const auto need = tools.needs.find(name); need != tools.needs.end())
      job.command.identity += fmt::format("; {} {}", name, need->second.version);
}

void Builder::check_compiler(Job& job, const std::string& backend) const {
  if (!toolchain_.backends.contains(backend))
    note_obstacle(job, Status::unavailable,
                  fmt::format("{}: {} records no {} compiler; configure with `cmake --preset {}`", job.what,
                              toolchain_.file.string(), backend, backend));
  const auto& compiler = job.command.compiler;
  if (compiler.empty() || ::access(compiler.c_str(), X_OK) != 0)
    note_obstacle(
        job, Status::unavailable,
        fmt::format("{}: its compiler {} does not exist; build it, or run cmake again", job.what, compiler));
}

std::size_t Builder::finish(Job job, const std::string& stem, const char* suffix) {
  for (const auto& input : job.inputs)
    if (input.file.string().find_first_of("\n\r\\\"") != std::string::npos)
      note_obstacle(
          job, Status::failed,
          fmt::format("{}: compilers do not accept the quote, backslash or line break in its path; rename it",
                      job.shown.string()));
  job.searched = searched_;
  const auto base = cache_ / fmt::format("{}.{}", stem, key_of(job).substr(0, 32));
  job.file = base.string() + suffix;
  job.log = base.string() + ".log";
  jobs_.push_back(std::move(job));
  return jobs_.size() - 1;
}

void Builder::for_emulation() {
  for (const auto& [backend, tools] : toolchain_.emulated) toolchain_.backends[backend] = tools;
}

std::size_t Builder::add(const problem::Problem& problem, const problem::Choice& choice,
                         const Contestant& contestant, const std::string& backend, const std::string& arch) {
  if (contestant.language->sealed) return add_sealed(problem, choice, contestant, backend, arch);
  Job job;
  job.what = fmt::format("{}/{}/{} for {}", problem.name, choice.name, contestant.file.filename().string(),
                         on(backend, arch));
  job.source = fs::absolute(contestant.file).lexically_normal();
  job.shown = contestant.file;
  if (!contestant.language->frameworks.empty())
    return add_interpreted(problem, choice, contestant, backend, arch, std::move(job));
  command_for(job, contestant, backend, arch);
  check_compiler(job, backend);
  job.stub = contestant.language->stub ? contestant.language->stub(problem, choice)
                                       : "#include \"${source}\"\n#include <podium/plugin.hpp>\n";
  job.header_name = problem.name + ".hpp";
  job.header = contestant_header(problem, choice);
  job.generated = without_path(job.header, problem.file.string());
  try {
    job.inputs = contents_.around(job.source);
  } catch (const Error& e) {
    note_obstacle(job, Status::failed, e.what());
  }
  for (auto& header : contents_.tree(toolchain_.sdk, "sdk")) job.inputs.push_back(std::move(header));
  return finish(std::move(job),
                fmt::format("{}/{}.{}.{}", problem.name, contestant.name, choice.name, backend), ".plugin");
}

std::size_t Builder::add_program(const problem::Problem& problem, const problem::Choice& choice,
                                 const std::string& backend, const std::string& arch) {
  Job job;
  job.what = fmt::format("{}/{}, the judge's program for {}", problem.name, choice.name, on(backend, arch));
  job.source = fs::absolute(problem.file).lexically_normal();
  job.shown = problem.file;
  job.command = program_command(tools_of(toolchain_, backend), backend,
                                problem::code_for("", backend, arch).value_or(arch));
  check_compiler(job, backend);
  job.stub = judge_program(problem, choice);
  job.names = names_of_terms(problem);
  job.generated = without_path(job.stub, problem.file.string());
  job.inputs = contents_.tree(toolchain_.program, "program");
  job.trusted = true;
  return finish(std::move(job), fmt::format("{}/judge.{}.{}", problem.name, choice.name, backend),
                ".program");
}

std::size_t Builder::add_calibration(const std::string& backend, const std::string& arch) {
  Job job;
  job.what = fmt::format("the calibration's program for {}", on(backend, arch));
  job.source = fs::absolute(toolchain_.program / "calibrate.hpp").lexically_normal();
  job.shown = "calibrate.hpp";
  job.command = program_command(tools_of(toolchain_, backend), backend,
                                problem::code_for("", backend, arch).value_or(arch));
  check_compiler(job, backend);
  job.stub = job.generated = "#include \"calibrate.hpp\"\n";
  job.inputs = contents_.tree(toolchain_.program, "program");
  job.trusted = true;
  return finish(std::move(job), fmt::format("calibration/{}", backend), ".program");
}

std::vector<Product> Builder::run(const Progress& progress) {
  std::map<fs::path, const Job*> due;  // by product: jobs of equal content are compiled once
  std::vector<bool> cached;
  auto looking_up = kept_.looking_up();
  for (const auto& job : jobs_) {
    if (job.assemble) {
      cached.push_back(false);
      continue;
    }
    cached.push_back(intact(job.file) && !conclusive(job.obstacle));
    if (cached.back()) Cache::use(job.file);
    if (!cached.back() && job.obstacle == Status::built) due.emplace(job.file, &job);
  }
  looking_up.reset();
  std::map<fs::path, Product> compiled;
  if (!due.empty()) {
    std::error_code ignored;
    std::vector<const Job*> jobs;
    for (const auto& [file, job] : due) {
      make_folder(file.parent_path());
      fs::permissions(file.parent_path(), fs::perms::owner_all, ignored);  // one of before may be open to all
      jobs.push_back(job);
    }
    const auto results = compile(toolchain_, jobs, limits_, progress);
    std::set<fs::path> explained;  // problems: boards are mostly wrong in the same places
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Job& job = *jobs[i];
      Product& product = compiled[job.file] = collect(job, results[i]);
      if (product.status != Status::failed || job.names.empty()) continue;
      const bool again = job.command.language == "cpp" && explained.insert(job.source).second;
      const auto compiler = [&](const std::string& text) { return log_of(toolchain_, job, limits_, text); };
      const std::string sentences =
          explain({job.shown.string(), job.stub, results[i].log, job.names},
                  again ? compiler : std::function<std::string(const std::string&)>());
      if (!sentences.empty()) product.message = sentences;
    }
  }
  std::vector<Product> products;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const auto& job = jobs_[i];
    if (cached[i])
      products.push_back({.cached = true, .file = job.file});
    else if (job.obstacle != Status::built)
      products.push_back({.status = job.obstacle, .message = job.message});
    else if (job.assemble)
      products.push_back(assembled(job, products));
    else
      products.push_back(compiled.at(job.file));
  }
  for (std::size_t i = 0; i < jobs_.size(); ++i) note_included(products[i], jobs_, i);
  if (!due.empty()) kept_.trim(kept_.limit());
  return products;
}

}  // namespace podium::compile
