// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/generate_checks.hpp"

#include <algorithm>

#include "suite/problem/access.hpp"

namespace podium::problem {
namespace {

Dtype dtype_of(const Board& board, std::size_t t) {
  const std::string& type = board.problem.tensors[t].type;
  const auto chosen = board.choice.types.find(type);
  return chosen != board.choice.types.end() ? chosen->second : dtype_named(type).value();
}

std::size_t tensor_index(const Problem& problem, std::string_view name) {
  return static_cast<std::size_t>(problem.tensor(name) - problem.tensors.data());
}

// The accessor of a tensor whose address and extents stand at `place`. `carries`: its elements bring their
// magnitude along.
std::string accessor_type(const Board& board, std::size_t t, int place, bool carries) {
  const std::string type = fmt::format("podium::program::Tensor<{}, {}, {}, {}>", element_type(board, t), t,
                                       place, board.problem.tensors[t].shape.size());
  return carries && info(dtype_of(board, t)).floating ? fmt::format("podium::program::Carried<{}>", type)
                                                      : type;
}

std::string result_type(const Board& board, std::size_t reference, bool magnitude) {
  std::string types;
  for (const std::size_t e : board.plan.evaluations_of(reference))
    types += fmt::format("{}podium::program::podium_result_{}<{}>", types.empty() ? "" : ", ", e, magnitude);
  return fmt::format("podium::program::Overloaded<{}>", types);
}

std::string extent(const Board& board, std::size_t t, std::size_t axis) {
  return fmt::format("words.integer({})", board.plan.tensor(t) + 1 + static_cast<int>(axis));
}

void check_kernel(Lines& out, const Board& board, const Check& check) {
  using Kind = Check::Kind;
  const auto kernel = [&](std::string_view prefix, const std::string& body) {
    out.add("PODIUM_KERNEL(podium_{}_{}) {{ podium::program::{}; }}", prefix, check.name, body);
  };
  if (check.kind == Kind::finite) return;
  if (check.kind == Kind::limit) {
    const std::size_t e = board.plan.evaluations_of(check.reference).at(0);
    return kernel("check", fmt::format("hold<podium::program::podium_evaluation_{}>(words, group)", e));
  }
  const std::size_t t = tensor_index(board.problem, check.tensor);
  const std::string element = element_type(board, t), data = tensor_data(board, t),
                    count = tensor_count(board, t);
  const std::size_t rank = board.problem.tensors[t].shape.size();
  const std::string row = rank > 0 ? extent(board, t, rank - 1) : "1";
  switch (check.kind) {
    case Kind::sorted:
      return kernel("check", fmt::format("sorted<{}, {}>(words, group, {}, {}, {})", element,
                                         check.descending, data, count, row));
    case Kind::stable: {
      const std::size_t order = tensor_index(board.problem, check.with.at(0));
      return kernel("check", fmt::format("stable(words, group, {}, {}, {}, {})", data,
                                         tensor_data(board, order), count, row));
    }
    case Kind::triangular:
      return kernel("check",
                    fmt::format("triangular<{}, {}, {}>(words, group, {}, {}, {}, {})", element, check.upper,
                                check.unit, data, count, extent(board, t, rank - 2), row));
    case Kind::distinct:
      return kernel("check", fmt::format("distinct(words, group, {}, {}, {})", data, count, row));
    case Kind::permutation: {
      const std::size_t of = tensor_index(board.problem, check.of);
      if (check.with.empty()) {
        kernel("check", fmt::format("multiset(words, group, {}, {})", data, count));
        return kernel("before", fmt::format("multiset(words, group, {}, {})", tensor_data(board, of, true),
                                            tensor_count(board, of)));
      }
      std::string here = data, there = tensor_data(board, of, true);
      for (const std::string& name : check.with)
        here += ", " + tensor_data(board, tensor_index(board.problem, name));
      for (const std::string& name : check.of_with)
        there += ", " + tensor_data(board, tensor_index(board.problem, name), true);
      kernel("check", fmt::format("tuples(words, group, {}, {})", count, here));
      return kernel("before", fmt::format("tuples(words, group, {}, {})", tensor_count(board, of), there));
    }
    case Kind::finite:
    case Kind::limit:
      return;
  }
}

}  // namespace

std::string element_type(const Board& board, std::size_t t) {
  const std::string_view name = info(dtype_of(board, t)).name;
  return fmt::format("podium::program::{}", name == "bool" ? "boolean" : name);
}

std::string tensor_data(const Board& board, std::size_t t, bool before) {
  const bool initial = before && board.problem.tensors[t].role == Role::inout;
  return fmt::format("words.address<{}>({})", element_type(board, t),
                     initial ? board.plan.initial(t) : board.plan.tensor(t));
}

std::string tensor_count(const Board& board, std::size_t t) {
  std::string count = "podium::program::i64(1)";
  for (std::size_t k = 0; k < board.problem.tensors[t].shape.size(); ++k)
    count += " * " + extent(board, t, k);
  return count;
}

std::set<std::string> declare_views(Lines& out, const Board& board, std::size_t site, bool magnitude) {
  const Reference& reference = board.problem.references[site];
  const bool carries = magnitude && reference.form == Reference::Form::value;
  struct Parts {
    std::string values = "podium::program::Absent", initial = values, reference = values;
    bool view = false;  // more than the results of a reference
  };
  std::vector<std::pair<std::size_t, Parts>> tensors;
  for (const Access& access : accesses(reference.term.text)) {
    const Tensor* tensor = board.problem.tensor(access.name);
    const Meaning what = meaning(board.problem, reference, access);
    if (!tensor || tensor->role == Role::input || what.kind == Meaning::Kind::other) continue;
    const std::size_t t = tensor_index(board.problem, access.name);
    auto known =
        std::find_if(tensors.begin(), tensors.end(), [&](const auto& one) { return one.first == t; });
    if (known == tensors.end()) known = tensors.insert(tensors.end(), {t, Parts{}});
    Parts& parts = known->second;
    if (what.kind == Meaning::Kind::reference)
      (access.member.empty() ? parts.values : parts.reference) = result_type(board, what.index, magnitude);
    if (what.kind == Meaning::Kind::written)
      parts.values = accessor_type(board, t, board.plan.tensor(t), carries);
    if (what.kind == Meaning::Kind::input)
      parts.initial = accessor_type(board, t, board.plan.initial(t), carries);
    if (what.kind != Meaning::Kind::reference || !access.member.empty()) parts.view = true;
  }
  std::set<std::string> declared;
  for (const auto& [t, parts] : tensors) {
    if (!parts.view) continue;
    const std::string& name = board.problem.tensors[t].name;
    out.add("  const podium::program::Views<{}, {}, {}> {}(podium_words, {});", parts.values, parts.initial,
            parts.reference, name, site);
    declared.insert(name);
  }
  return declared;
}

void check_kernels(Lines& out, const Board& board) {
  for (const Check& check : board.problem.checks) check_kernel(out, board, check);
}

}  // namespace podium::problem
