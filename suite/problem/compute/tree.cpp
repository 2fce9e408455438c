// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/compute/tree.hpp"

#include <algorithm>
#include <optional>

#include "suite/problem/formula/functions.hpp"

namespace podium::problem {
namespace {

using Kind = ComputeNode::Kind;
using Result = ComputeResult;

struct Row {
  std::string name;
  Kind kind;
  Result result;
  int structures = 0;
};

// How many arguments each takes stands in the table of all languages: suite/problem/formula/functions.hpp.
std::map<std::string, ComputeFunction> made(const std::string& prefix, const std::vector<Row>& rows) {
  std::map<std::string, ComputeFunction> all;
  for (const Row& row : rows) {
    const Arguments arguments = arguments_of(Language::compute, prefix + row.name);
    all[row.name] = {row.kind, arguments.least, arguments.most, row.result, row.structures};
  }
  return all;
}

class Examination {
 public:
  Examination(const ComputeTree& tree, int turn) : tree_(tree), turn_(turn) {}

  bool apart(const ComputeNode& node, bool in_inner_loop) {
    switch (node.kind) {
      case Kind::out:
      case Kind::permutation:
        return false;
      case Kind::break_:
        return in_inner_loop;
      case Kind::set_local:  // slots are in the order of declarations: those of the body come later
        if (node.slot <= turn_) return false;
        break;
      case Kind::set_out:
        if (!own_element(node)) return false;
        break;
      case Kind::repeat:
      case Kind::while_:
        in_inner_loop = true;
        break;
      default:
        break;
    }
    return std::ranges::all_of(node.children, [&](int child) { return apart(at(child), in_inner_loop); });
  }

 private:
  const ComputeNode& at(int node) const { return tree_.nodes[static_cast<std::size_t>(node)]; }
  bool is_turn(const ComputeNode& node) const { return node.kind == Kind::local && node.slot == turn_; }

  // out(i, …), out(i + 2, …), out(2 + i, …), out(i - 2, …): the last child is the value.
  bool own_element(const ComputeNode& node) {
    if (node.children.size() < 2) return false;
    const ComputeNode& index = at(node.children[0]);
    std::int64_t shift = 0;
    if (!is_turn(index)) {
      if (index.kind != Kind::add && index.kind != Kind::subtract) return false;
      const ComputeNode *left = &at(index.children[0]), *right = &at(index.children[1]);
      if (index.kind == Kind::add && is_turn(*right)) std::swap(left, right);
      if (!is_turn(*left) || right->kind != Kind::whole) return false;
      shift = index.kind == Kind::add ? right->whole : -right->whole;
    }
    if (!shift_) shift_ = shift;
    return *shift_ == shift;
  }

  const ComputeTree& tree_;
  const int turn_;  // the slot of the loop's own name
  std::optional<std::int64_t> shift_;
};

}  // namespace

const std::map<std::string, ComputeFunction>& compute_number_functions() {
  static const std::map<std::string, ComputeFunction> all =
      made("", {{"abs", Kind::absolute, Result::common},
                {"min", Kind::minimum, Result::common},
                {"max", Kind::maximum, Result::common},
                {"floor", Kind::floor, Result::whole},
                {"ceil", Kind::ceil, Result::whole},
                {"ceil_div", Kind::ceil_div, Result::whole},
                {"sqrt", Kind::sqrt, Result::real},
                {"exp", Kind::exp, Result::real},
                {"log", Kind::log, Result::real},
                {"log2", Kind::log2, Result::real},
                {"pow", Kind::pow, Result::real},
                {"sum", Kind::sum_of, Result::common, 1},
                {"segment", Kind::segment, Result::whole, 1}});
  return all;
}

const std::map<std::string, ComputeFunction>& compute_random_functions() {
  static const std::map<std::string, ComputeFunction> all =
      made("random.", {{"below", Kind::below, Result::whole},
                       {"uniform", Kind::uniform, Result::real},
                       {"normal", Kind::normal, Result::real},
                       {"zipf", Kind::zipf, Result::whole}});
  return all;
}

const std::vector<std::string>& compute_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, function] : compute_number_functions()) all.push_back(name);
    for (const auto& [name, function] : compute_random_functions()) all.push_back("random." + name);
    return all;
  }();
  return names;
}

bool turns_apart(const ComputeTree& tree, const ComputeNode& loop) {
  return Examination(tree, loop.slot).apart(tree.nodes[static_cast<std::size_t>(loop.children[2])], false);
}

}  // namespace podium::problem
