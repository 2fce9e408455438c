// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads a `compute` text by recursive descent.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "suite/base/nearest.hpp"
#include "suite/problem/compute_tree.hpp"
#include "suite/problem/cursor.hpp"
#include "suite/problem/lexer.hpp"
#include "suite/problem/names.hpp"
#include "suite/problem/utf8.hpp"

namespace podium::problem {
namespace {

using Kind = ComputeNode::Kind;

constexpr std::size_t longest = 8000;  // characters
constexpr int deepest = 48;            // statements and parentheses within each other

enum class Result { real, whole, common };  // common: real if an argument is

struct Function {
  Kind kind;
  int least, most;  // arguments
  Result result;
  int structures = 0;  // the first arguments that are names of structure
};

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> all{
      {"abs", {Kind::absolute, 1, 1, Result::common}},
      {"min", {Kind::minimum, 2, 8, Result::common}},
      {"max", {Kind::maximum, 2, 8, Result::common}},
      {"floor", {Kind::floor, 1, 1, Result::whole}},
      {"ceil", {Kind::ceil, 1, 1, Result::whole}},
      {"ceil_div", {Kind::ceil_div, 2, 2, Result::whole}},
      {"sqrt", {Kind::sqrt, 1, 1, Result::real}},
      {"exp", {Kind::exp, 1, 1, Result::real}},
      {"log", {Kind::log, 1, 1, Result::real}},
      {"log2", {Kind::log2, 1, 1, Result::real}},
      {"pow", {Kind::pow, 2, 2, Result::real}},
      {"sum", {Kind::sum_of, 1, 1, Result::common, 1}},
      {"segment", {Kind::segment, 2, 2, Result::whole, 1}}};
  return all;
}

const std::map<std::string, Function>& random_functions() {
  static const std::map<std::string, Function> all{{"below", {Kind::below, 1, 1, Result::whole}},
                                                   {"uniform", {Kind::uniform, 0, 0, Result::real}},
                                                   {"normal", {Kind::normal, 0, 0, Result::real}},
                                                   {"zipf", {Kind::zipf, 2, 2, Result::whole}}};
  return all;
}

const std::set<std::string, std::less<>>& keywords() {
  static const std::set<std::string, std::less<>> all{"auto", "for",      "while", "if",    "else",
                                                      "out",  "random",   "break", "continue"};
  return all;
}

std::string counted(int count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

}  // namespace

const std::vector<std::string>& compute_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, function] : functions()) all.push_back(name);
    for (const auto& [name, function] : random_functions()) all.push_back("random." + name);
    return all;
  }();
  return names;
}

namespace {

template <class Tree>
class Reader {
 public:
  Reader(Tree& tree, const ComputeNames& names)
      : tree_(tree), names_(names), tokens_(tokenise(tree.text.text)) {
    if (tree.text.text.size() > longest)
      refuse(fmt::format("found {} characters, expected at most {}", tree.text.text.size(), longest));
    if (tokens_.empty()) refuse("found nothing, expected statements, as in \"for (b : batch) out(b) = 1;\"");
    open_scope();
    ComputeNode all = node(Kind::block);
    while (at_ < tokens_.size()) all.children.push_back(statement());
    tree_.root = keep(std::move(all));
  }

 private:
  // ---- tokens

  bool is(std::string_view text) const { return is_at(at_, text); }
  bool is_at(std::size_t at, std::string_view text) const {
    return at < tokens_.size() && tokens_[at].kind != Token::Kind::literal && tokens_[at].text == text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text, std::string_view where) {
    if (!take(text)) refuse(fmt::format("found {}, expected \"{}\" {}", found(), text, where));
  }
  std::string found() const {
    return at_ < tokens_.size() ? fmt::format("\"{}\"", yaml::excerpt(tokens_[at_].text)) : "the end";
  }
  int line() const {
    const auto& text = tree_.text.text;
    const std::size_t end = at_ < tokens_.size() ? tokens_[at_].at : text.find_last_not_of(" \n") + 1;
    return tree_.text.at.line +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  }
  [[noreturn]] void refuse(const std::string& sentence) const { tree_.refuse(line(), sentence); }

  // ---- nodes

  ComputeNode node(Kind kind, bool is_real = false) const {
    ComputeNode made;
    made.kind = kind;
    made.is_real = is_real;
    made.line = line();
    return made;
  }
  int keep(ComputeNode made) {
    tree_.nodes.push_back(std::move(made));
    return static_cast<int>(tree_.nodes.size()) - 1;
  }
  bool real(int child) const { return tree_.nodes[static_cast<std::size_t>(child)].is_real; }
  int binary(Kind kind, int a, int b, bool common = true) {
    ComputeNode made = node(kind, common && (real(a) || real(b)));
    made.children = {a, b};
    return keep(std::move(made));
  }

  struct Deeper {
    explicit Deeper(Reader& reader) : reader_(reader) {
      if (++reader_.depth_ > deepest)
        reader_.refuse(fmt::format("found statements or parentheses more than {} deep, expected fewer", deepest));
    }
    ~Deeper() { --reader_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Reader& reader_;
  };

  // ---- names

  void open_scope() { scopes_.emplace_back(); }
  void close_scope() { scopes_.pop_back(); }
  int local_named(const std::string& name) const {
    for (std::size_t s = scopes_.size(); s-- > 0;)
      if (const auto known = scopes_[s].find(name); known != scopes_[s].end()) return known->second;
    return -1;
  }
  int declare(bool is_real) {
    if (at_ >= tokens_.size() || tokens_[at_].kind != Token::Kind::name)
      refuse(fmt::format("found {}, expected a name", found()));
    const std::string name = tokens_[at_].text;
    if (keywords().contains(name) || names_.numbers.contains(name) || names_.structure.contains(name) ||
        local_named(name) >= 0)
      refuse(fmt::format("found \"{}\", which has a meaning here already, expected a new name", name));
    if (const std::string fault = fault_of_name(name); !fault.empty())
      refuse(fmt::format("found \"{}\", {}", yaml::excerpt(name), fault));
    ++at_;
    tree_.locals.push_back({name, is_real});
    return scopes_.back()[name] = static_cast<int>(tree_.locals.size()) - 1;
  }
  [[noreturn]] void unknown(const std::string& name) const {
    std::vector<std::string> all{"out"};
    for (const auto& [known, value] : names_.numbers) all.push_back(known);
    for (const auto& [known, value] : names_.structure) all.push_back(known);
    for (const auto& scope : scopes_)
      for (const auto& [known, slot] : scope) all.push_back(known);
    refuse("unknown name: " + found_one_of(yaml::excerpt(name), all));
  }
  static int slot_of(std::vector<std::string>& list, const std::string& name) {
    const auto known = std::find(list.begin(), list.end(), name);
    if (known != list.end()) return static_cast<int>(known - list.begin());
    list.push_back(name);
    return static_cast<int>(list.size()) - 1;
  }

  // ---- statements

  int statement() {
    const Deeper deeper(*this);
    if (take(";")) return keep(node(Kind::block));
    if (is("{")) return block();
    if (is("for")) return repeat();
    if (is("while")) return loop();
    if (is("if")) return choice();
    if (is("break") || is("continue")) return jump();
    if (is("auto")) return declaration();
    if (is("out")) return set_out();
    if (is("random")) return permutation();
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
    if (loops_ == 0) refuse(fmt::format("found {} outside of a loop, expected it inside", found()));
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
    made.children = {assigned([&] { return local(slot); })};
    expect(";", "behind a statement");
    return keep(std::move(made));
  }

  int permutation() {
    ComputeNode made = node(Kind::permutation);
    ++at_;
    if (!take(".") || !take("permutation") || !take("(") || !take("out") || !take(")"))
      refuse(fmt::format("found {}, expected \"random.permutation(out);\"", found()));
    expect(";", "behind a statement");
    return keep(std::move(made));
  }

  // ---- expressions, loosest first

  int local(int slot) {
    ComputeNode made = node(Kind::local, tree_.locals[static_cast<std::size_t>(slot)].is_real);
    made.slot = slot;
    return keep(std::move(made));
  }

  int expression() {
    const Deeper deeper(*this);
    const int what = either();
    if (!take("?")) return what;
    const int yes = expression();
    expect(":", "between the two values of \"?\"");
    const int no = expression();
    ComputeNode made = node(Kind::choose, real(yes) || real(no));
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
    ComputeNode made = node(negative ? Kind::negative : Kind::not_);
    ++at_;
    const int operand = sign();
    made.is_real = negative && real(operand);
    made.children = {operand};
    return keep(std::move(made));
  }

  int primary() {
    if (at_ >= tokens_.size()) refuse("found the end, expected a number, a name or \"(\"");
    const Token& token = tokens_[at_];
    if (token.kind == Token::Kind::number) return number();
    if (token.kind == Token::Kind::name) return named();
    if (!take("(")) refuse(fmt::format("found {}, expected a number, a name or \"(\"", found()));
    const int inner = expression();
    expect(")", "behind an expression");
    return inner;
  }

  int number() {
    const auto value = core_number(tokens_[at_].text);
    if (!value || (value->integer && std::abs(value->value) > static_cast<double>(largest_whole)))
      refuse(fmt::format("found {}, expected a number, whole ones below 2^53", found()));
    ComputeNode made = node(value->integer ? Kind::whole : Kind::real, !value->integer);
    made.whole = value->integer ? static_cast<std::int64_t>(value->value) : 0;
    made.real = value->value;
    ++at_;
    return keep(std::move(made));
  }

  std::vector<int> indices(const std::string& name, std::size_t rank) {
    std::vector<int> index;
    expect("(", fmt::format("behind {}, as in {}(0)", name, name));
    if (!is(")")) do
        index.push_back(expression());
      while (take(","));
    expect(")", fmt::format("behind the indices of {}", name));
    if (index.size() != rank)
      refuse(fmt::format("found {} with {} {}, expected {}", name, index.size(),
                         index.size() == 1 ? "index" : "indices", rank));
    return index;
  }

  int named() {
    const std::string name = tokens_[at_].text;
    if (name == "out") return element(Kind::out, -1, name, names_.out);
    if (name == "random") return random();
    if (const int slot = local_named(name); slot >= 0) {
      ++at_;
      return local(slot);
    }
    if (const auto known = names_.numbers.find(name); known != names_.numbers.end()) {
      ComputeNode made = node(Kind::number, known->second);
      made.slot = slot_of(tree_.numbers, name);
      ++at_;
      return keep(std::move(made));
    }
    if (const auto known = names_.structure.find(name); known != names_.structure.end())
      return element(Kind::element, slot_of(tree_.structures, name), name, known->second);
    if (const auto known = functions().find(name); known != functions().end()) return call(name, known->second);
    if (is_at(at_ + 1, "(")) {
      std::vector<std::string> all = compute_functions();
      for (const auto& [other, array] : names_.structure) all.push_back(other);
      refuse("unknown function: " + found_one_of(yaml::excerpt(name), all));
    }
    unknown(name);
  }

  int element(Kind kind, int slot, const std::string& name, const ComputeNames::Array& array) {
    ComputeNode made = node(kind, array.real);
    made.slot = slot;
    ++at_;
    made.children = indices(name, array.rank);
    return keep(std::move(made));
  }

  int random() {
    if (!is_at(at_ + 1, ".") || at_ + 2 >= tokens_.size())
      refuse("found random alone, expected one of its functions, as in random.below(10)");
    at_ += 2;
    const std::string name = tokens_[at_].text;
    const auto known = random_functions().find(name);
    if (known != random_functions().end()) return call("random." + name, known->second);
    if (name == "permutation") refuse("found random.permutation in an expression, expected it as a statement");
    std::vector<std::string> all;
    for (const auto& [other, function] : random_functions()) all.push_back(other);
    refuse("unknown function of random: " + found_one_of(yaml::excerpt(name), all));
  }

  // max(length) and min(length) of one structure are over its elements; of several numbers, the largest.
  int over_structure(const std::string& name) {
    if (name != "max" && name != "min") return -1;
    if (at_ + 3 >= tokens_.size() || !is_at(at_ + 1, "(") || !is_at(at_ + 3, ")")) return -1;
    return names_.structure.contains(tokens_[at_ + 2].text) ? 1 : -1;
  }

  int call(const std::string& name, Function function) {
    if (over_structure(name) > 0)
      function = {name == "max" ? Kind::maximum_of : Kind::minimum_of, 1, 1, Result::common, 1};
    ComputeNode made = node(function.kind);
    ++at_;
    expect("(", fmt::format("behind {}", name));
    bool any_real = false;
    int count = 0;
    if (!is(")")) do {
        if (++count <= function.structures) {
          const std::string array = at_ < tokens_.size() ? tokens_[at_].text : "";
          const auto known = names_.structure.find(array);
          if (known == names_.structure.end())
            refuse(fmt::format("found {} in {}(…), expected structure computed above", found(), name));
          if (function.kind == Kind::segment && (known->second.rank != 1 || known->second.real))
            refuse(fmt::format("found {} in segment(…), expected whole offsets along one axis", array));
          made.slot = slot_of(tree_.structures, array);
          any_real |= known->second.real;
          ++at_;
        } else {
          made.children.push_back(expression());
          any_real |= real(made.children.back());
        }
      } while (take(","));
    expect(")", fmt::format("behind the arguments of {}", name));
    if (count < function.least || count > function.most)
      refuse(fmt::format("found {} with {}, expected {}", name, counted(count),
                         function.least == function.most ? counted(function.least)
                                                         : fmt::format("{} to {}", function.least, function.most)));
    made.is_real = function.result == Result::real || (function.result == Result::common && any_real);
    return keep(std::move(made));
  }

  Tree& tree_;
  const ComputeNames& names_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0, loops_ = 0;
  std::vector<std::map<std::string, int>> scopes_;
};

}  // namespace

Compute::Compute(const Text& text, const ComputeNames& names) : tree_(std::make_unique<Tree>()) {
  tree_->text = text;
  Reader<Tree>(*tree_, names);
}
Compute::~Compute() = default;
Compute::Compute(Compute&&) noexcept = default;

}  // namespace podium::problem
