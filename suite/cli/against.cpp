// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Two problems are made of the two, of which each has one side's judge and the other side's answer.
#include "suite/cli/against.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/base/backend.hpp"
#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/task_documents.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/sandbox/scratch.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using problem::Problem;

constexpr const char* answers = "their_answer";  // the contestant that holds it

// What their reference sees of a workload, and which tensors are which.
constexpr const char* shim = R"(import json
import types

import their_reference

PLAN = json.loads(%PLAN%)


def seen(workload):
    one = PLAN["workloads"][workload.name]
    return types.SimpleNamespace(name=workload.name, device="cpu", types=one["types"], **one["numbers"])


def theirs(tensors):
    return {their: tensors[own] for own, their in PLAN["tensors"].items() if own in tensors}


def copied(tensor):
    return tensor.clone() if hasattr(tensor, "clone") else tensor.copy()


def answer(workload, inputs):
    found = their_reference.outputs(seen(workload), theirs(inputs))
    return {own: found[their] for own, their in PLAN["tensors"].items() if their in found}
)";
constexpr const char* adapter = R"(from against_plan import PLAN, answer, copied


def contestant(module, workload):
    def run(**tensors):
        given = {own: copied(tensors[own]) for own in PLAN["given"]}
        for own, value in answer(workload, given).items():
            if own in PLAN["written"]:
                if tuple(value.shape) != tuple(tensors[own].shape):
                    raise ValueError(f"{own} has shape {tuple(value.shape)}, expected {tuple(tensors[own].shape)}")
                tensors[own][...] = value

    return run
)";
constexpr const char* reference = R"(import their_reference
from against_plan import answer, seen, theirs

if hasattr(their_reference, "outputs"):

    def outputs(workload, inputs):
        return answer(workload, inputs)


if hasattr(their_reference, "check"):

    def check(workload, inputs, outputs):
        return their_reference.check(seen(workload), theirs(inputs), theirs(outputs))
)";

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  if (!fs::exists(file)) throw Error(fmt::format("{} cannot be written", file.string()));
}

class Pair {
 public:
  Pair(const Problem& own, const Problem& other)
      : own_(own), other_(other), common_(common_to(own, other)), folder_(::geteuid()) {
    document_ = yaml_as_json(own.file);
    document_.erase("baseline");
    document_.erase("requires");
    document_["workloads"] = {{"test", rows()}};
    if (!own.choices.front().types.empty()) document_["types"] = types();
    write_their_side();
    write_our_side();
  }
  const fs::path& folder() const { return folder_.path(); }
  const Common& common() const { return common_; }
  // Folders of problems with ours, whose name and so whose headers stay.
  fs::path by_us() const { return folder() / "by_us"; }
  fs::path by_them() const { return folder() / "by_them"; }

 private:
  ordered_json rows() const {
    ordered_json all = ordered_json::array();
    for (const auto& row : common_.rows) {
      ordered_json one{{"name", row.workload}};
      for (const auto& [axis, extent] : row.axes) one[axis] = extent;
      for (const auto& [parameter, value] : row.parameters) one[parameter] = value;
      one.update(ordered_json(types_of(own_.choices[row.own_choice])));
      all.push_back(one);
    }
    return all;
  }
  ordered_json types() const {
    std::set<std::size_t> used;
    for (const auto& row : common_.rows) used.insert(row.own_choice);
    ordered_json all = ordered_json::array();
    for (const std::size_t choice : used) all.emplace_back(types_of(own_.choices[choice]));
    return all;
  }

  ordered_json plan() const {
    ordered_json plan{{"workloads", ordered_json::object()},
                      {"tensors", ordered_json::object()},
                      {"given", ordered_json::array()},
                      {"written", ordered_json::array()}};
    for (const auto& row : common_.rows) {
      const problem::Choice& choice = other_.choices[row.other_choice];
      plan["workloads"][row.workload] = {
          {"numbers", numbers_of(other_, instantiate(other_, choice, other_.workloads[row.other]))},
          {"types", types_of(choice)}};
    }
    for (std::size_t t = 0; t < own_.tensors.size(); ++t) {
      const problem::Tensor& tensor = own_.tensors[t];
      if (!tensor.visible) continue;
      plan["tensors"][tensor.name] = other_.tensors[common_.tensors[t]].name;
      if (tensor.role != problem::Role::output) plan["given"].push_back(tensor.name);
      if (tensor.role != problem::Role::input) plan["written"].push_back(tensor.name);
    }
    return plan;
  }

  // Their files and the shim, in a problem's folder. Returns how the problem names them.
  ordered_json put_their_files(const fs::path& folder, const char* file) const {
    const fs::path origin = other_.file.parent_path();
    ordered_json modules{"their/against_plan.py", "their/their_reference.py"};
    fs::create_directories(folder / "their");
    fs::copy_file(origin / other_.python->file, folder / "their/their_reference.py");
    for (const auto& module : other_.python->modules) {
      const fs::path name = fs::path("their") / fs::path(module).filename();
      fs::copy_file(origin / module, folder / name);
      modules.push_back(name.string());
    }
    std::string text = shim;
    text.replace(text.find("%PLAN%"), 6, ordered_json(plan().dump()).dump(-1, ' ', true));
    write(folder / "their/against_plan.py", text);
    return {{"python", file}, {"framework", other_.python->framework}, {"modules", modules}};
  }

  // Our judge, their answer.
  void write_their_side() const {
    const fs::path place = by_us() / own_.name;
    ordered_json document = document_;
    document["adapter"] = put_their_files(place, "adapter.py");
    write(place / "adapter.py", adapter);
    write(place / (std::string(answers) + ".py"),
          fmt::format("# podium: {{ title: \"What {} answers\", framework: {} }}\n", other_.name,
                      other_.python->framework));
    write(place / "problem.yaml", document.dump(1));
  }

  // Their judge, our contestants.
  void write_our_side() const {
    const fs::path place = by_them() / own_.name;
    fs::create_directories(place.parent_path());
    fs::copy(own_.file.parent_path(), place, fs::copy_options::recursive);
    for (const char* replaced : {"problem.yaml", "reference.py", "their"}) fs::remove_all(place / replaced);
    ordered_json document = document_;
    document["reference"] = put_their_files(place, "reference.py");
    for (const char* key : {"sample", "checks"}) document.erase(key);
    const ordered_json theirs = yaml_as_json(other_.file);
    for (std::size_t t = 0; t < own_.tensors.size(); ++t) {
      if (!own_.tensors[t].visible) continue;
      ordered_json& tensor = document["tensors"][own_.tensors[t].name];
      tensor.erase("tolerance");
      const ordered_json& like = theirs["tensors"][other_.tensors[common_.tensors[t]].name];
      if (like.contains("tolerance")) tensor["tolerance"] = like["tolerance"];
    }
    write(place / "reference.py", reference);
    write(place / "problem.yaml", document.dump(1));
  }

  const Problem& own_;
  const Problem& other_;
  Common common_;
  sandbox::ScratchFolder folder_;
  ordered_json document_;
};

// What `contestants`, or all if there are none, are to the problem in that folder.
std::vector<record::Entry> verified(const fs::path& problems, const std::string& name,
                                    const std::vector<std::string>& contestants) {
  contest::RunOptions options;
  const auto device = choose_device(processor_backend().name);
  options.device = device.ordinal;
  options.device_words = device.words();
  options.rounds = 0;
  options.limits.setup = setup_limit(0, options.limits.call);
  std::vector<record::Entry> entries;
  Job job(
      device,
      {.problems = problems,
       .names = {name},
       .contestants = contestants,
       .baseline = false,
       .verified = problem::Stage::test},
      options,
      [&](const record::Entry& entry) {
        if (!record::declined(entry.verdict)) entries.push_back(entry);
      },
      Verbosity::quiet);
  job.prepare("references are compared");
  if (!job.run()) throw Error(fmt::format("{}: its reference failed", name));
  return entries;
}

// Prints them. Whether all are right. Throws podium::Error if one came to no answer.
bool all_right(const std::vector<record::Entry>& entries, const std::string& answers_of,
               const std::string& judge) {
  bool right = !entries.empty();
  for (const auto& entry : entries) {
    const std::string who = entry.contestant == answers ? "the reference" : entry.contestant;
    const std::string what = fmt::format("the answer of {} of {}", who, answers_of);
    if (entry.verdict != Verdict::right && entry.verdict != Verdict::wrong &&
        entry.verdict != Verdict::not_written)
      throw Error(fmt::format("{} was not compared: {}: {}", what, entry.verdict.word(), entry.text));
    std::string text = fmt::format("  {}/{}: {} is {} for {}", entry.types, entry.workload, what,
                                   entry.verdict.word(), judge);
    // Where the largest error is.
    if (entry.verdict != Verdict::right || entry.worst > 0) text += ": " + entry.text;
    fmt::print("{}\n", text);
    right = right && entry.verdict == Verdict::right;
  }
  return right;
}

}  // namespace

Exit check_against(const fs::path& own_path, const fs::path& other_path) {
  const auto load = [](const fs::path& path) {
    return problem::load(fs::is_directory(path) ? path / "problem.yaml" : path);
  };
  const Problem own = load(own_path), other = load(other_path);
  const Pair pair(own, other);
  std::vector<std::string> same;
  for (std::size_t t = 0; t < own.tensors.size(); ++t)
    if (own.tensors[t].visible)
      same.push_back(
          fmt::format("{} = {}", own.tensors[t].name, other.tensors[pair.common().tensors[t]].name));
  const std::string others = other.name == own.name ? "the other " + other.name : other.name;
  fmt::print("{} against {}: {}; {} in common\n", own.name, others, fmt::join(same, ", "),
             counted(pair.common().rows.size(), "workload"));
  bool agree = all_right(verified(pair.by_us(), own.name, {answers}), others, own.name);
  // The baseline on the processor, if there is one.
  const auto baseline = own.baseline.find(processor_backend().name);
  const std::vector<std::string> chosen =
      baseline == own.baseline.end() ? std::vector<std::string>{} : std::vector{baseline->second};
  agree = all_right(verified(pair.by_them(), own.name, chosen), own.name, others) && agree;
  fmt::print("{} and {} {}\n", own.name, others, agree ? "agree" : "differ");
  return agree ? Exit::success : Exit::contestant;
}

}  // namespace podium::cli
