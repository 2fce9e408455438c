// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Writes <podium/NAME.hpp>, the contestants' view of a problem, and the hash that identifies it.
#include <openssl/sha.h>

#include <algorithm>

#include "suite/problem/generate.hpp"
#include "suite/problem/generate_text.hpp"

namespace podium::problem {
namespace {

constexpr std::string_view role_names[] = {"input", "output", "inout"};

Dtype dtype_of(const Tensor& tensor, const Choice& choice) {
  const auto type = choice.types.find(tensor.type);
  return type != choice.types.end() ? type->second : dtype_named(tensor.type).value();
}

std::string shape_of(const Tensor& tensor) {
  std::string shape;
  for (const Text& extent : tensor.shape) shape += (shape.empty() ? "" : ", ") + extent.text;
  return "[" + shape + "]";
}

// The element type as contestants write it: an alias of `types`, or the C++ type.
std::string cpp_type(const Tensor& tensor, const Choice& choice) {
  const std::string name =
      choice.types.count(tensor.type) ? tensor.type : std::string(info(dtype_of(tensor, choice)).cpp);
  return (tensor.role == Role::input ? "const " : "") + name;
}

std::string cpp_value(const Problem::Constant& constant) {
  return constant.whole ? fmt::format("{}", static_cast<std::int64_t>(constant.value))
                        : fmt::format("{}", constant.value);
}

// All that decides what crosses the edge between worker and plugin, and what a contestant was compiled
// against.
std::string interface_text(const Problem& problem, const Choice& choice) {
  std::string text = "podium 1\n" + problem.name + "\n";
  for (const auto& [key, dtype] : choice.types) text += fmt::format("type {} {}\n", key, info(dtype).name);
  for (const auto& axis : problem.axes) text += fmt::format("axis {}\n", axis.name);
  for (const auto& parameter : problem.parameters)
    text += fmt::format("parameter {} {}\n", parameter.name, info(parameter.type).name);
  for (const auto& constant : problem.constants)
    text += fmt::format("constant {} {} {}\n", constant.name, constant.whole ? "whole" : "real",
                        literal(constant.value));
  for (const Tensor& tensor : problem.tensors)
    text += fmt::format("tensor {} {} {} {}\n", tensor.name, role_names[static_cast<int>(tensor.role)],
                        info(dtype_of(tensor, choice)).name, tensor.shape.size());
  return text;
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

void write_workload(Lines& out, const Problem& problem) {
  out.add("// What is known before the call; goes to the constructor.");
  out.add("struct Workload {{");
  for (const auto& axis : problem.axes)
    out.add("  std::int64_t {};{}", axis.name, axis.formula ? "  // " + comment(axis.formula->text) : "");
  for (const auto& parameter : problem.parameters)
    out.add("  {} {};", info(parameter.type).cpp, parameter.name);
  out.add("}};");
}

void write_arguments(Lines& out, const Problem& problem, const Choice& choice) {
  out.add("\n// The same and the tensors, row-major and contiguous; goes to `run`.");
  out.add("struct Arguments : Workload {{");
  for (const Tensor& tensor : problem.tensors)
    out.add("  podium::Tensor<{}, {}> {};  // {}", cpp_type(tensor, choice), tensor.shape.size(), tensor.name,
            comment(shape_of(tensor)));
  out.add("}};");
}

void write_wire(Lines& out, const Problem& problem, const Choice& choice) {
  std::vector<std::string> numbers, views{"workload(plain)"};
  for (std::size_t k = 0; k < problem.axes.size(); ++k) numbers.push_back(fmt::format("plain.axes[{}]", k));
  for (std::size_t k = 0; k < problem.parameters.size(); ++k)
    numbers.push_back(
        fmt::format("static_cast<{}>(plain.parameters[{}])", info(problem.parameters[k].type).cpp, k));
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    views.push_back(fmt::format("podium::wire::view<{}, {}>(tensors[{}])",
                                cpp_type(problem.tensors[t], choice), problem.tensors[t].shape.size(), t));
  out.add("\n// For Podium itself: from the plain numbers that cross the plugin's edge.");
  out.add(
      "inline Workload workload([[maybe_unused]] const podium::wire::Workload& plain) {{\n  return "
      "{{{}}};\n}}",
      joined(numbers, ", "));
  out.add(
      "inline Arguments arguments(const podium::wire::Workload& plain, [[maybe_unused]] const "
      "podium::wire::Tensor* "
      "tensors) {{\n  return {{{}}};\n}}",
      joined(views, ",\n          "));
}

}  // namespace

std::string interface_hash(const Problem& problem, const Choice& choice) {
  const std::string text = interface_text(problem, choice);
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  std::string hex;
  for (int k = 0; k < 8; ++k) hex += fmt::format("{:02x}", digest[k]);
  return fmt::format("{:.24}-{:.18}-{}", problem.name, choice.name, hex);
}

std::string contestant_header(const Problem& problem, const Choice& choice) {
  Lines out("podium/" + problem.name + ".hpp");
  out.add("// Generated by Podium from {} for {}.", comment(problem.file.string()), choice.name);
  if (!problem.title.empty()) out.add("// {}", comment(problem.title));
  if (!problem.description.empty()) out.add("// {}", comment(problem.description));
  out.add("#pragma once\n#include <podium/wire.hpp>\n\nnamespace problem {{\n");
  for (const auto& [key, dtype] : choice.types) out.add("using {} = {};", key, info(dtype).cpp);
  for (const auto& constant : problem.constants)
    out.add("inline constexpr {} {} = {};", constant.whole ? "std::int64_t" : "double", constant.name,
            cpp_value(constant));
  if (!choice.types.empty() || !problem.constants.empty()) out.add_text("");
  write_workload(out, problem);
  write_arguments(out, problem, choice);
  write_wire(out, problem, choice);
  out.add("\n// Of this interface: a plugin that was built against another one is refused.");
  out.add("inline constexpr const char* hash = {};\n\n}}  // namespace problem",
          cpp_string(interface_hash(problem, choice)));
  return out.take();
}

}  // namespace podium::problem
