// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/compute/apart.hpp"

#include <algorithm>
#include <optional>

namespace podium::problem {
namespace {

using Kind = ComputeNode::Kind;

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

bool turns_apart(const ComputeTree& tree, const ComputeNode& loop) {
  return Examination(tree, loop.slot).apart(tree.nodes[static_cast<std::size_t>(loop.children[2])], false);
}

}  // namespace podium::problem
