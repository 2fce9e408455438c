// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/generate/tensors.hpp"

#include <fmt/format.h>

#include "suite/problem/generate/text.hpp"

namespace podium::problem {

namespace {

std::string counted(const std::string& accessor, Elements elements, Dtype dtype) {
  if (elements == Elements::plain || !info(dtype).floating) return accessor;
  return fmt::format("podium::program::Counted<podium::program::{}, {}>",
                     elements == Elements::exact ? "Exact" : "Number", accessor);
}

}  // namespace

std::string TensorText::element(Dtype dtype) {
  const std::string_view name = info(dtype).name;
  return fmt::format("podium::program::{}", name == "bool" ? std::string_view("boolean") : name);
}

std::string TensorText::element(std::size_t tensor) const {
  return element(dtype_of(problem_.tensors[tensor], choice_));
}

std::size_t TensorText::tensor_index(std::string_view name) const {
  return static_cast<std::size_t>(problem_.tensor(name) - problem_.tensors.data());
}

std::string TensorText::tensor_accessor(std::size_t t, Elements elements, bool before) const {
  const Tensor& tensor = problem_.tensors[t];
  const std::string layout = tensor.layout == Layout::row_major ? "" : ", " + layout_of(t, before);
  const std::string type = fmt::format("podium::program::Tensor<{}, {}, {}, {}{}>", element(t), t,
                                       place_of(t, before), tensor.shape.size(), layout);
  return counted(type, elements, dtype_of(tensor, choice_));
}

std::string TensorText::structure_accessor(std::size_t s, Elements elements) const {
  const Structure& structure = problem_.structure[s];
  const std::string type = fmt::format("podium::program::Structure<{}, {}, {}, {}>", element(structure.dtype),
                                       s, plan_.structure(s), structure.shape.size());
  return counted(type, elements, structure.dtype);
}

std::string TensorText::count_of(std::size_t t) const {
  std::string count = "podium::program::i64(1)";
  for (std::size_t k = 0; k < problem_.tensors[t].shape.size(); ++k)
    count += fmt::format(" * words.integer({})", plan_.tensor(t) + 1 + static_cast<int>(k));
  return count;
}

int TensorText::place_of(std::size_t t, bool before) const {
  return before && problem_.tensors[t].role == Role::inout ? plan_.initial(t) : plan_.tensor(t);
}

std::string TensorText::layout_of(std::size_t t, bool before) const {
  return layout_type(problem_.tensors[t], place_of(t, before));
}

std::string TensorText::laid_out(std::size_t t, bool before) const {
  return fmt::format("podium::program::LaidOut<{0}, {1}>{{words, words.address<{0}>({2})}}", element(t),
                     layout_of(t, before), place_of(t, before));
}

std::string TensorText::data_of(std::size_t t, bool before) const {
  const Tensor& tensor = problem_.tensors[t];
  if (tensor.layout != Layout::row_major || packed(dtype_of(tensor, choice_))) return laid_out(t, before);
  const bool writable = tensor.role == Role::input || (tensor.role == Role::inout && before);
  return fmt::format("words.address<{}{}>({})", writable ? "" : "const ", element(t), place_of(t, before));
}

void declare_numbers(Lines& out, const Problem& problem, const Plan& plan,
                     const std::set<std::string, std::less<>>& used, std::string_view indent) {
  for (std::size_t k = 0; k < problem.axes.size(); ++k)
    if (used.contains(problem.axes[k].name))
      out.add("{}const podium::program::i64 {} = podium_words.integer({});", indent, problem.axes[k].name,
              plan.axis(k));
  for (std::size_t k = 0; k < problem.parameters.size(); ++k)
    if (used.contains(problem.parameters[k].name))
      out.add("{}const double {} = podium_words.real({});", indent, problem.parameters[k].name,
              plan.parameter(k));
  for (const auto& constant : problem.constants)
    if (used.contains(constant.name))
      out.add("{}constexpr {} {} = {};", indent, constant.whole ? "podium::program::i64" : "double",
              constant.name,
              constant.whole ? fmt::format("{}", static_cast<std::int64_t>(constant.value))
                             : literal(constant.value));
}

}  // namespace podium::problem
