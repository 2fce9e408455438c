// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads the statements of a `compute` text.
#include "suite/problem/compute/compute.hpp"
#include "suite/problem/compute/expressions.hpp"

namespace podium::problem {
namespace {

class Reader final : ComputeExpressions {
 public:
  Reader(ComputeTree& tree, const ComputeNames& names) : ComputeExpressions(tree, names) {
    ComputeNode all = node(Kind::block);
    try {
      while (at_ < tokens_.size()) all.children.push_back(statement());
    } catch (const ComputeError& last) {  // of as many as are told
      faults_.push_back(last);
    }
    tree_.root = keep(std::move(all));
  }
  const std::vector<ComputeError>& faults() const { return faults_; }

 private:
  int statement() {
    const Deeper deeper(*this);
    const std::size_t begin = at_, scopes = scopes_.size();
    const int loops = loops_;
    try {
      return readable_statement();
    } catch (const ComputeError& fault) {
      note(fault);
      scopes_.resize(scopes);
      loops_ = loops;
      recover(begin);
      return keep(node(Kind::block));
    }
  }

  // Behind the statement that begins at `begin` and could not be read.
  void recover(std::size_t begin) {
    at_ = std::max(at_, end_of_head(begin));
    if (is_at(begin, "auto") && begin + 1 < tokens_.size() && local_named(tokens_[begin + 1].text) < 0)
      keep_local(tokens_[begin + 1].text, false);
    int depth = 0;  // of braces within the statement
    for (std::size_t at = begin; at < at_; ++at) depth += is_at(at, "{") - is_at(at, "}");
    for (; at_ < tokens_.size(); ++at_) {
      if (is("{")) ++depth;
      const bool closes = is("}");
      if (closes && depth == 0 && at_ > begin) break;
      if (closes) --depth;
      if (depth <= 0 && (closes || is(";"))) {
        ++at_;
        break;
      }
    }
    take("else");  // of what was not read: its own statement is read as one
  }
  // Behind the parentheses of a loop or condition that begins there; `begin` if they do not end.
  std::size_t end_of_head(std::size_t begin) const {
    if (!(is_at(begin, "for") || is_at(begin, "while") || is_at(begin, "if")) || !is_at(begin + 1, "("))
      return begin;
    int depth = 0;
    for (std::size_t at = begin + 1; at < tokens_.size(); ++at) {
      depth += is_at(at, "(") - is_at(at, ")");
      if (depth == 0) return at + 1;
    }
    return begin;
  }

  int readable_statement() {
    if (take(";")) return keep(node(Kind::block));
    if (is("{")) return block();
    if (is("for")) return repeat();
    if (is("while")) return loop();
    if (is("if")) return choice();
    if (is("break") || is("continue")) return jump();
    if (is("auto")) return declaration();
    if (is("out")) return set_out();
    if (is("random")) return draws();
    return set_local();
  }

  int block() {
    ComputeNode made = node(Kind::block);
    expect("{", "");
    open_scope();
    while (!is("}")) {
      if (at_ >= tokens_.size()) refuse("found the end, expected \"}\"");
      made.children.push_back(statement());
    }
    ++at_;
    close_scope();
    return keep(std::move(made));
  }

  int body() {
    ++loops_;
    const int made = statement();
    --loops_;
    return made;
  }

  int repeat() {
    ComputeNode made = node(Kind::repeat);
    expect("for", "");
    expect("(", "behind \"for\", as in \"for (b : batch)\"");
    const std::size_t name = at_;
    if (at_ < tokens_.size()) ++at_;
    expect(":", "behind the loop's name, as in \"for (b : batch)\"");
    int low = -1, high = -1;
    if (take("[")) {
      low = expression();
      expect(",", "between low and high, as in \"for (b : [1, batch])\"");
      high = expression();
      expect("]", "behind the range, as in \"for (b : [1, batch])\"");
    } else {
      low = keep(node(Kind::whole));
      high = expression();
    }
    open_scope();
    const std::size_t behind = at_;
    at_ = name;  // only now, since the range does not know the name
    made.slot = declare(false);
    at_ = behind;
    expect(")", "behind the range");
    made.children = {low, high, body()};
    close_scope();
    return keep(std::move(made));
  }

  int condition() {
    expect("(", "before a condition");
    const int made = expression();
    expect(")", "behind a condition");
    return made;
  }

  int scoped_statement() {
    open_scope();
    const int made = statement();
    close_scope();
    return made;
  }

  int loop() {
    ComputeNode made = node(Kind::while_);
    expect("while", "");
    const int until = condition();
    open_scope();
    made.children = {until, body()};
    close_scope();
    return keep(std::move(made));
  }

  int choice() {
    ComputeNode made = node(Kind::if_);
    expect("if", "");
    const int what = condition();
    made.children = {what, scoped_statement()};
    if (take("else")) made.children.push_back(scoped_statement());
    return keep(std::move(made));
  }

  int jump() {
    if (loops_ == 0) note(fmt::format("found {} outside of a loop, expected it inside", found()));
    ComputeNode made = node(is("break") ? Kind::break_ : Kind::continue_);
    ++at_;
    expect(";", "behind it");
    return keep(std::move(made));
  }

  int declaration() {
    ComputeNode made = node(Kind::set_local);
    expect("auto", "");
    const std::size_t name = at_;
    if (at_ < tokens_.size()) ++at_;
    expect("=", "behind a new name, as in \"auto total = 0;\"");
    const int value = expression();
    const std::size_t behind = at_;
    at_ = name;
    made.slot = declare(real(value));
    at_ = behind;
    made.children = {value};
    expect(";", "behind a statement");
    return keep(std::move(made));
  }

  // The value of "= x", "+= x", "-= x", "*= x"; `old` makes the node of what stands on the left.
  template <class Old>
  int assigned(const Old& old) {
    static const std::map<std::string, Kind> compound{
        {"+", Kind::add}, {"-", Kind::subtract}, {"*", Kind::multiply}};
    if (at_ < tokens_.size() && is_at(at_ + 1, "=") && tokens_[at_ + 1].at == tokens_[at_].at + 1) {
      const auto kind = compound.find(tokens_[at_].text);
      if (kind != compound.end()) {
        at_ += 2;
        const int left = old();
        return binary(kind->second, left, expression());
      }
    }
    expect("=", "to give it a value");
    return expression();
  }

  int set_out() {
    ComputeNode made = node(Kind::set_out);
    ++at_;
    const std::vector<int> index = indices("out", names_.out.rank);
    const int value = assigned([&] {
      ComputeNode old = node(Kind::out, names_.out.real);
      old.children = index;
      return keep(std::move(old));
    });
    made.children = index;
    made.children.push_back(value);
    expect(";", "behind a statement");
    return keep(std::move(made));
  }

  int set_local() {
    if (at_ >= tokens_.size() || tokens_[at_].kind != Token::Kind::name)
      refuse(fmt::format("found {}, expected a statement", found()));
    const std::string name = tokens_[at_].text;
    const int slot = local_named(name);
    if (slot < 0) {
      if (names_.numbers.contains(name) || names_.structure.contains(name))
        refuse(fmt::format("found a value for {}, expected one for out or a name made by auto", name));
      unknown(name);
    }
    ComputeNode made = node(Kind::set_local);
    made.slot = slot;
    ++at_;
    made.children = {assigned([&] { return slot < 0 ? keep(node(Kind::whole)) : local(slot); })};
    expect(";", "behind a statement");
    return keep(std::move(made));
  }

  // Statements of random: they draw several elements of out.
  int draws() {
    constexpr const char* forms =
        "\"random.permutation(out);\" or \"random.ascending(out, first, count, low, high);\"";
    ++at_;
    const bool ascending = is_at(at_ + 1, "ascending");
    ComputeNode made = node(ascending ? Kind::ascending : Kind::permutation);
    if (!take(".") || !(take("permutation") || take("ascending")) || !take("(") || !take("out"))
      refuse(fmt::format("found {}, expected {}", found(), forms));
    for (int k = 0; ascending && k < 4; ++k) {
      expect(",", "in random.ascending(out, first, count, low, high)");
      made.children.push_back(expression());
    }
    if (!take(")")) refuse(fmt::format("found {}, expected {}", found(), forms));
    expect(";", "behind a statement");
    return keep(std::move(made));
  }
};

}  // namespace

Compute::Compute(const Text& text, const ComputeNames& names) : tree_(std::make_unique<ComputeTree>()) {
  tree_->text = text;
  const Reader reader(*tree_, names);
  if (!reader.faults().empty()) throw ComputeError(reader.faults().front());
}
std::vector<ComputeError> faults_of_compute(const Text& text, const ComputeNames& names) {
  ComputeTree tree;
  tree.text = text;
  try {
    return Reader(tree, names).faults();
  } catch (const ComputeError& whole) {  // of the text as such: too long, or nothing
    return {whole};
  }
}

Compute::~Compute() = default;
Compute::Compute(Compute&&) noexcept = default;

ComputeNames compute_names(const Problem& problem, std::size_t structures) {
  ComputeNames names;
  for (const auto& axis : problem.axes) names.numbers[axis.name] = false;
  for (const auto& parameter : problem.parameters) names.numbers[parameter.name] = true;
  for (const auto& constant : problem.constants) names.numbers[constant.name] = !constant.whole;
  for (std::size_t s = 0; s < structures; ++s)
    names.structure[problem.structure[s].name] = {problem.structure[s].shape.size(),
                                                  info(problem.structure[s].dtype).floating};
  return names;
}

}  // namespace podium::problem
