// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/parse/forms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/formula/term_names.hpp"
#include "suite/problem/parse/format.hpp"
#include "suite/problem/parse/ranges.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

class FormParser : public FormReader {
 public:
  FormParser(Parsing& parsing, Reference& reference, std::set<std::string>& own)
      : parsing_(parsing), reference_(reference), own_(own) {}

  std::vector<Term> parse(const Cursor& form) {
    const ReferenceForm& row = *reference_.form;
    if (row.example.empty() || is_map(form, row.example)) row.read(*this, form);
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
  bool indices_are_clear(const Cursor& form) const override {
    const std::string& key = form.key();
    const auto wrong = [&](const std::string& part) { return parsing_.mistakes.about(part); };
    return !wrong(key.substr(0, key.rfind('.')) + ".index") && !wrong(key + ".over") &&
           !wrong(key + ".along") && !wrong(key + ".at");
  }

  bool is_map(const Cursor& form, const std::string& example) {
    if (form.is_map()) {
      keys(form);
      return true;
    }
    form.expected(fmt::format("a map, as in {}", example));
    return false;
  }

  void take(const std::optional<Cursor>& cursor, const char* what, Text& into,
            const std::vector<std::string>& hidden) override {
    const auto text = cursor ? cursor->text(what) : std::nullopt;
    if (!text) return;
    into = *text;
    terms_.push_back({*cursor, hidden, false});
    checked_.emplace_back(*cursor, faults_of_term(text->text, names(), reference_.form->body));
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

  Reference& reference() override { return reference_; }
  std::set<std::string>& own() override { return own_; }
  void keys(const Cursor& form) override { form.keys(problem::form(reference_.form->name)); }
  void calls_itself() override { terms_.back().next = true; }
  bool uses_structure(const Text& formula) const override {
    return !structure_in(formula.text, parsing_.scope).empty();
  }

  void op(const Cursor& form) override {
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

  // `over`, or `along` of an order. Bounds that use outer indices are terms, too.
  void loop(const Cursor& over) override {
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

  // One of the reference's own indices.
  void along(const Cursor& form) override {
    constexpr const char* what = "the name of one of its indices, as in along: j";
    const auto field = form.need("along", what);
    if (!field) return;
    if (!field->is_scalar()) return field->expected(fmt::format("{}; its range is that index's", what));
    const auto word = field->word(what);
    if (!word) return;
    const std::vector<std::string> names = index_names(reference_.index);
    const auto known = std::find(names.begin(), names.end(), *word);
    if (known == names.end()) return field->mistake(found_one_of(yaml::excerpt(*word), names));
    reference_.along = static_cast<std::size_t>(known - names.begin());
  }

  Parsing& parsing_;
  Reference& reference_;
  std::set<std::string>& own_;
  std::vector<Term> terms_;
  std::vector<Cursor> bounds_;
  std::vector<std::pair<Cursor, std::vector<std::string>>> checked_;  // what is wrong with names in terms
};

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
  reference.form = found[0];
  return FormParser(parsing, reference, own).parse(*cursor.find(found[0]->name));
}

void parse_host_outputs(Parsing& parsing) {
  const Problem& problem = parsing.problem;
  const bool tests_only = std::all_of(problem.workloads.begin(), problem.workloads.end(),
                                      [](const Workload& w) { return w.stage == Stage::test; });
  if (tests_only || problem.python) return;
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
