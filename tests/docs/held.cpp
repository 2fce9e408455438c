// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/held.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <regex>

#include "suite/problem/formula/formula.hpp"
#include "tests/docs/elements.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::docs {
namespace {

using judge::Finding;
using judge::Judged;
using problem::Role;
using problem::TensorInstance;

constexpr std::uint64_t seed = 0x5eed;
constexpr std::uint8_t poison = 0xff;
constexpr std::int64_t most_spoilt = 64;  // elements that are changed, one at a time

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// One workload on one board, and the numbers that statements may name.
class Case {
 public:
  Case(const Example& example, std::size_t choice, std::size_t workload, bool full)
      : judged_(example.yaml, full, choice, workload) {
    judged_.evaluator.fill(seed);
    judged_.poison(poison);
  }

  // A fault of the problem itself throws podium::Error.
  Finding verify() { return judged_.evaluator.verify(seed, poison); }

  bool empty() const {
    return std::all_of(tensors().begin(), tensors().end(),
                       [](const auto& t) { return t.role == Role::input || t.elements == 0; });
  }

  void set(const Statement& statement) {
    const std::size_t t = tensor_named(statement.name);
    auto values = numbers(statement.values);
    if (values.size() == 1) values.resize(static_cast<std::size_t>(tensors()[t].elements), values[0]);
    if (static_cast<std::int64_t>(values.size()) != tensors()[t].elements)
      throw Error(fmt::format("{}: found {} values, expected {}", statement.text, values.size(),
                              tensors()[t].elements));
    for (std::size_t k = 0; k < values.size(); ++k) write(t, static_cast<std::int64_t>(k), values[k]);
  }

  // Whether changing any one element of any output is seen; "" or what was not.
  std::string unseen() {
    for (std::size_t t = 0; t < tensors().size(); ++t) {
      if (tensors()[t].role == Role::input) continue;
      const std::int64_t step = tensors()[t].elements / most_spoilt + 1;
      for (std::int64_t k = 0; k < tensors()[t].elements; k += step) {
        const double was = read(t, k);
        spoil(t, k, was);
        if (verify().right)
          return fmt::format("{} may be {} in place of {} at {}", tensors()[t].name, read(t, k), was, k);
        write(t, k, was);
      }
    }
    return "";
  }

  // How many elements of `name` a sample verifies: all of them are changed, so that all are counted as wrong.
  std::int64_t sample(const std::string& name) {
    const std::size_t t = tensor_named(name);
    for (std::int64_t k = 0; k < tensors()[t].elements; ++k) spoil(t, k, read(t, k));
    static const std::regex count("(\\d+) of (\\d+) verified elements? wrong");
    const std::string text = verify().text;
    std::smatch parts;
    if (!std::regex_search(text, parts, count) || parts[1] != parts[2])
      throw Error(fmt::format("not all of {} were wrong: {}", name, text));
    return std::stoll(parts[1]);
  }

  std::vector<double> numbers(const std::vector<std::string>& formulas) const {
    std::vector<double> values;
    for (const std::string& formula : formulas)
      values.push_back(formula == "nan" ? std::nan("")
                       : formula == "_" ? std::nan("")
                                        : evaluate(formula, scope_));
    return values;
  }

  // The elements of a tensor or structure, or a single number.
  std::vector<double> values_of(const std::string& name) {
    for (std::size_t t = 0; t < tensors().size(); ++t) {
      if (tensors()[t].name == name) return elements(t);
      if (tensors()[t].name + ".initial" == name) return elements_of(t, judged_.evaluator.input(t));
    }
    for (const auto& structure : judged_.instance.structure)
      if (structure.name == name) {
        std::vector<double> values;
        for (std::int64_t k = 0; k < structure.used_elements(); ++k) values.push_back(structure.number(k));
        return values;
      }
    if (name == "bytes") return {judged_.instance.bytes};
    if (name == "flops") return {judged_.instance.flops};
    return {evaluate(name, scope_)};
  }

  // What memory holds: at `place`, or everywhere.
  std::vector<double> places_of(const std::string& name, std::int64_t place) {
    const std::size_t t = tensor_named(name);
    if (place >= 0) return {read_place(tensors()[t], memory(t), place)};
    std::vector<double> values;
    if (problem::packed(tensors()[t].dtype))
      for (std::int64_t k = 0; k < tensors()[t].bytes; ++k)
        values.push_back(std::to_integer<int>(memory(t)[k]));
    else
      for (std::int64_t k = 0; k < tensors()[t].storage; ++k)
        values.push_back(read_place(tensors()[t], memory(t), k));
    return values;
  }

  double used_of(const std::string& name) {
    for (const auto& structure : judged_.instance.structure)
      if (structure.name == name) return static_cast<double>(structure.used);
    return static_cast<double>(tensors()[tensor_named(name)].extents.at(0));
  }

  // Every tensor as structure, so that formulas may name its elements.
  void prepare() {
    scope_ = scope_of(judged_.problem, judged_.instance);
    arrays_.reserve(tensors().size());
    for (std::size_t t = 0; t < tensors().size(); ++t) {
      const TensorInstance& tensor = tensors()[t];
      problem::StructureInstance array{.name = tensor.name, .dtype = problem::Dtype::f64};
      array.extents = tensor.extents;
      array.elements = tensor.elements;
      array.used = tensor.extents.empty() ? 1 : tensor.extents[0];
      std::vector<std::uint64_t> words;
      for (const double x : elements(t)) words.push_back(std::bit_cast<std::uint64_t>(x));
      array.words = std::make_shared<const std::vector<std::uint64_t>>(std::move(words));
      arrays_.push_back(std::move(array));
      scope_.structure[tensor.name] = &arrays_.back();
    }
  }
  bool holds(const std::string& condition) const { return evaluate(condition, scope_) == 1; }
  bool holds(const std::string& condition, const std::string& name, double value) const {
    problem::Scope scope = scope_;
    scope.structure.erase(name);
    scope.numbers[name] = value;
    return evaluate(condition, scope) == 1;
  }

 private:
  const std::vector<TensorInstance>& tensors() const { return judged_.instance.tensors; }
  std::size_t tensor_named(const std::string& name) const {
    for (std::size_t t = 0; t < tensors().size(); ++t)
      if (tensors()[t].name == name) return t;
    throw Error(fmt::format("there is no tensor {}", name));
  }
  const std::byte* memory(std::size_t t) {
    return tensors()[t].role == Role::input ? judged_.evaluator.input(t) : judged_.evaluator.output(t);
  }
  double read(std::size_t t, std::int64_t element) { return read_element(tensors()[t], memory(t), element); }
  double write(std::size_t t, std::int64_t element, double value) {
    return write_element(tensors()[t], judged_.evaluator.output(t), element, value);
  }
  void spoil(std::size_t t, std::int64_t element, double was) {
    const double far = std::isfinite(was) ? std::abs(was) / 2 + 1 : 0;
    const double up = std::isfinite(was) ? was + far : 0;
    if (same(write(t, element, up), was)) write(t, element, was - far);
  }
  std::vector<double> elements_of(std::size_t t, const std::byte* from) const {
    std::vector<double> values;
    for (std::int64_t k = 0; k < tensors()[t].elements; ++k)
      values.push_back(read_element(tensors()[t], from, k));
    return values;
  }
  std::vector<double> elements(std::size_t t) { return elements_of(t, memory(t)); }

  Judged judged_;
  problem::Scope scope_;
  std::vector<problem::StructureInstance> arrays_;
};

class Holder {
 public:
  explicit Holder(const Example& example)
      : example_(example), problem_(problem::parse("trial", example.yaml, "problem.yaml")) {}

  std::vector<std::string> faults() {
    if (example_.own.contains("reference"))
      for (const auto& reference : problem_.references)
        if (reference.output && !has_values(reference.name))
          fault(fmt::format("the example has a reference of {}, and does not say what it gives",
                            reference.name));
    each_workload([&](std::size_t choice, std::size_t workload) {
      for (const bool full : {true, false}) {
        Case unwritten(example_, choice, workload, full);
        if (unwritten.verify().right && !unwritten.empty())
          fault("outputs that were never written are right");
      }
      hold(choice, workload);
    });
    for (const Statement& statement : example_.statements)
      if (std::find(held_.begin(), held_.end(), &statement) == held_.end())
        fault(fmt::format("{}: about no test workload and no board", statement.text));
    return std::move(faults_);
  }

 private:
  using Kind = Statement::Kind;

  void fault(const std::string& sentence) { faults_.push_back(example_.place + ": " + sentence); }

  bool has_values(const std::string& name) const {
    return std::any_of(example_.statements.begin(), example_.statements.end(), [&](const Statement& s) {
      return s.name == name && (s.kind == Kind::value || s.kind == Kind::right);
    });
  }

  template <class F>
  void each_workload(F f) {
    for (std::size_t choice = 0; choice < problem_.choices.size(); ++choice)
      for (std::size_t w = 0; w < problem_.workloads.size(); ++w)
        if (problem_.workloads[w].stage == problem::Stage::test &&
            on_board(problem_.workloads[w], problem_.choices[choice]))
          f(choice, w);
  }

  bool about(const Statement& statement, std::size_t choice, std::size_t workload) {
    const std::string &name = problem_.workloads[workload].name, &board = problem_.choices[choice].name;
    if (!statement.on.empty()) return statement.on == name || statement.on == board;
    if (!first_) first_ = {choice, workload};
    return *first_ == std::pair{choice, workload};
  }

  void hold(std::size_t choice, std::size_t workload) {
    std::vector<const Statement*> all;
    for (const Statement& statement : example_.statements)
      if (about(statement, choice, workload)) all.push_back(&statement);
    if (all.empty()) return;
    held_.insert(held_.end(), all.begin(), all.end());
    Case one(example_, choice, workload, true);
    std::size_t outputs = 0, set = 0;
    for (const auto& tensor : problem_.tensors) {
      if (tensor.role == Role::input) continue;
      ++outputs;
      for (const Statement* statement : all)
        if (statement->name == tensor.name && statement->kind == Kind::value) one.set(*statement), ++set;
    }
    one.prepare();
    const auto verdict = [&](const char* what) {
      const Finding finding = one.verify();
      if (!finding.right) fault(fmt::format("{} are wrong: {}", what, finding.text));
      return finding.right;
    };
    if (outputs == set && verdict("the values stated"))
      if (const std::string text = one.unseen(); !text.empty()) fault(text);
    for (const Statement* statement : all) try {
        hold(*statement, one, choice, workload);
      } catch (const Error& error) {
        fault(fmt::format("{}: {}", statement->text, error.what()));
      }
  }

  void hold(const Statement& statement, Case& one, std::size_t choice, std::size_t workload) {
    switch (statement.kind) {
      case Kind::value:
        if (const auto* tensor = problem_.tensor(statement.name); tensor && tensor->role != Role::input)
          return;
        return equal(statement, one, one.values_of(statement.name));
      case Kind::sorted: {
        auto values = one.values_of(statement.name);
        std::sort(values.begin(), values.end());
        return equal(statement, one, values);
      }
      case Kind::memory:
        return equal(statement, one, one.places_of(statement.name, statement.place));
      case Kind::used:
        return equal(statement, one, {one.used_of(statement.name)});
      case Kind::sample: {
        Case sampled(example_, choice, workload, false);
        sampled.prepare();
        restate(sampled);
        return equal(statement, one, {static_cast<double>(sampled.sample(statement.name))});
      }
      case Kind::right:
      case Kind::wrong: {
        Case other(example_, choice, workload, true);
        other.prepare();
        restate(other);
        other.set(statement);
        const Finding finding = other.verify();
        if (finding.right != (statement.kind == Kind::right))
          fault(fmt::format("{}: found otherwise: {}", statement.text, finding.text));
        return;
      }
      case Kind::every:
        for (const double x : one.values_of(statement.name))
          if (!one.holds(statement.condition, statement.name, x))
            return fault(fmt::format("{}: does not hold for {}", statement.text, x));
        return;
      case Kind::condition:
        if (!one.holds(statement.condition)) fault(fmt::format("{}: does not hold", statement.text));
        return;
    }
  }

  // Sets what is stated without "is right" or "is wrong".
  void restate(Case& other) {
    for (const Statement& statement : example_.statements) {
      const auto* tensor = problem_.tensor(statement.name);
      if (tensor && tensor->role != Role::input && statement.kind == Kind::value && statement.on.empty())
        other.set(statement);
    }
  }

  void equal(const Statement& statement, const Case& one, const std::vector<double>& found) {
    auto expected = one.numbers(statement.values);
    if (expected.size() == 1) expected.resize(found.size(), expected[0]);
    bool all = found.size() == expected.size();
    for (std::size_t k = 0; all && k < found.size(); ++k)
      all = statement.values[std::min(k, statement.values.size() - 1)] == "_" || same(found[k], expected[k]);
    if (!all) fault(fmt::format("{}: found [{}]", statement.text, fmt::join(found, ", ")));
  }

  const Example& example_;
  const problem::Problem problem_;
  std::vector<std::string> faults_;
  std::vector<const Statement*> held_;
  std::optional<std::pair<std::size_t, std::size_t>> first_;
};

}  // namespace

std::vector<std::string> faults_of(const Example& example) {
  try {
    return Holder(example).faults();
  } catch (const std::exception& error) {
    return {example.place + ": " + error.what()};
  }
}

std::vector<std::string> programs_of(const Example& example) {
  std::vector<std::string> programs;
  try {
    const auto problem = problem::parse("trial", example.yaml, "kernels/trial/problem.yaml");
    for (const auto& choice : problem.choices) programs.push_back(Judged::text_of(problem, choice, false));
  } catch (const Error&) {  // faults_of() will say it
  }
  return programs;
}

}  // namespace podium::docs
