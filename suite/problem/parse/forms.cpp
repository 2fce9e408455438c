// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/parse/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/formula/term_names.hpp"
#include "suite/problem/parse/format.hpp"
#include "suite/problem/parse/ranges.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

constexpr const char* an_expression = "a C++ expression";
constexpr const char* a_body = "a C++ body";
constexpr const char* a_loop = "a map from indices to ranges, as in { j: cols }";

class FormParser {
 public:
  FormParser(Parsing& parsing, Reference& reference, std::set<std::string>& own)
      : parsing_(parsing), reference_(reference), own_(own) {}

  struct Row {
    Reference::Form form;
    void (FormParser::*read)(const Cursor&);
    const char* example = nullptr;  // of a form that must be a map with the keys of the format's table
  };
  static const Row& row_of(Reference::Form form);

  std::vector<Term> parse(const Cursor& form) {
    const Row& row = row_of(reference_.form);
    if (!row.example || is_map(form, row.example, info(reference_.form).name)) (this->*row.read)(form);
    const bool clear = indices_are_clear(form);
    for (const auto& [cursor, faults] : checked_)
      for (const std::string& fault : faults)
        if (!(fault.starts_with("unknown name") && !clear) &&
            !(fault.starts_with("unknown") && parsing_.names.any_doubtful()))
          cursor.mistake(fault);
    for (const Cursor& bound : bounds_) terms_.push_back({.cursor = bound, .bound = true});
    return std::move(terms_);
  }

 private:
  // Names that may be indices which could not be read are not held against terms.
  bool indices_are_clear(const Cursor& form) const {
    const std::string& key = form.key();
    const auto wrong = [&](const std::string& part) { return parsing_.mistakes.about(part); };
    return !wrong(key.substr(0, key.rfind('.')) + ".index") && !wrong(key + ".over") &&
           !wrong(key + ".along") && !wrong(key + ".at");
  }

  static bool is_map(const Cursor& form, const char* example, std::string_view name) {
    if (form.is_map()) {
      form.keys(problem::form(name));
      return true;
    }
    form.expected(fmt::format("a map, as in {}", example));
    return false;
  }

  void take(const std::optional<Cursor>& cursor, const char* what, Text& into,
            const std::vector<std::string>& hidden = {}) {
    const auto text = cursor ? cursor->text(what) : std::nullopt;
    if (!text) return;
    into = *text;
    terms_.push_back({*cursor, hidden, false});
    checked_.emplace_back(*cursor, faults_of_term(text->text, names(), info(reference_.form).body));
    if (reference_.fills.empty()) return;
    for (std::string& fault : faults_of_draws(text->text)) checked_.back().second.push_back(std::move(fault));
  }

  // What a term may name; scattered indices and ranks are held against it elsewhere.
  TermNames names() const {
    TermNames names{own_, parsing_.referable, {}, {}};
    for (const std::string& type : parsing_.names.all("type")) names.types.insert(type);
    if (!reference_.fills.empty()) names.draws = draw_functions();
    for (const Index& index : reference_.index) names.numbers.insert(index.name);
    for (const auto& [name, value] : parsing_.scope.numbers) names.numbers.insert(name);
    for (const auto& [name, structure] : parsing_.scope.structure) names.arrays.insert(name);
    for (const std::string& name : parsing_.names.all("tensor")) names.arrays.insert(name);
    for (const std::string& name : parsing_.names.doubtful()) {
      names.arrays.erase(name);
      names.numbers.insert(name);  // which may also be called
    }
    return names;
  }

  void op(const Cursor& form) {
    constexpr const char* choices = "sum, product, max, min or count";
    const auto field = form.need("op", choices);
    const auto word = field ? field->word(choices) : std::nullopt;
    if (!word) return;
    for (const auto& [op, name] : operations)
      if (*word == name) {
        reference_.op = op;
        return;
      }
    field->mistake(found_one_of(yaml::excerpt(*word), words("op")));
  }

  void truth(const Cursor& form, const char* key, bool& into) {
    if (const auto field = form.find(key)) into = field->truth().value_or(false);
  }

  // `over`, or `along` of an order. Bounds that use outer indices are terms, too.
  void loop(const Cursor& over) {
    parse_ranges(parsing_, over, reference_.over, own_, true);
    if (over.is_map() && over.fields("").empty()) over.mistake("found no index, expected at least one");
    if (!over.is_map()) return;
    for (const Cursor& field : over.fields(""))
      for (const Index& index : reference_.over) {
        if (index.name != field.name() || !index.dependent) continue;
        if (field.is_scalar()) bounds_.push_back(field);
        if (field.is_list())
          for (const Cursor& bound : field.items("")) bounds_.push_back(bound);
        for (const char* key : {"low", "high"})
          if (const auto bound = field.is_map() ? field.find(key) : std::nullopt) bounds_.push_back(*bound);
      }
  }

  std::vector<std::string> index_names() const {
    std::vector<std::string> names;
    for (const Index& index : reference_.index) names.push_back(index.name);
    return names;
  }

  // One of the reference's own indices.
  void along(const Cursor& form) {
    constexpr const char* what = "the name of one of its indices, as in along: j";
    const auto field = form.need("along", what);
    if (!field) return;
    if (!field->is_scalar()) return field->expected(fmt::format("{}; its range is that index's", what));
    const auto word = field->word(what);
    if (!word) return;
    const auto names = index_names();
    const auto known = std::find(names.begin(), names.end(), *word);
    if (known == names.end()) return field->mistake(found_one_of(yaml::excerpt(*word), names));
    reference_.along = static_cast<std::size_t>(known - names.begin());
  }

  void value(const Cursor& form) { take(form, an_expression, reference_.term); }

  void reduce(const Cursor& form) {
    if (const auto over = form.need("over", a_loop)) loop(*over);
    op(form);
    take(form.need("term", an_expression), an_expression, reference_.term);
  }

  void scan(const Cursor& form) {
    along(form);
    op(form);
    truth(form, "exclusive", reference_.exclusive);
    take(form.need("term", an_expression), an_expression, reference_.term);
  }

  void scatter(const Cursor& form) {
    constexpr const char* what = "a map from scattered indices to expressions, as in { b: \"bin(t)\" }";
    const auto names = index_names();
    reference_.targets.resize(names.size());
    std::vector<std::string> scattered;
    const auto at = form.need("at", what);
    if (at && !at->is_map()) at->expected(what);
    std::vector<std::pair<Cursor, std::size_t>> targets;
    if (at && at->is_map()) {
      for (const Cursor& field : at->fields(what)) {
        const auto known = std::find(names.begin(), names.end(), field.name());
        if (known == names.end()) {
          field.mistake("not an index of it: " + found_one_of(yaml::excerpt(field.name()), names));
          continue;
        }
        scattered.push_back(field.name());
        targets.emplace_back(field, static_cast<std::size_t>(known - names.begin()));
      }
      if (at->fields("").empty()) at->mistake("found no index, expected at least one of those that it has");
    }
    // Loops run before it is known where their terms go: bounds cannot use what is scattered.
    for (const std::string& name : scattered) own_.erase(name);
    if (const auto over = form.need("over", a_loop)) loop(*over);
    std::vector<std::string> hidden;
    for (const std::string& name : scattered)
      if (own_.insert(name).second)
        hidden.push_back(name);
      else
        form.mistake(fmt::format("found the index {} twice in one reference, expected each once", name));
    for (const auto& [field, k] : targets) take(field, an_expression, reference_.targets[k], hidden);
    op(form);
    take(form.find("where"), an_expression, reference_.where, hidden);
    take(form.need("term", an_expression), an_expression, reference_.term, hidden);
  }

  void recur(const Cursor& form) {
    along(form);
    take(form.need("first", "a C++ expression: the value at the first step"), an_expression,
         reference_.first);
    take(form.need("next", "a C++ expression that may call the reference at earlier steps"), an_expression,
         reference_.term);
    if (!reference_.term.text.empty()) terms_.back().next = true;
    if (reference_.along >= reference_.index.size()) return;
    const std::string& step = reference_.index[reference_.along].name;
    for (const Access& call : accesses(reference_.term.text))
      if (call.name == reference_.itself() && call.member.empty() &&
          reference_.along < call.arguments.size() && call.arguments[reference_.along] == step)
        terms_.back().cursor.mistake(
            fmt::format("found {} to call itself at {}, which is being computed, expected an earlier step, "
                        "as in {} - 1",
                        reference_.itself(), step, step));
  }

  void order(const Cursor& form) {
    if (reference_.index.empty()) {
      if (indices_are_clear(form))
        form.mistake("found no index, expected at least one: the last is the rank");
      return;
    }
    const std::string rank = reference_.index.back().name;
    own_.erase(rank);  // a line is sorted whole: its range cannot depend on the rank
    if (const auto along = form.need("along", "one index and its range, as in { j: cols }")) {
      loop(*along);
      if (along->is_map() && along->fields("").size() > 1)
        along->mistake(fmt::format("found {}, expected one", indices(along->fields("").size())));
      for (const Index& index : reference_.over) needs_most(*along, index);
    }
    std::vector<std::string> hidden;
    if (own_.insert(rank).second)
      hidden.push_back(rank);
    else
      form.mistake(fmt::format("found the index {} twice in one reference, expected each once", rank));
    truth(form, "descending", reference_.descending);
    take(form.need("by", "a C++ expression: what is sorted by"), an_expression, reference_.term, hidden);
  }

  // A line is sorted in memory that must be large enough for every one; structure differs between rounds.
  void needs_most(const Cursor& along, const Index& index) {
    const bool structure = !structure_in(index.low.text, parsing_.scope).empty() ||
                           !structure_in(index.high.text, parsing_.scope).empty();
    if (!index.dependent || !index.most.text.empty() || !structure) return;
    along.mistake(
        fmt::format("found the range of {} to follow structure, expected its most values beside it, as in {{ "
                    "low: \"{}\", high: \"{}\", most: 64 }}; a line is sorted in memory of that size",
                    index.name, yaml::excerpt(index.low.text), yaml::excerpt(index.high.text)));
  }

  void code(const Cursor& form) {
    take(form, "a C++ body that ends in return", reference_.term);
    if (!reference_.term.text.empty() && !is_body(reference_.term.text))
      form.mistake(
          "found a C++ body without return, expected one that ends in return; write an expression as a "
          "value");
  }

  void host(const Cursor& form) {
    std::optional<Cursor> body = form;
    if (form.is_map()) {
      form.keys(problem::form("host"));
      truth(form, "integral", reference_.integral);
      body = form.need("body", a_body);
    }
    take(body, "a C++ body that assigns all of out(…)", reference_.term);
    if (reference_.term.text.empty()) return;
    const auto found = accesses(reference_.term.text);
    const auto out = std::find_if(found.begin(), found.end(), [](const auto& c) { return c.name == "out"; });
    if (out == found.end())
      body->mistake("found no out(…), expected a body that assigns every element, as in out(i, j) = 1;");
    for (const Access& call : found)
      if (call.name == "out" && call.arguments.size() != reference_.index.size())
        body->mistake(fmt::format("found out with {}, expected {}", indices(call.arguments.size()),
                                  reference_.index.size()));
  }

  Parsing& parsing_;
  Reference& reference_;
  std::set<std::string>& own_;
  std::vector<Term> terms_;
  std::vector<Cursor> bounds_;
  std::vector<std::pair<Cursor, std::vector<std::string>>> checked_;  // what is wrong with names in terms
};

const FormParser::Row& FormParser::row_of(Reference::Form form) {
  using Form = Reference::Form;
  static const std::array rows{
      Row{Form::value, &FormParser::value},
      Row{Form::reduce, &FormParser::reduce, "{ over: { j: cols }, op: sum, term: \"x(i, j)\" }"},
      Row{Form::scan, &FormParser::scan, "{ along: j, op: sum, term: \"x(i, j)\" }"},
      Row{Form::scatter, &FormParser::scatter,
          "{ over: { t: n }, at: { b: \"bin(t)\" }, op: sum, term: \"x(t)\" }"},
      Row{Form::recur, &FormParser::recur, "{ along: t, first: \"x(0)\", next: \"s(t - 1) + x(t)\" }"},
      Row{Form::order, &FormParser::order, "{ along: { j: cols }, by: \"x(i, j)\" }"},
      Row{Form::code, &FormParser::code},
      Row{Form::host, &FormParser::host}};
  return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.form == form; });
}

}  // namespace

std::vector<Term> parse_form(Parsing& parsing, const Cursor& cursor, Reference& reference,
                             std::set<std::string>& own) {
  std::vector<const ReferenceForm*> found;
  std::vector<std::string> names;
  for (const ReferenceForm& one : reference_forms()) {
    if (reference.check && !one.in_checks) continue;
    names.push_back(one.name);
    if (cursor.find(one.name)) found.push_back(&one);
  }
  if (found.empty())
    cursor.mistake(reference.check
                       ? fmt::format("found neither {}, expected one of them", fmt::join(names, " nor "))
                       : fmt::format("found no form, expected one of {}", fmt::join(names, ", ")));
  else if (found.size() > 1)
    cursor.mistake(fmt::format("found both {} and {}, expected one of them", found[0]->name, found[1]->name));
  if (found.size() != 1) return {};
  reference.form = found[0]->form;
  return FormParser(parsing, reference, own).parse(*cursor.find(found[0]->name));
}

void parse_host_outputs(Parsing& parsing) {
  const Problem& problem = parsing.problem;
  const bool tests_only = std::all_of(problem.workloads.begin(), problem.workloads.end(),
                                      [](const Workload& w) { return w.stage == Stage::test; });
  if (tests_only) return;
  for (const Tensor& tensor : problem.tensors) {
    const std::size_t r = reference_named(problem, tensor.name);
    if (tensor.role == Role::input || (r != no_reference && !needs_host(problem, problem.references[r])))
      continue;
    const bool checked = std::any_of(problem.checks.begin(), problem.checks.end(), [&](const Check& check) {
      return verifies(problem, check, tensor) &&
             !(!check.builtin && needs_host(problem, problem.references[check.reference]));
    });
    if (checked) continue;
    const bool compared = r != no_reference;
    parsing.mistakes.add(
        compared ? problem.references[r].at : tensor.at, (compared ? "reference." : "tensors.") + tensor.name,
        fmt::format("found {} that needs the form host, which only test workloads evaluate, expected a check "
                    "of {} for the others as well",
                    compared ? "a reference" : "an output whose only check is one", tensor.name));
  }
}

}  // namespace podium::problem
