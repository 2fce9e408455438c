// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References: their forms, and an order in which each uses only earlier ones.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/dependency.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/parse/forms.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/parse/ranges.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_references = 64;

class ReferenceParser {
 public:
  ReferenceParser(Parsing& parsing, const Cursor& root) : parsing_(parsing), root_(root) {}

  void parse() {
    for (const Reference& held : parsing_.problem.references) items_.push_back({held, {}});
    for (Reference& probe : parse_probes(parsing_, root_)) {
      parsing_.referable.insert(probe.name);
      items_.push_back({std::move(probe), {}});
    }
    const auto section = parsing_.problem.python ? std::nullopt : root_.find("reference");
    parsing_.unread |= section && !section->is_map();
    const Fields fields = section ? section->fields("a map from names to references") : Fields{};
    if (fields.size() > most_references)
      return section->mistake(
          fmt::format("found {} references, expected at most {}", fields.size(), most_references));
    for (const Cursor& field : fields) {
      const Tensor* tensor = parsing_.problem.tensor(field.name());
      const bool unclear = parsing_.unclear.contains(field.name());
      const std::size_t before = parsing_.mistakes.count();
      if (tensor && tensor->role == Role::input && !unclear)
        field.mistake("found a reference of an input, expected an output or a new name; inputs are filled");
      else if (tensor || (!unclear && parsing_.names.declare(field, field.name(), "reference")))
        read(field, tensor);
      if (parsing_.mistakes.count() != before) parsing_.unclear.insert(field.name());
    }
    for (const DerivedFill& fill : derived_fills(parsing_, root_)) {
      const std::size_t before = parsing_.mistakes.count();
      read_fill(fill.cursor, fill.tensor);
      if (parsing_.mistakes.count() != before) parsing_.unclear.insert(fill.cursor.key());
    }
    for (const Cursor& field : general_checks(root_)) {
      const std::size_t before = parsing_.mistakes.count();
      read_check(field);
      if (parsing_.mistakes.count() != before) parsing_.unclear.insert("checks." + field.name());
    }
    if (items_.size() > most_references)
      return (section ? *section : root_)
          .mistake(fmt::format("found {} references, expected at most {}", items_.size(), most_references));
    sort();
  }

 private:
  using Fields = std::vector<Cursor>;
  struct Item {
    Reference reference = plain_reference();
    std::vector<Term> terms;  // none of a probe
  };

  void read(const Cursor& cursor, const Tensor* output) {
    Item item;
    Reference& reference = item.reference;
    reference.name = cursor.name();
    reference.at = cursor.at();
    reference.output = output != nullptr;
    if (!cursor.is_map()) {
      cursor.expected("a map, as in { index: [i, j], value: \"x(i, j)\" }");
      items_.push_back(item);
      return;
    }
    const bool known = cursor.keys(form("reference"));
    std::set<std::string> own;
    if (output)
      own_index(cursor, *output, reference.index, own);
    else if (const auto index = cursor.need("index", "a map from indices to ranges, as in { i: rows }"))
      parse_ranges(parsing_, *index, reference.index, own, false);
    if (const auto unless = cursor.find("unless")) {
      if (!output)
        unless->mistake("found unless beside the reference of no output, expected it beside an output's");
      reference.unless = unless->word("the name of a reference").value_or("");
      reference.unless_at = unless->at();
    }
    if (const auto any = cursor.find("any")) parse_any(*any, reference);
    if (known || has_form(cursor)) item.terms = parse_form(parsing_, cursor, reference, own);
    items_.push_back(std::move(item));
  }

  void parse_any(const Cursor& cursor, Reference& reference) {
    if (!reference.output)
      cursor.mistake("found any beside the reference of no output, expected it beside an output's");
    std::vector<std::string> indices;
    for (const Index& index : reference.index) indices.push_back(index.name);
    if (const auto formula = parse_element_formula(parsing_, cursor, indices)) reference.any = *formula;
  }

  // Whether a form is among its keys, if not all keys are known: an unknown one may have been meant to be it,
  // or YAML may have cut its term at a comma.
  static bool has_form(const Cursor& cursor) {
    const auto& forms = form("reference").one_of;
    for (const Cursor& field : cursor.fields(""))
      if (field.name().find_first_of("()") != std::string::npos) return false;
    return std::any_of(forms.begin(), forms.end(), [&](const auto& name) { return cursor.find(name); });
  }

  void read_fill(const Cursor& cursor, const Tensor& tensor) {
    Item item;
    item.reference.name = cursor.key();
    item.reference.at = cursor.at();
    item.reference.fills = tensor.name;
    std::set<std::string> own;
    const bool known = cursor.keys(form("derived_fill"));
    own_index(cursor, tensor, item.reference.index, own);
    if (known || has_form(cursor)) item.terms = parse_form(parsing_, cursor, item.reference, own);
    items_.push_back(std::move(item));
  }

  // A check is evaluated as references are; its limit is read with the checks.
  void read_check(const Cursor& cursor) {
    Item item;
    item.reference.name = "checks." + cursor.name();
    item.reference.at = cursor.at();
    item.reference.check = true;
    std::set<std::string> own;
    const auto index =
        cursor.need("index", "a map from indices to ranges, as in { i: rows }, or their names");
    if (index && !index->is_list()) parse_ranges(parsing_, *index, item.reference.index, own, false);
    const auto listed = index && index->is_list() ? index->items("") : Fields{};
    for (const Cursor& name : listed) {
      const auto word = name.word("an index's name");
      if (word && declare_index(parsing_, name, *word, own))
        item.reference.index.push_back({*word, {"0", name.at()}, {"1", name.at()}});
    }
    if (listed.size() > protocol::max_rank)
      index->mistake(
          fmt::format("found {}, expected at most {}", indices(listed.size()), protocol::max_rank));
    if (cursor.keys(form("check")) || has_form(cursor))
      item.terms = parse_form(parsing_, cursor, item.reference, own);
    if (!item.terms.empty() && item.reference.index.size() == listed.size())
      for (std::size_t k = 0; k < listed.size(); ++k) range_from_terms(listed[k], item.reference, k);
    items_.push_back(std::move(item));
  }

  // The extent of an axis as far as it is in use.
  template <class Shaped>
  static const Text& high_of(const Shaped& shaped, std::size_t axis) {
    return axis == 0 && shaped.used ? *shaped.used : shaped.shape[axis];
  }

  // The range over which what is called `name` has its axis or index number `at`; nothing if it has none.
  std::optional<Index> range_of(const std::string& name, std::size_t at) const {
    if (const Tensor* tensor = parsing_.problem.tensor(name)) {
      if (at >= tensor->shape.size()) return std::nullopt;
      return Index{name, {"0", tensor->at}, high_of(*tensor, at)};
    }
    for (const Structure& structure : parsing_.problem.structure)
      if (structure.name == name && at < structure.shape.size())
        return Index{name, {"0", structure.at}, high_of(structure, at)};
    for (const Item& item : items_)
      if (item.reference.name == name && at < item.reference.index.size())
        return Index{name, item.reference.index[at].low, item.reference.index[at].high};
    return std::nullopt;
  }

  // An index that a check only names runs over the axis that its terms read with it.
  void range_from_terms(const Cursor& cursor, Reference& check, std::size_t k) {
    Index& index = check.index[k];
    std::vector<Index> found;  // name: of what is read
    bool unclear = false;
    for (const Access& access : accesses(check)) {
      unclear = unclear || parsing_.unclear.contains(access.name);
      for (std::size_t at = 0; at < access.arguments.size(); ++at) {
        const auto range = access.arguments[at] == index.name ? range_of(access.name, at) : std::nullopt;
        if (range && std::none_of(found.begin(), found.end(), [&](const Index& other) {
              return other.low.text == range->low.text && other.high.text == range->high.text;
            }))
          found.push_back(*range);
      }
    }
    if (unclear) return;
    if (found.empty())
      return cursor.mistake(
          fmt::format("found the index {} without a range, and no tensor read with it alone, expected a map "
                      "as in {{ {}: n }}",
                      index.name, index.name));
    if (found.size() > 1)
      return cursor.mistake(fmt::format(
          "found the index {} over {} by {} and over {} by {}, expected one range, or a map as in {{ {}: n "
          "}}",
          index.name, found[0].high.text, found[0].name, found[1].high.text, found[1].name, index.name));
    index.low = found[0].low;
    index.high = found[0].high;
  }

  // The indices of an output's reference, or of an input's fill.
  void own_index(const Cursor& cursor, const Tensor& tensor, std::vector<Index>& into,
                 std::set<std::string>& own) {
    const std::string_view what = tensor.role == Role::input ? "input" : "output";
    const auto index =
        cursor.need("index", fmt::format("the {}'s indices in the order of its shape, as in [i, j]", what));
    if (!index) return;
    if (index->is_map())
      return index->expected(fmt::format("a list of names, since the shape of an {} gives the ranges", what));
    for (const Cursor& item : index->items("a list of names, as in [i, j]")) {
      const auto name = item.word("an index's name");
      if (!name || !declare_index(parsing_, item, *name, own)) continue;
      const std::size_t axis = into.size();
      const Text high = axis < tensor.shape.size() ? high_of(tensor, axis) : Text{"1", item.at()};
      into.push_back({*name, {"0", item.at()}, high});
    }
    const std::size_t count = index->items("a list of names, as in [i, j]").size();
    if (index->is_list() && count != tensor.shape.size())
      index->mistake(fmt::format("found {}, expected {}: one for every axis of {}", indices(count),
                                 tensor.shape.size(), tensor.name));
  }

  // The references that an item uses; notes calls with a wrong number of indices.
  std::vector<std::size_t> uses(const Item& item) {
    std::vector<std::size_t> used;
    for (const Term& term : item.terms) uses(item.reference, term, used);
    return used;
  }

  void uses(const Reference& reference, const Term& term, std::vector<std::size_t>& used) {
    const std::string text = term.cursor.raw();
    const auto tokens = tokenise(text);
    const bool host = reference.form->assigns;
    for (const Access& access : accesses(text)) {
      if (host && access.name == "out") continue;
      const Meaning what = meaning(parsing_.problem, reference, access);
      const bool is_reference = what.kind == Meaning::Kind::reference;
      const bool itself = is_reference && items_[what.index].reference.name == reference.name;
      if (is_reference && !(itself && term.next)) used.push_back(what.index);
      if (what.kind == Meaning::Kind::input)  // what is filled from others is there before it is read
        for (std::size_t fill = 0; fill < items_.size(); ++fill)
          if (items_[fill].reference.fills == parsing_.problem.tensors[what.index].name) used.push_back(fill);
      if (parsing_.unclear.contains(access.name)) continue;
      if (what.kind == Meaning::Kind::other) continue;  // a function, or the compiler's to refuse
      const std::size_t rank = is_reference ? items_[what.index].reference.index.size()
                               : what.kind == Meaning::Kind::structure
                                   ? parsing_.problem.structure[what.index].shape.size()
                                   : parsing_.problem.tensors[what.index].shape.size();
      if (access.arguments.size() != rank)
        term.cursor.mistake(fmt::format("found {} with {}, expected {}", access.name,
                                        indices(access.arguments.size()), rank));
    }
    for (const std::string& hidden : term.hidden)
      for (std::size_t at = 0; at < tokens.size() && !host; ++at)
        if (tokens[at].kind == Token::Kind::name && tokens[at].text == hidden) {
          term.cursor.mistake(fmt::format("found the index {}, {}, expected other indices", hidden,
                                          reference.form->ranks
                                              ? "which is the rank and not known before the sort"
                                              : "which is scattered: `at` says its value"));
          break;
        }
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at)
      if (tokens[at + 1].text == ".")
        if (const Tensor* tensor = parsing_.problem.tensor(tokens[at].text))
          member(reference, term, *tensor, tokens[at + 2].text,
                 at + 3 < tokens.size() && tokens[at + 3].text == "(");
  }

  // x.initial(…) and y.reference(…): whether there is such a thing here.
  void member(const Reference& reference, const Term& term, const Tensor& tensor, const std::string& name,
              bool called) {
    const auto refuse = [&](const std::string& why) {
      term.cursor.mistake(fmt::format("found {}.{}, {}", tensor.name, yaml::excerpt(name), why));
    };
    if (parsing_.unclear.contains(tensor.name)) return;
    if (!called && (name == "initial" || name == "reference"))
      return refuse(fmt::format("expected an element, as in {}.{}(i)", tensor.name, name));
    if (name == "initial") {
      if (tensor.role != Role::inout)
        refuse(fmt::format("expected {}(…); only tensors with role: inout have values before the call",
                           tensor.name));
    } else if (name == "reference") {
      if (tensor.role == Role::input)
        refuse(fmt::format("expected {}(…); only outputs have references", tensor.name));
      else if (!reference.check)
        refuse(
            fmt::format("expected {}(…); in references an output's name means its reference", tensor.name));
      else if (reference_named(parsing_.problem, tensor.name) == no_reference)
        refuse(fmt::format("expected {}(…); it is an output without a reference", tensor.name));
    } else {
      refuse(fmt::format("expected {0}(…), {0}.initial(…) of an inout tensor or, in checks, {0}.reference(…)",
                         tensor.name));
    }
  }

  void sort() {
    auto& references = parsing_.problem.references;
    references.clear();
    for (const Item& item : items_) references.push_back(item.reference);
    std::vector<std::vector<std::size_t>> edges;
    for (const Item& item : items_) edges.push_back(uses(item));
    const Order order = dependency_order(edges);
    if (!order.cycle.empty()) {
      std::string ring;
      for (const std::size_t item : order.cycle) ring += items_[item].reference.name + " → ";
      const Item& first = items_[order.cycle[0]];
      return first.terms.back().cursor.mistake(fmt::format(
          "found a cycle of references ({}{}), expected references that do not depend on themselves", ring,
          first.reference.name));
    }
    references.clear();
    for (const std::size_t item : order.order) references.push_back(items_[item].reference);
    const auto depends = dependences(parsing_.problem);
    for (std::size_t r = 0; r < references.size(); ++r)
      if (const Item& item = items_[order.order[r]]; !item.terms.empty()) trust(item, depends, r);
  }

  // Whoever could choose what it is compared with would always be right, and whoever could choose how long a
  // loop is would keep the judge busy; a check needs something to check.
  void trust(const Item& item, const std::vector<Dependence>& depends, std::size_t r) {
    const Cursor& cursor = item.terms.back().cursor;
    for (const Term& term : item.terms)
      if (term.bound) trust_bound(item.reference, term.cursor, depends);
    if (item.reference.check && !depends[r].on_contestant() && parsing_.unclear.empty())
      cursor.mistake(
          "found a check that reads no output, expected it to read one; otherwise it could never fail");
    const bool fill = !item.reference.fills.empty();
    if (!item.reference.output && !fill) return;
    if (const std::string what = untrusted(parsing_.problem, depends[r]); !what.empty())
      cursor.mistake(
          fill ? fmt::format("found a fill that depends on {}, expected inputs, structure and references",
                             what)
               : fmt::format(
                     "found a reference that depends on {}, expected inputs and other references; that "
                     "belongs into checks",
                     what));
  }

  void trust_bound(const Reference& reference, const Cursor& cursor, const std::vector<Dependence>& depends) {
    for (const Access& access : accesses(cursor.raw())) {
      const Meaning what = meaning(parsing_.problem, reference, access);
      if (what.kind == Meaning::Kind::written ||
          (what.kind == Meaning::Kind::reference && depends[what.index].on_contestant()))
        return cursor.mistake(fmt::format(
            "found a range that {}, which a contestant writes, bounds, expected inputs, structure "
            "and references of those; a loop must not run as long as a contestant likes",
            access.name));
    }
  }

  Parsing& parsing_;
  const Cursor& root_;
  std::vector<Item> items_;
};

}  // namespace

void name_references(Parsing& parsing, const Cursor& root) {
  const auto section = parsing.problem.python ? std::nullopt : root.find("reference");
  if (section && section->is_map())
    for (const Cursor& field : section->fields("")) parsing.referable.insert(field.name());
}

void parse_references(Parsing& parsing, const Cursor& root) { ReferenceParser(parsing, root).parse(); }

}  // namespace podium::problem
