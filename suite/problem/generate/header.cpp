// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Writes <podium/NAME.hpp>, the contestants' view of a problem, and the hash that identifies it.
#include <openssl/sha.h>

#include <algorithm>

#include "suite/problem/generate/generate.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::problem {
namespace {

std::string shape_of(const std::vector<Text>& extents) {
  std::string shape;
  for (const Text& extent : extents) shape += (shape.empty() ? "" : ", ") + extent.text;
  return "[" + shape + "]";
}

// Of what one rank has.
std::string shape_of(const Tensor& tensor) {
  std::vector<Text> extents = tensor.shape;
  if (tensor.per_rank == PerRank::each) extents.erase(extents.begin());
  if (tensor.per_rank == PerRank::shard) extents[0].text = fmt::format("({}) / ranks", extents[0].text);
  return shape_of(extents);
}

std::string in_use(const std::optional<Text>& used) {
  return used ? fmt::format(", of which {} along the first axis in use", used->text) : "";
}

// Whether its last axis is contiguous whatever the workload.
bool known_packed(const Tensor& tensor) {
  return tensor.layout != Layout::strided || tensor.strides.back().text == "1";
}

// What the shape alone does not say about that view.
std::string layout_remark(const Tensor& tensor, const Choice& choice) {
  std::string remark;
  if (tensor.layout == Layout::strided) {
    for (const Text& stride : tensor.strides) remark += (remark.empty() ? "" : ", ") + stride.text;
    remark = fmt::format(", strides [{}]", comment(remark));
  }
  if (tensor.layout == Layout::scales_128x4)
    remark = std::string(tensor.shape.size() == 3 ? ", seen as [batch, " : ", seen as [") +
             "rows / 128, columns / 4, 32, 4, 4]: podium::scale_at(" + tensor.name + ", …)";
  if (packed(dtype_of(tensor, choice)))
    remark += tensor.layout == Layout::strided
                  ? "; seen in pairs: the last extent and the strides are half of these"
                  : "; seen in pairs: the last extent is half of this";
  return remark;
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
  for (const Structure& structure : problem.structure)
    if (structure.visible)
      text += fmt::format("structure {} {} {}\n", structure.name, info(structure.dtype).name,
                          structure.shape.size());
  for (const Tensor& tensor : problem.tensors)
    if (tensor.visible)
      text += fmt::format("tensor {} {} {} {}{}\n", tensor.name, name_of(tensor.role),
                          info(dtype_of(tensor, choice)).name, part_rank(tensor),
                          tensor.layout == Layout::row_major ? ""
                          : tensor.layout == Layout::strided && known_packed(tensor)
                              ? " strided, last 1"
                              : fmt::format(" {}", name_of(tensor.layout)));
  return text;
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

void write_workload(Lines& out, const Problem& problem) {
  out.add("// What is known before the call; goes to the constructor.");
  out.add("struct Workload {{");
  for (const auto& axis : problem.axes)
    out.add("  std::int64_t {};{}", axis.name,
            axis.ranks     ? "  // devices that compute together"
            : axis.formula ? "  // " + comment(axis.formula->text)
                           : "");
  for (const auto& parameter : problem.parameters)
    out.add("  {} {};", info(parameter.type).cpp, parameter.name);
  for (const Structure& structure : problem.structure)
    if (structure.visible)
      out.add("  podium::Structure<{}, {}> {};  // {}", info(structure.dtype).cpp, structure.shape.size(),
              structure.name, comment(shape_of(structure.shape) + in_use(structure.used)));
  if (problem.ranked()) out.add("  podium::Team team;  // its rank among them, and what all of them reach");
  out.add("}};");
}

void write_arguments(Lines& out, const Problem& problem, const Choice& choice) {
  out.add(
      "\n// The same and the tensors, row-major and contiguous where nothing else is said; goes to `run`.");
  out.add("struct Arguments : Workload {{");
  for (const Tensor& tensor : problem.tensors)
    if (tensor.visible)
      out.add("  podium::{}<{}, {}> {};  // {}{}", known_packed(tensor) ? "PackedTensor" : "Tensor",
              cpp_type(tensor, choice), rank_of(tensor), tensor.name,
              comment(shape_of(tensor) + in_use(tensor.used)), layout_remark(tensor, choice));
  out.add("}};");
}

void write_wire(Lines& out, const Problem& problem, const Choice& choice) {
  std::vector<std::string> numbers, views{"workload(plain)"};
  for (std::size_t k = 0; k < problem.axes.size(); ++k) numbers.push_back(fmt::format("plain.axes[{}]", k));
  for (std::size_t k = 0; k < problem.parameters.size(); ++k)
    numbers.push_back(
        fmt::format("static_cast<{}>(plain.parameters[{}])", info(problem.parameters[k].type).cpp, k));
  int position = 0;
  for (const Structure& structure : problem.structure)
    if (structure.visible)
      numbers.push_back(fmt::format("podium::wire::both<{}, {}>(plain.structure[{}])",
                                    info(structure.dtype).cpp, structure.shape.size(), position++));
  if (problem.ranked())
    numbers.push_back(fmt::format("podium::wire::team(plain.axes + {})", problem.axes.size()));
  for (std::size_t t = 0; t < problem.tensors.size() && problem.tensors[t].visible; ++t)
    views.push_back(fmt::format("podium::wire::{}<{}, {}>(tensors[{}])",
                                known_packed(problem.tensors[t]) ? "packed" : "view",
                                cpp_type(problem.tensors[t], choice), rank_of(problem.tensors[t]), t));
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
  out.add("#pragma once\n{}#include <podium/wire.hpp>\n\nnamespace problem {{\n",
          problem.ranked() ? "#include <podium/ranks.hpp>\n" : "");
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
