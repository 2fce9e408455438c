// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/publish/problems.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "suite/problem/checks/checks.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/record/provenance.hpp"

namespace podium::publish {
namespace {

using nlohmann::json;
using problem::Problem;
using problem::Reference;
using problem::Tensor;
using problem::Tolerance;

std::string without_end(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

bool floating(problem::Dtype dtype) { return problem::info(dtype).floating; }

bool compared(const Problem& problem, const Tensor& tensor) {
  return std::ranges::any_of(problem.references, [&](const Reference& reference) {
    return reference.output && !reference.check && reference.name == tensor.name;
  });
}

std::string scale_text(const Tolerance& tolerance) {
  switch (tolerance.scale) {
    case Tolerance::Scale::magnitude:
      return "the magnitude of the terms behind the reference";
    case Tolerance::Scale::reference:
      return fmt::format("the reference {}", tolerance.scale_reference);
    case Tolerance::Scale::value:
      break;
  }
  return "the reference's absolute value";
}

std::string accumulator_text(const Tolerance& tolerance) {
  if (!tolerance.accumulate_type.empty()) return fmt::format("eps({})", tolerance.accumulate_type);
  return fmt::format("2^{:.0f}", std::log2(tolerance.accumulate_eps));
}

// "3 times ", "(16 + sqrt(cols)) times "; nothing for 1.
std::string times_text(const std::string& factor) {
  if (factor == "1") return "";
  const bool plain = std::ranges::all_of(
      factor, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
  return fmt::format("{}{}{} times ", plain ? "" : "(", factor, plain ? "" : ")");
}

std::string range_text(const problem::Index& index) {
  return fmt::format("{} from {} to below {}", index.name, index.low.text, index.high.text);
}

std::string reference_text(const Reference& reference) {
  if (reference.probe)
    return fmt::format("{}: +1 or -1 in each element, drawn after the call", reference.itself());
  std::vector<std::string> indices;
  for (const problem::Index& index : reference.index) indices.push_back(index.name);
  const std::string does = problem::does(reference), term = without_end(reference.term.text);
  std::string text =
      reference.itself() + (indices.empty() ? "" : fmt::format("({})", joined(indices))) + " =";
  for (const std::string& part : {does, term})
    if (!part.empty()) text += (part.find('\n') == std::string::npos ? " " : "\n") + part;
  std::vector<std::string> ranges;
  for (const auto* list : {&reference.index, &reference.over})
    for (const problem::Index& index : *list)
      if (!index.high.text.empty()) ranges.push_back(range_text(index));
  if (!ranges.empty()) text += fmt::format("\nfor {}", joined(ranges));
  return text;
}

// The text of the file is among the run's sources.
std::string python_text(const problem::PythonFile& file) {
  std::string text = fmt::format("Python, {}", file.file);
  if (!file.modules.empty()) text += fmt::format("; with {}", joined(file.modules));
  return text;
}

json tensor_json(const Problem& problem, const Tensor& tensor) {
  json shape = json::array();
  for (const problem::Text& extent : tensor.shape) shape.push_back(extent.text);
  return {{"name", tensor.name},
          {"role", name_of(tensor.role)},
          {"dtype", tensor.type},
          {"shape", std::move(shape)},
          {"layout", name_of(tensor.layout)},
          {"private", !tensor.visible},
          {"fill", fill_text(tensor)},
          {"tolerance", tolerance_text(problem, tensor)}};
}

json check_json(const Problem& problem, const problem::Check& check) {
  if (check.builtin)
    return {{"name", check.name},
            {"text", fmt::format("{} is {}{}", check.tensor, check.builtin->name,
                                 check.of.empty() ? "" : " of " + check.of)}};
  const Reference& reference = problem.references.at(check.reference);
  return {{"name", check.name},
          {"text", fmt::format("{}\nat most {} from 0", reference_text(reference), check.limit.text)}};
}

}  // namespace

std::string tolerance_text(const Problem& problem, const Tensor& tensor) {
  if (tensor.role == problem::Role::input) return "";
  if (problem.python && !compared(problem, tensor)) return fmt::format("{} decides", problem.python->file);
  if (!compared(problem, tensor)) return "no reference: the problem's checks decide";
  if (!on_some_board(problem, tensor, floating)) return "exact";
  const Tolerance& tolerance = tensor.tolerance;
  std::vector<std::string> parts;
  if (tolerance.ulp.text != "0")
    parts.push_back(fmt::format("{} unit{} in the last place of {}", tolerance.ulp.text,
                                tolerance.ulp.text == "1" ? "" : "s", tensor.type));
  if (tolerance.growth.text != "0")
    parts.push_back(fmt::format("{}{} times {}", times_text(tolerance.growth.text),
                                accumulator_text(tolerance), scale_text(tolerance)));
  if (parts.empty()) return "exact";
  const std::string text = fmt::format("at most {}", fmt::join(parts, " plus "));
  return tolerance.loose.empty() ? text : fmt::format("{}; {}", text, tolerance.loose);
}

std::string fill_text(const Tensor& tensor) {
  if (tensor.role == problem::Role::output) return "";
  const problem::Fill& fill = tensor.fill;
  if (fill.kind == problem::Fill::Kind::python) return "drawn by the reference";
  if (fill.kind == problem::Fill::Kind::derived)
    return fmt::format("the reference {}, rounded", fill.reference);
  if (fill.kind == problem::Fill::Kind::value)
    return fmt::format("{} at ({})", without_end(fill.term.text), joined(fill.index));
  if (!fill.ready) return "";
  std::string text = fill.ready->name;
  const std::array arguments{&fill.first.text, &fill.second.text};
  for (std::size_t i = 0; i < std::min(arguments.size(), fill.ready->arguments.size()); ++i)
    text += fmt::format(", {} {}", fill.ready->arguments[i].name, *arguments[i]);
  return text;
}

json problem_json(const Problem& problem) {
  json types = json::object(), tensors = json::array(), references = json::array(), checks = json::array();
  json workloads{{"test", json::array()}, {"quick", json::array()}, {"bench", json::array()}};
  for (const problem::Choice& choice : problem.choices) {
    json& named = types[choice.name] = json::object();
    for (const auto& [key, dtype] : choice.types) named[key] = problem::info(dtype).name;
  }
  for (const Tensor& tensor : problem.tensors)
    if (tensor.answers.empty()) tensors.push_back(tensor_json(problem, tensor));
  if (problem.python)
    references.push_back({{"name", problem.python->file}, {"text", python_text(*problem.python)}});
  for (const Reference& reference : problem.references)
    if (!reference.check && !problem.python)
      references.push_back({{"name", reference.name}, {"text", reference_text(reference)}});
  for (const problem::Check& check : problem.checks) checks.push_back(check_json(problem, check));
  for (const problem::Workload& workload : problem.workloads)
    workloads[std::string(name_of(workload.stage))].push_back(workload.name);
  return {{"title", problem.title},
          {"description", problem.description},
          {"sha256", record::sha256(problem.source)},
          {"yaml", problem.source},
          {"types", std::move(types)},
          {"tensors", std::move(tensors)},
          {"reference", std::move(references)},
          {"checks", std::move(checks)},
          {"workloads", std::move(workloads)},
          {"baseline", problem.baseline}};
}

}  // namespace podium::publish
