// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sealed contestants: every code object is a compilation of its own; together with the launch lists, and
// after these have been held against the code, they become one sealed program for the worker.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "suite/base/error.hpp"
#include "suite/compile/builder.hpp"
#include "suite/compile/cache.hpp"
#include "suite/compile/sealed_check.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/model/arch.hpp"
#include "suite/protocol/sealed_program.hpp"

namespace podium::compile {
namespace {

namespace fs = std::filesystem;
using Status = Product::Status;

// What is known before anything is compiled.
struct Plan {
  const Language* language = nullptr;
  std::shared_ptr<const Manifest> manifest;  // the launches that `resolved` points to
  Resolved resolved;
  std::vector<std::string> ready;  // code that needs no compiler, behind that which does
  std::string shown, architecture, hash, stem;
  fs::path cache;
  bool translated = false;  // for an emulated device
};

// The first sentence, and how many there are.
std::string first_sentence(const std::string& sentences) {
  const auto end = sentences.find('\n');
  if (end == std::string::npos) return sentences;
  return fmt::format("{} (and {} more)", sentences.substr(0, end),
                     std::count(sentences.begin(), sentences.end(), '\n'));
}

// Beside other products, named by its content: what is there already is the same, unless it was damaged.
fs::path keep(const Plan& plan, const std::string& bytes) {
  const auto file = plan.cache / fmt::format("{}.{}.sealed", plan.stem, sha256_hex(bytes).substr(0, 32));
  make_folder(file.parent_path());
  const Scratch scratch(plan.cache);
  scratch.write("program", bytes);
  const auto part = scratch.folder() / "program";
  fs::permissions(part, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  if (const auto there = bytes_of(file); !there.empty() && there != bytes)
    fs::rename(part, file);
  else if (!publish(part, file))
    throw Error(fmt::format("{}: cannot be written: {}; free space, or let PODIUM_CACHE name another folder",
                            file.string(), std::strerror(errno)));
  return file;
}

Product assemble(const Plan& plan, const std::vector<Product>& parts) try {
  std::vector<MadeCode> codes;
  for (const auto& part : parts)
    codes.push_back(made_code(*plan.language, read_text(part.file), plan.architecture, plan.translated));
  for (const auto& bytes : plan.ready) codes.push_back(made_code(*plan.language, bytes, plan.architecture));
  auto resolved = plan.resolved;
  problem::Mistakes mistakes;
  fit(resolved, codes, plan.architecture, mistakes);
  mistakes.raise();
  protocol::SealedProgram program{.hash = plan.hash, .code = {}, .lists = std::move(resolved.lists)};
  for (auto& code : codes) program.code.push_back(std::move(code.bytes));
  Product product;
  product.file = keep(plan, pack(program));
  return product;
} catch (const Error& e) {
  const std::string sentence = first_sentence(e.what());
  return {.status = Status::failed,
          .message = sentence.starts_with(plan.shown) ? sentence : plan.shown + ": " + sentence};
}

// Of the code objects that a .sealed.yaml names, those for this device.
std::vector<const Manifest::Code*> for_architecture(const Manifest& manifest, const std::string& arch) {
  std::vector<const Manifest::Code*> fitting;
  for (const auto& code : manifest.code)
    if (problem::admits(code.arch, arch)) fitting.push_back(&code);
  return fitting;
}

std::string processor(const std::string& arch) { return arch.substr(0, arch.find(':')); }

}  // namespace

// One compilation of device code.
Job Builder::sealed_part(const problem::Problem& problem, const problem::Choice& choice,
                         const Contestant& contestant, const std::string& backend, const std::string& code,
                         const CodeSpec& spec) {
  Job job;
  job.what = fmt::format("{}/{}/{} for {} {}", problem.name, choice.name, contestant.file.filename().string(),
                         backend, code);
  job.source = fs::absolute(contestant.file).lexically_normal();
  job.shown = contestant.file;
  const auto found = toolchain_.backends.find(backend);
  const auto tools = found == toolchain_.backends.end() ? BackendTools{} : found->second;
  std::string libraries;
  for (const auto& name : contestant.needs)
    if (const auto need = tools.needs.find(name); need != tools.needs.end())
      libraries += fmt::format("; {} {}", name, need->second.version);
  try {
    if (spec.request.empty()) {
      job.command = sealed_command(tools, contestant, backend, code, spec.defines);
      job.command.identity += libraries;
      job.stub = "#include \"${source}\"\n";
      job.header_name = problem.name + ".hpp";
      job.header = contestant_header(problem, choice);
      job.generated = without_path(job.header, problem.file.string());
      job.inputs = contents_.around(job.source);
      for (auto& header : contents_.tree(toolchain_.sdk, "sdk")) job.inputs.push_back(std::move(header));
    } else {
      const auto need = tools.needs.find(contestant.language->name);
      job.command = python_command(tools, need == tools.needs.end() ? Need{} : need->second, libraries,
                                   job.source.filename().string(), code);
      job.stub = job.generated = spec.request;
      job.inputs = contents_.around(job.source);
      for (auto& script : contents_.tree(toolchain_.python, "python"))
        job.inputs.push_back(std::move(script));
    }
  } catch (const Error& e) {
    note_obstacle(job, Status::failed, e.what());
  }
  return job;
}

std::size_t Builder::add_sealed(const problem::Problem& problem, const problem::Choice& choice,
                                const Contestant& contestant, const std::string& backend,
                                const std::string& arch) {
  Job whole;
  whole.what = fmt::format("{}/{}/{}", problem.name, choice.name, contestant.file.filename().string());
  whole.shown = contestant.file;
  const auto code = check_needs(whole, contestant, backend, processor(arch));
  auto plan = std::make_shared<Plan>();
  plan->language = contestant.language;
  plan->manifest = contestant.manifest;
  plan->shown = contestant.file.string();
  plan->architecture = processor(arch);
  plan->hash = interface_hash(problem, choice);
  plan->stem = fmt::format("{}/{}.{}.{}", problem.name, contestant.name, choice.name, backend);
  plan->cache = cache_;
  const auto found = toolchain_.backends.find(backend);
  const auto tools = found == toolchain_.backends.end() ? BackendTools{} : found->second;
  DeviceFacts device = device_;
  if (device.warp == 0) device.warp = warp_of(arch);
  plan->translated = device.translated = tools.translates;
  if (const auto& no_ptx = plan->language->python.no_ptx; plan->translated && !no_ptx.empty())
    note_obstacle(whole, Status::unavailable, fmt::format("{}: {}", plan->shown, no_ptx));
  std::vector<Job> parts;
  if (whole.obstacle == Status::built) try {
      plan->resolved = resolve(problem, choice, contestant, code, device);
      for (const auto& spec : plan->resolved.codes)
        parts.push_back(sealed_part(problem, choice, contestant, backend, code, spec));
      if (plan->language->sealed == SealedForm::objects) {
        const auto objects = for_architecture(*contestant.manifest, plan->architecture);
        for (const auto* object : objects) {
          auto bytes = extract(read_text(object->file), plan->architecture, plan->translated);
          if (form_of(bytes) != CodeForm::ptx) {
            if (plan->translated)
              note_obstacle(
                  whole, Status::unavailable,
                  fmt::format("{}: {} holds machine code alone: without its PTX it cannot run on an "
                              "emulated device",
                              plan->shown, object->file.filename().string()));
            plan->ready.push_back(std::move(bytes));
            continue;
          }
          auto job = sealed_part(problem, choice, contestant, backend, code, {});
          job.command =
              ptx_command(tools, problem::code_for(object->arch, backend, plan->architecture).value_or(code));
          job.source = fs::absolute(object->file).lexically_normal();
          job.shown = object->file;
          job.stub = job.generated = bytes;
          job.header_name = job.header = "";
          job.inputs = contents_.around(job.source);
          parts.push_back(std::move(job));
        }
        if (objects.empty()) {
          std::vector<std::string> others;
          for (const auto& object : contestant.manifest->code) others.push_back(object.arch);
          note_obstacle(whole, Status::unsuited,
                        fmt::format("{}: has code for {}, this device is {}", plan->shown,
                                    fmt::join(others, ", "), plan->architecture));
        }
      }
      if (plan->resolved.lacks_device)
        note_obstacle(
            whole, Status::unavailable,
            fmt::format(
                "{}: its launches depend on `multiprocessors`, which only the device knows; `podium run` "
                "and `podium verify` build it there",
                plan->shown));
    } catch (const Error& e) {
      note_obstacle(whole, Status::failed, first_sentence(e.what()));
    }
  for (auto& job : parts) {
    check_compiler(job, backend);
    whole.parts.push_back(finish(std::move(job), plan->stem, ".code"));
  }
  whole.assemble = [plan](const std::vector<Product>& made) { return assemble(*plan, made); };
  jobs_.push_back(std::move(whole));
  return jobs_.size() - 1;
}

}  // namespace podium::compile
