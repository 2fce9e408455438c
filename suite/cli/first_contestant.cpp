// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium new contestant` writes, made of the problem's tensors: one thread, or one turn of a loop, for
// each element of the first output. It is verified as "not written" until someone fills it in.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "suite/cli/create.hpp"

namespace podium::cli {
namespace {

using problem::Problem;
using problem::Role;
using problem::Tensor;

const Tensor& first_output(const Problem& problem) {
  return *std::find_if(problem.tensors.begin(), problem.tensors.end(),
                       [](const Tensor& tensor) { return tensor.role != Role::input; });
}

std::string shape_of(const Tensor& tensor) {
  std::vector<std::string> extents;
  for (const auto& extent : tensor.shape) extents.push_back(extent.text);
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

// The names that the problem's reference gives to the output's indices, where they are free here.
std::vector<std::string> indices_of(const Problem& problem, const Tensor& output) {
  constexpr std::array taken =
      std::to_array<std::string_view>({"args", "element", "rest", "block", "stream"});
  std::vector<std::string> names;
  for (const auto& reference : problem.references)
    if (reference.name == output.name)
      for (const auto& index : reference.index) names.push_back(index.name);
  const bool usable = names.size() == output.shape.size() &&
                      std::none_of(names.begin(), names.end(), [&](const std::string& name) {
                        return std::find(taken.begin(), taken.end(), name) != taken.end();
                      });
  if (usable) return names;
  names.clear();
  for (std::size_t k = 0; k < output.shape.size(); ++k) names.push_back(fmt::format("i{}", k));
  return names;
}

// Takes `element` apart, and says where the work belongs.
std::string body(const Problem& problem, const std::string& indent) {
  const Tensor& output = first_output(problem);
  const auto indices = indices_of(problem, output);
  std::string text;
  if (!indices.empty()) text += indent + "[[maybe_unused]] std::int64_t rest = element;\n";
  for (std::size_t k = indices.size(); k-- > 0;)
    text += k > 0
                ? fmt::format(
                      "{0}[[maybe_unused]] const std::int64_t {1} = rest % args.{2}.extent({3});\n{0}rest /= "
                      "args.{2}.extent({3});\n",
                      indent, indices[k], output.name, k)
                : fmt::format("{}[[maybe_unused]] const std::int64_t {} = rest;\n", indent, indices[k]);
  text +=
      fmt::format("{}// Write it here: args.{}({}) = ...\n", indent, output.name, fmt::join(indices, ", "));
  for (const Tensor& tensor : problem.tensors)
    if (tensor.role != Role::input && &tensor != &output)
      text += fmt::format("{}// And every element of args.{}.\n", indent, tensor.name);
  return text;
}

std::string head(const Problem& problem, const std::string& name) {
  std::string text = fmt::format("// podium: {{ title: \"{}: not written yet\" }}\n\n", name);
  text +=
      "// What `args` holds; tensors are row-major, x(i, j) or x.data[...] are their elements, "
      "podium::cast<float>(...)\n"
      "// reads a narrow one and podium::cast<type>(...) rounds to it:\n";
  for (const auto& axis : problem.axes) text += fmt::format("//   {}: an axis\n", axis.name);
  for (const auto& parameter : problem.parameters)
    text += fmt::format("//   {}: a parameter\n", parameter.name);
  for (const Tensor& tensor : problem.tensors)
    if (tensor.visible)
      text += fmt::format("//   {}: {}, {}, {}\n", tensor.name, name_of(tensor.role), tensor.type,
                          shape_of(tensor));
  return text + fmt::format("#include <podium/{}.hpp>\n\nnamespace {{\n", problem.name);
}

// "real" is problem::real; a dtype's own name is its C++ type.
std::string cpp_type(const std::string& type) {
  const auto dtype = problem::dtype_named(type);
  return dtype ? std::string(problem::info(*dtype).cpp) : "problem::" + type;
}

// Kernel and launch list, without code for the host: addresses of all that contestants see, and all numbers.
std::string first_sealed(const Problem& problem, const std::string& name) {
  const Tensor& output = first_output(problem);
  std::vector<std::string> arguments, parameters;
  const auto take = [&](const std::string& argument, const std::string& parameter) {
    arguments.push_back(argument);
    parameters.push_back("[[maybe_unused]] " + parameter);
  };
  for (const Tensor& tensor : problem.tensors)
    if (tensor.visible)
      take(tensor.name, fmt::format("{}{}* {}", tensor.role == Role::input ? "const " : "",
                                    cpp_type(tensor.type), tensor.name));
  for (const auto& structure : problem.structure)
    if (structure.visible)
      take(structure.name, fmt::format("const {}* {}", problem::info(structure.dtype).cpp, structure.name));
  for (const auto& axis : problem.axes)
    take(fmt::format("i64({})", axis.name), fmt::format("std::int64_t {}", axis.name));
  for (const auto& parameter : problem.parameters) {
    const auto& about = problem::info(parameter.type);
    take(fmt::format("{}({})", about.name, parameter.name), fmt::format("{} {}", about.cpp, parameter.name));
  }
  std::string elements = "1";
  for (const auto& extent : output.shape) elements += fmt::format(" * ({})", extent.text);
  arguments.push_back("i64(output_elements)");
  parameters.emplace_back("std::int64_t output_elements");
  std::string text = fmt::format(
      "// podium:\n//   title: \"{}: not written yet\"\n//   values: {{ output_elements: \"{}\" }}\n//   "
      "launches:\n"
      "//     - kernel: compute\n//       grid: [\"ceil_div(output_elements, 256)\"]\n//       block: [256]\n"
      "//       arguments: [{}]\n\n// Tensors are row-major. docs/sealed.md says what the list above may "
      "hold.\n"
      "#include <podium/{}.hpp>\n\n// One thread an element of {}.\n",
      name, elements, fmt::join(arguments, ", "), problem.name, output.name);
  text += fmt::format("extern \"C\" __global__ void __launch_bounds__(256)\n    compute({}) {{\n",
                      fmt::join(parameters, ",\n            "));
  text +=
      "  const std::int64_t element = std::int64_t(blockIdx.x) * 256 + threadIdx.x;\n"
      "  if (element >= output_elements) return;\n";
  return text + fmt::format("  // Write it here: {}[element] = ...\n}}\n", output.name);
}

// A function of all tensors by name, and what a class could see besides.
std::string first_function(const Problem& problem, const std::string& name) {
  std::string text = fmt::format("# podium: {{ title: \"{}: not written yet\" }}\n\n", name);
  text += "# Tensors are NumPy arrays in place; `framework: torch` in the line above makes them PyTorch's.\n";
  std::vector<std::string> tensors, numbers;
  for (const Tensor& tensor : problem.tensors) {
    if (!tensor.visible) continue;
    text +=
        fmt::format("#   {}: {}, {}, {}\n", tensor.name, name_of(tensor.role), tensor.type, shape_of(tensor));
    tensors.push_back(tensor.name);
  }
  for (const auto& axis : problem.axes) numbers.push_back(axis.name);
  for (const auto& parameter : problem.parameters) numbers.push_back(parameter.name);
  for (const auto& structure : problem.structure)
    if (structure.visible) numbers.push_back(structure.name);
  if (!numbers.empty()) text += fmt::format("# `run` may take these too: {}.\n", fmt::join(numbers, ", "));
  text +=
      "# To compile or plan before the call, write a class Contestant instead: __init__(self, workload) sees "
      "them as\n# attributes, and `run` is its method.\nimport numpy as np\n\n\n";
  text += fmt::format("def run({}):\n", fmt::join(tensors, ", "));
  return text + fmt::format("    # Write it here: {}[...] = ...\n    pass\n", first_output(problem).name);
}

}  // namespace

std::string first_contestant(const Problem& problem, const std::string& name, compile::FirstText first) {
  if (first == compile::FirstText::function) return first_function(problem, name);
  if (first == compile::FirstText::sealed_kernel) return first_sealed(problem, name);
  const std::string output = first_output(problem).name;
  std::string text = head(problem, name);
  if (first == compile::FirstText::loop) {
    text += "struct Contestant {\n  void run(const problem::Arguments& args, podium::Stream) {\n";
    text +=
        fmt::format("    for (std::int64_t element = 0; element < args.{}.size(); ++element) {{\n", output);
    return text + body(problem, "      ") + "    }\n  }\n};\n}  // namespace\n";
  }
  text += fmt::format("constexpr int block = 256;\n\n// One thread an element of {}.\n", output);
  text +=
      "__global__ void __launch_bounds__(block) compute(const problem::Arguments args) {\n"
      "  const std::int64_t element = std::int64_t(blockIdx.x) * block + threadIdx.x;\n";
  text += fmt::format("  if (element >= args.{}.size()) return;\n", output) + body(problem, "  ") + "}\n\n";
  text += "struct Contestant {\n  void run(const problem::Arguments& args, podium::Stream stream) {\n";
  text += fmt::format("    if (args.{}.size() == 0) return;  // an empty grid is an error on every GPU\n",
                      output);
  text += fmt::format("    const auto blocks = unsigned(podium::ceil_div(args.{}.size(), block));\n", output);
  return text +
         "    podium::launch(compute, dim3(blocks), dim3(block), 0, stream, args);\n  }\n};\n}  // "
         "namespace\n";
}

}  // namespace podium::cli
