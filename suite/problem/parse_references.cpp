// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References: their forms, and an order in which each uses only earlier ones.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "suite/base/nearest.hpp"
#include "suite/problem/dependency.hpp"
#include "suite/problem/lexer.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_references = 64;

const std::vector<std::string> later_forms{"scan", "scatter", "recur", "order", "code", "host", "unless"};
const std::vector<std::pair<std::string, Reference::Op>> ops{{"sum", Reference::Op::sum},
                                                             {"product", Reference::Op::product},
                                                             {"max", Reference::Op::max},
                                                             {"min", Reference::Op::min},
                                                             {"count", Reference::Op::count}};

std::string indices(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "index" : "indices");
}

class ReferenceParser {
 public:
  ReferenceParser(Parsing& parsing, const Cursor& section) : parsing_(parsing), section_(section) {}

  void parse() {
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
    std::optional<Cursor> term;
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
    if (!cursor.keys({"index", "value", "reduce"}, later_forms)) {
      items_.push_back(item);
      return;
    }
    std::set<std::string> own;
    if (output)
      output_index(cursor, *output, reference.index, own);
    else if (const auto index = cursor.need("index", "a map from indices to ranges, as in { i: rows }"))
      ranges(*index, reference.index, own);
    const auto value = cursor.find("value"), reduce = cursor.find("reduce");
    if (value && reduce)
      cursor.mistake("found both value and reduce, expected one of them");
    else if (value)
      item.term = *value;
    else if (reduce)
      item.term = reduction(*reduce, reference, own);
    else
      cursor.mistake("found neither value nor reduce, expected one of them");
    if (item.term) {
      const auto text = item.term->text("a C++ expression");
      if (text) reference.term = *text;
      if (!text) item.term.reset();
    }
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
      if (!name || !declare(item, *name, own)) continue;
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

  // `outer`: whether ranges may use the indices before them.
  void ranges(const Cursor& cursor, std::vector<Index>& into, std::set<std::string>& own,
              bool outer = false) {
    if (cursor.is_list())
      return cursor.expected(
          "a map from indices to ranges, as in { i: rows }; only an output's index is a list");
    for (const Cursor& field : cursor.fields("a map from indices to ranges, as in { i: rows }")) {
      Index index{field.name(), {"0", field.at()}, {"1", field.at()}};
      if (field.is_list()) {
        const auto bounds = field.items("");
        if (bounds.size() == 2) {
          index.low = bound(bounds[0], index, own, outer);
          index.high = bound(bounds[1], index, own, outer);
        } else {
          field.mistake(fmt::format(
              "found a list of {}, expected two numbers: [low, high], high not included", bounds.size()));
        }
      } else {
        index.high = bound(field, index, own, outer);
      }
      if (declare(field, field.name(), own)) into.push_back(std::move(index));
    }
    if (into.size() > protocol::max_rank)
      cursor.mistake(fmt::format("found {}, expected at most {}", indices(into.size()), protocol::max_rank));
  }

  Text bound(const Cursor& cursor, Index& index, const std::set<std::string>& own, bool outer) {
    Text fallback{"1", cursor.at()};
    const Scope before = parsing_.scope;
    for (const std::string& name : own)
      if (outer) parsing_.scope.numbers[name] = 1;
    for (const std::string& name : names_in(cursor.raw())) {
      if (own.contains(name)) index.per_element = true;
      if (outer || parsing_.names.what_is(name) != "index") continue;
      cursor.mistake(fmt::format(
          "found the index {} in a range, expected axes, constants, parameters and structure; only "
          "ranges of over use indices",
          name));
      return fallback;
    }
    const auto text = parse_formula(parsing_, cursor);
    parsing_.scope = before;
    return text.value_or(fallback);
  }

  bool declare(const Cursor& where, const std::string& name, std::set<std::string>& own) {
    if (!parsing_.names.declare(where, name, "index")) return false;
    if (own.insert(name).second) return true;
    where.mistake(fmt::format("found the index {} twice in one reference, expected each once", name));
    return false;
  }

  std::optional<Cursor> reduction(const Cursor& cursor, Reference& reference, std::set<std::string>& own) {
    reference.form = Reference::Form::reduce;
    if (!cursor.is_map()) {
      cursor.expected("a map, as in { over: { j: cols }, op: sum, term: \"x(i, j)\" }");
      return std::nullopt;
    }
    cursor.keys({"over", "op", "term"});
    if (const auto over = cursor.need("over", "a map from indices to ranges, as in { j: cols }")) {
      ranges(*over, reference.over, own, true);
      if (over->is_map() && over->fields("").empty()) over->mistake("found no index, expected at least one");
    }
    std::vector<std::string> names;
    for (const auto& [name, op] : ops) names.push_back(name);
    if (const auto field = cursor.need("op", "sum, product, max, min or count")) {
      const auto word = field->word("sum, product, max, min or count");
      const auto known =
          std::find_if(ops.begin(), ops.end(), [&](const auto& op) { return word && op.first == *word; });
      if (known != ops.end())
        reference.op = known->second;
      else if (word)
        field->mistake(found_one_of(yaml::excerpt(*word), names));
    }
    return cursor.need("term", "a C++ expression");
  }

  // The references that a term uses; notes calls with a wrong number of indices.
  std::vector<std::size_t> uses(const Item& item) {
    std::vector<std::size_t> used;
    const auto tokens = tokenise(item.reference.term.text);
    for (const Call& call : calls(tokens)) {
      const Tensor* tensor = parsing_.problem.tensor(call.name);
      const auto known = std::find_if(items_.begin(), items_.end(),
                                      [&](const Item& other) { return other.reference.name == call.name; });
      if (known != items_.end()) used.push_back(static_cast<std::size_t>(known - items_.begin()));
      if (parsing_.unclear.contains(call.name)) continue;
      check_structure(item, call);
      if (known == items_.end() && !tensor) continue;  // a function, or the compiler's to refuse
      if (known == items_.end() && tensor->role == Role::output) {
        item.term->mistake(fmt::format(
            "found {}(…), an output without a reference, expected inputs and references", call.name));
        continue;
      }
      const std::size_t rank = tensor ? tensor->shape.size() : known->reference.index.size();
      if (static_cast<std::size_t>(call.arguments) != rank)
        item.term->mistake(fmt::format("found {} with {}, expected {}", call.name,
                                       indices(static_cast<std::size_t>(call.arguments)), rank));
    }
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
      if (tokens[at + 1].text == "." && parsing_.problem.tensor(tokens[at].text))
        item.term->mistake(fmt::format("found \"{}.\", which is not there yet; there is: {}(…)",
                                       tokens[at].text, tokens[at].text));
    return used;
  }

  void check_structure(const Item& item, const Call& call) {
    for (const Structure& structure : parsing_.problem.structure)
      if (structure.name == call.name && static_cast<std::size_t>(call.arguments) != structure.shape.size())
        item.term->mistake(fmt::format("found {} with {}, expected {}", call.name,
                                       indices(static_cast<std::size_t>(call.arguments)),
                                       structure.shape.size()));
  }

  void sort() {
    std::vector<std::vector<std::size_t>> edges;
    for (const Item& item : items_) edges.push_back(item.term ? uses(item) : std::vector<std::size_t>{});
    const Order order = dependency_order(edges);
    if (!order.cycle.empty()) {
      std::string ring;
      for (const std::size_t item : order.cycle) ring += items_[item].reference.name + " → ";
      const Item& first = items_[order.cycle[0]];
      first.term->mistake(
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
