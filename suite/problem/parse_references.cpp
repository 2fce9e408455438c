// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References: their forms, and an order in which each uses only earlier ones.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "suite/base/nearest.hpp"
#include "suite/problem/dependency.hpp"
#include "suite/problem/lexer.hpp"
#include "suite/problem/parse_forms.hpp"
#include "suite/problem/parse_ranges.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_references = 64;

class ReferenceParser {
 public:
  ReferenceParser(Parsing& parsing, const Cursor& section) : parsing_(parsing), section_(section) {}

  void parse() {
    if (section_.is_map())
      for (const Cursor& field : section_.fields("")) parsing_.referable.insert(field.name());
    for (const Cursor& field : section_.fields("a map from names to references")) {
      const Tensor* tensor = parsing_.problem.tensor(field.name());
      const bool unclear = parsing_.unclear.contains(field.name());
      const std::size_t before = parsing_.mistakes.count();
      if (tensor && tensor->role == Role::input && !unclear)
        field.mistake("found a reference of an input, expected an output or a new name; inputs are filled");
      else if (tensor || (!unclear && parsing_.names.declare(field, field.name(), "reference")))
        read(field, tensor);
      if (parsing_.mistakes.count() != before) parsing_.unclear.insert(field.name());
    }
    if (items_.size() > most_references)
      return section_.mistake(
          fmt::format("found {} references, expected at most {}", items_.size(), most_references));
    sort();
  }

 private:
  struct Item {
    Reference reference;
    std::vector<Term> terms;
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
    if (!cursor.keys(form("reference"))) {
      items_.push_back(item);
      return;
    }
    std::set<std::string> own;
    if (output)
      output_index(cursor, *output, reference.index, own);
    else if (const auto index = cursor.need("index", "a map from indices to ranges, as in { i: rows }"))
      parse_ranges(parsing_, *index, reference.index, own, false);
    item.terms = parse_form(parsing_, cursor, reference, own);
    items_.push_back(std::move(item));
  }

  void output_index(const Cursor& cursor, const Tensor& output, std::vector<Index>& into,
                    std::set<std::string>& own) {
    const auto index = cursor.need("index", "the output's indices in the order of its shape, as in [i, j]");
    if (!index) return;
    if (index->is_map())
      return index->expected("a list of names, since the shape of an output gives the ranges");
    for (const Cursor& item : index->items("a list of names, as in [i, j]")) {
      const auto name = item.word("an index's name");
      if (!name || !declare_index(parsing_, item, *name, own)) continue;
      const std::size_t axis = into.size();
      const Text high = axis == 0 && output.used     ? *output.used
                        : axis < output.shape.size() ? output.shape[axis]
                                                     : Text{"1", item.at()};
      into.push_back({*name, {"0", item.at()}, high});
    }
    const std::size_t count = index->items("a list of names, as in [i, j]").size();
    if (index->is_list() && count != output.shape.size())
      index->mistake(fmt::format("found {}, expected {}: one for every axis of {}", indices(count),
                                 output.shape.size(), output.name));
  }

  // The references that an item uses; notes calls with a wrong number of indices.
  std::vector<std::size_t> uses(const Item& item) {
    std::vector<std::size_t> used;
    for (const Term& term : item.terms) uses(item.reference, term, used);
    return used;
  }

  void uses(const Reference& reference, const Term& term, std::vector<std::size_t>& used) {
    const auto tokens = tokenise(term.cursor.raw());
    const bool host = reference.form == Reference::Form::host;
    for (const Call& call : calls(tokens)) {
      if (host && call.name == "out") continue;
      const Tensor* tensor = parsing_.problem.tensor(call.name);
      const auto known = std::find_if(items_.begin(), items_.end(),
                                      [&](const Item& other) { return other.reference.name == call.name; });
      const bool itself = known != items_.end() && call.name == reference.name;
      if (known != items_.end() && !(itself && term.next))
        used.push_back(static_cast<std::size_t>(known - items_.begin()));
      if (parsing_.unclear.contains(call.name)) continue;
      check_structure(term, call);
      if (known == items_.end() && !tensor) continue;  // a function, or the compiler's to refuse
      if (known == items_.end() && tensor->role == Role::output) {
        term.cursor.mistake(fmt::format(
            "found {}(…), an output without a reference, expected inputs and references", call.name));
        continue;
      }
      const std::size_t rank = tensor ? tensor->shape.size() : known->reference.index.size();
      if (static_cast<std::size_t>(call.arguments) != rank)
        term.cursor.mistake(fmt::format("found {} with {}, expected {}", call.name,
                                        indices(static_cast<std::size_t>(call.arguments)), rank));
    }
    for (const std::string& hidden : term.hidden)
      for (std::size_t at = 0; at < tokens.size() && !host; ++at)
        if (tokens[at].kind == Token::Kind::name && tokens[at].text == hidden) {
          term.cursor.mistake(fmt::format("found the index {}, {}, expected other indices", hidden,
                                          reference.form == Reference::Form::order
                                              ? "which is the rank and not known before the sort"
                                              : "which is scattered: `at` says its value"));
          break;
        }
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
      if (tokens[at + 1].text == "." && parsing_.problem.tensor(tokens[at].text))
        term.cursor.mistake(fmt::format("found \"{}.\", which is not there yet; there is: {}(…)",
                                        tokens[at].text, tokens[at].text));
  }

  void check_structure(const Term& term, const Call& call) {
    for (const Structure& structure : parsing_.problem.structure)
      if (structure.name == call.name && static_cast<std::size_t>(call.arguments) != structure.shape.size())
        term.cursor.mistake(fmt::format("found {} with {}, expected {}", call.name,
                                        indices(static_cast<std::size_t>(call.arguments)),
                                        structure.shape.size()));
  }

  void sort() {
    std::vector<std::vector<std::size_t>> edges;
    for (const Item& item : items_) edges.push_back(uses(item));
    const Order order = dependency_order(edges);
    if (!order.cycle.empty()) {
      std::string ring;
      for (const std::size_t item : order.cycle) ring += items_[item].reference.name + " → ";
      const Item& first = items_[order.cycle[0]];
      first.terms.back().cursor.mistake(
          fmt::format("found references that need each other ({}{}), expected none to need itself", ring,
                      first.reference.name));
      for (const Item& item : items_) parsing_.problem.references.push_back(item.reference);
      return;
    }
    for (const std::size_t item : order.order) parsing_.problem.references.push_back(items_[item].reference);
  }

  Parsing& parsing_;
  const Cursor& section_;
  std::vector<Item> items_;
};

}  // namespace

void parse_references(Parsing& parsing, const Cursor& root) {
  if (const auto section = root.find("reference")) ReferenceParser(parsing, *section).parse();
}

}  // namespace podium::problem
