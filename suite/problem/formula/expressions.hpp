// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The expressions that formulas and `compute` share: their tree, and the operators that join them, read by
// recursive descent. Each language adds what stands between operators, and what the nodes mean.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {

struct ExpressionNode {
  enum class Kind {
    // expressions; call: of a function of formulas
    call,
    whole,
    real,
    number,
    local,
    element,
    out,
    negative,
    not_,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    less,
    less_equal,
    equal,
    not_equal,
    both,
    either,
    choose,
    absolute,
    minimum,
    maximum,
    floor,
    ceil,
    ceil_div,
    sqrt,
    exp,
    log,
    log2,
    pow,
    sum_of,
    minimum_of,
    maximum_of,
    segment,
    below,
    uniform,
    normal,
    zipf,
    // statements of `compute`
    block,
    set_local,
    set_out,
    repeat,
    while_,
    if_,
    permutation,
    ascending,
    break_,
    continue_
  };
  Kind kind = Kind::whole;
  bool is_real = false;       // of an expression
  int line = 0;               // in the file, of `compute`
  std::vector<int> children;  // nodes: operands, indices, parts of a statement
  int slot = -1;              // number, local, element, call: which one
  std::int64_t whole = 0;
  double real = 0;
};

class ExpressionReader {
 protected:
  using Kind = ExpressionNode::Kind;

  // Makes nodes in `nodes`, which outlives it. deepest: expressions and signs within each other.
  ExpressionReader(std::vector<Token> tokens, std::vector<ExpressionNode>& nodes, int deepest)
      : tokens_(std::move(tokens)), nodes_(nodes), deepest_(deepest) {}
  ~ExpressionReader() = default;

  // What stands between operators: a number, a name, a call, or an expression in parentheses.
  virtual int primary() = 0;
  [[noreturn]] virtual void refuse(const std::string& sentence) const = 0;
  virtual ExpressionNode node(Kind kind, bool is_real = false) const {
    ExpressionNode made;
    made.kind = kind;
    made.is_real = is_real;
    return made;
  }

  bool is(std::string_view text) const { return is_at(at_, text); }
  bool is_at(std::size_t at, std::string_view text) const {
    return at < tokens_.size() && tokens_[at].kind != Token::Kind::literal && tokens_[at].text == text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  std::string found() const {
    return at_ < tokens_.size() ? fmt::format("\"{}\"", yaml::excerpt(tokens_[at_].text)) : "the end";
  }

  int keep(ExpressionNode made) {
    nodes_.push_back(std::move(made));
    return static_cast<int>(nodes_.size()) - 1;
  }
  bool real(int child) const { return nodes_[static_cast<std::size_t>(child)].is_real; }
  int binary(Kind kind, int a, int b, bool common = true) {
    ExpressionNode made = node(kind, common && (real(a) || real(b)));
    made.children = {a, b};
    return keep(std::move(made));
  }

  struct Deeper {
    explicit Deeper(ExpressionReader& reader) : reader_(reader) {
      if (reader_.depth_ >= reader_.deepest_)
        reader_.refuse(fmt::format("found statements or parentheses more than {} deep, expected fewer",
                                   reader_.deepest_));
      ++reader_.depth_;
    }
    ~Deeper() { --reader_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ExpressionReader& reader_;
  };

  // Loosest first.
  int expression() {
    const Deeper deeper(*this);
    const int what = either();
    if (!take("?")) return what;
    const int yes = expression();
    if (!take(":")) refuse(fmt::format("found {}, expected \":\" between the two values of \"?\"", found()));
    const int no = expression();
    ExpressionNode made = node(Kind::choose, real(yes) || real(no));
    made.children = {what, yes, no};
    return keep(std::move(made));
  }
  int either() {
    int left = both();
    while (take("||")) left = binary(Kind::either, left, both(), false);
    return left;
  }
  int both() {
    int left = equality();
    while (take("&&")) left = binary(Kind::both, left, equality(), false);
    return left;
  }
  int equality() {
    int left = order();
    for (;;) {
      if (take("=="))
        left = binary(Kind::equal, left, order(), false);
      else if (take("!="))
        left = binary(Kind::not_equal, left, order(), false);
      else
        return left;
    }
  }
  int order() {
    int left = sum();
    for (;;) {
      if (take("<")) {
        left = binary(Kind::less, left, sum(), false);
      } else if (take("<=")) {
        left = binary(Kind::less_equal, left, sum(), false);
      } else if (take(">")) {
        const int right = sum();
        left = binary(Kind::less, right, left, false);
      } else if (take(">=")) {
        const int right = sum();
        left = binary(Kind::less_equal, right, left, false);
      } else {
        return left;
      }
    }
  }
  int sum() {
    int left = product();
    for (;;) {
      if (take("+"))
        left = binary(Kind::add, left, product());
      else if (take("-"))
        left = binary(Kind::subtract, left, product());
      else
        return left;
    }
  }
  int product() {
    int left = sign();
    for (;;) {
      if (take("*"))
        left = binary(Kind::multiply, left, sign());
      else if (take("/"))
        left = binary(Kind::divide, left, sign());
      else if (is("%"))
        left = remainder(left);
      else
        return left;
    }
  }
  int remainder(int left) {
    ++at_;
    return binary(Kind::remainder, left, sign(), false);
  }
  int sign() {
    const Deeper deeper(*this);
    if (take("+")) return sign();
    const bool negative = is("-");
    if (!negative && !is("!")) return primary();
    ExpressionNode made = node(negative ? Kind::negative : Kind::not_);
    ++at_;
    const int operand = sign();
    made.is_real = negative && real(operand);
    made.children = {operand};
    return keep(std::move(made));
  }

  const std::vector<Token> tokens_;
  std::vector<ExpressionNode>& nodes_;
  std::size_t at_ = 0;
  int depth_ = 0;

 private:
  int deepest_;
};

}  // namespace podium::problem
