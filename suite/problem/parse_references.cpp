// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References: their forms, and an order in which each uses only earlier ones.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "suite/base/nearest.hpp"
#include "suite/problem/access.hpp"
#include "suite/problem/dependency.hpp"
#include "suite/problem/lexer.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_references = 64;

const std::vector<std::string> later_forms{"scan", "scatter", "recur", "order", "code", "host"};
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
  ReferenceParser(Parsing& parsing, const Cursor& root) : parsing_(parsing), root_(root) {}

  void parse() {
    for (Reference& probe : parse_probes(parsing_, root_)) items_.push_back({std::move(probe), {}});
    const auto section = root_.find("reference");
    for (const Cursor& field : section ? section->fields("a map from names to references") : Fields{}) {
      const Tensor* tensor = parsing_.problem.tensor(field.name());
      const bool unclear = parsing_.unclear.contains(field.name());
      const std::size_t before = parsing_.mistakes.count();
      if (tensor && tensor->role == Role::input && !unclear)
        field.mistake("found a reference of an input, expected an output or a new name; inputs are filled");
      else if (tensor || (!unclear && parsing_.names.declare(field, field.name(), "reference")))
        read(field, tensor);
      if (parsing_.mistakes.count() != before) parsing_.unclear.insert(field.name());
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
    if (!cursor.keys({"index", "value", "reduce", "unless"}, later_forms)) {
      items_.push_back(item);
      return;
    }
    std::set<std::string> own;
    if (output)
      output_index(cursor, *output, reference.index, own);
    else if (const auto index = cursor.need("index", "a map from indices to ranges, as in { i: rows }"))
      ranges(*index, reference.index, own);
    if (const auto unless = cursor.find("unless")) {
      if (!output)
        unless->mistake("found unless beside the reference of no output, expected it beside an output's");
      reference.unless = unless->word("the name of a reference").value_or("");
      reference.unless_at = unless->at();
    }
    form(cursor, item, own);
    items_.push_back(std::move(item));
  }

  void form(const Cursor& cursor, Item& item, std::set<std::string>& own) {
    const auto value = cursor.find("value"), reduce = cursor.find("reduce");
    if (value && reduce)
      cursor.mistake("found both value and reduce, expected one of them");
    else if (value)
      item.term = *value;
    else if (reduce)
      item.term = reduction(*reduce, item.reference, own);
    else
      cursor.mistake("found neither value nor reduce, expected one of them");
    if (item.term) {
      const auto text = item.term->text("a C++ expression");
      if (text) item.reference.term = *text;
      if (!text) item.term.reset();
    }
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
    if (index && !index->is_list()) ranges(*index, item.reference.index, own);
    std::vector<Cursor> listed = index && index->is_list() ? index->items("") : Fields{};
    for (const Cursor& name : listed) {
      const auto word = name.word("an index's name");
      if (word && declare(name, *word, own))
        item.reference.index.push_back({*word, {"0", name.at()}, {"1", name.at()}});
    }
    if (listed.size() > protocol::max_rank)
      index->mistake(
          fmt::format("found {}, expected at most {}", indices(listed.size()), protocol::max_rank));
    form(cursor, item, own);
    if (item.term && item.reference.index.size() == listed.size())
      for (std::size_t k = 0; k < listed.size(); ++k) range_from_term(listed[k], item.reference, k);
    items_.push_back(std::move(item));
  }

  // An index that a check only names runs over the axis that the term reads with it.
  void range_from_term(const Cursor& cursor, Reference& check, std::size_t k) {
    Index& index = check.index[k];
    std::vector<Index> found;  // name: of what is read
    const auto note = [&](const std::string& from, const Text& low, const Text& high) {
      const auto same = [&](const Index& other) {
        return other.low.text == low.text && other.high.text == high.text;
      };
      if (std::none_of(found.begin(), found.end(), same)) found.push_back({from, low, high});
    };
    bool unclear = false;
    for (const Access& access : accesses(check.term.text)) {
      const Tensor* tensor = parsing_.problem.tensor(access.name);
      unclear = unclear || parsing_.unclear.contains(access.name);
      const auto item = std::find_if(items_.begin(), items_.end(),
                                     [&](const Item& other) { return other.reference.name == access.name; });
      for (std::size_t at = 0; at < access.arguments.size(); ++at) {
        if (access.arguments[at] != index.name) continue;
        if (tensor && at < tensor->shape.size())
          note(access.name, {"0", tensor->at}, tensor->shape[at]);
        else if (!tensor && item != items_.end() && at < item->reference.index.size())
          note(access.name, item->reference.index[at].low, item->reference.index[at].high);
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
      const Text high = axis < output.shape.size() ? output.shape[axis] : Text{"1", item.at()};
      into.push_back({*name, {"0", item.at()}, high});
    }
    const std::size_t count = index->items("a list of names, as in [i, j]").size();
    if (index->is_list() && count != output.shape.size())
      index->mistake(fmt::format("found {}, expected {}: one for every axis of {}", indices(count),
                                 output.shape.size(), output.name));
  }

  void ranges(const Cursor& cursor, std::vector<Index>& into, std::set<std::string>& own) {
    if (cursor.is_list())
      return cursor.expected(
          "a map from indices to ranges, as in { i: rows }; only an output's index is a list");
    for (const Cursor& field : cursor.fields("a map from indices to ranges, as in { i: rows }")) {
      Index index{field.name(), {"0", field.at()}, {"1", field.at()}};
      if (field.is_list()) {
        const auto bounds = field.items("");
        if (bounds.size() == 2) {
          index.low = bound(bounds[0]);
          index.high = bound(bounds[1]);
        } else {
          field.mistake(fmt::format(
              "found a list of {}, expected two numbers: [low, high], high not included", bounds.size()));
        }
      } else {
        index.high = bound(field);
      }
      if (declare(field, field.name(), own)) into.push_back(std::move(index));
    }
    if (into.size() > protocol::max_rank)
      cursor.mistake(fmt::format("found {}, expected at most {}", indices(into.size()), protocol::max_rank));
  }

  Text bound(const Cursor& cursor) {
    Text fallback{"1", cursor.at()};
    for (const std::string& name : names_in(cursor.raw()))
      if (parsing_.names.what_is(name) == "index") {
        cursor.mistake(
            fmt::format("found the index {} in a range, which is not there yet; there are: axes, constants "
                        "and parameters",
                        name));
        return fallback;
      }
    return parse_formula(parsing_, cursor).value_or(fallback);
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
      ranges(*over, reference.over, own);
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
    for (const Access& access : accesses(item.reference.term.text)) {
      const Tensor* tensor = parsing_.problem.tensor(access.name);
      const Meaning what = meaning(parsing_.problem, item.reference, access);
      if (what.kind == Meaning::Kind::reference) used.push_back(what.index);
      if (parsing_.unclear.contains(access.name)) continue;
      if (what.kind == Meaning::Kind::other) continue;  // a function, or the compiler's to refuse
      const std::size_t rank = tensor ? tensor->shape.size() : items_[what.index].reference.index.size();
      if (access.arguments.size() != rank)
        item.term->mistake(fmt::format("found {} with {}, expected {}", access.name,
                                       indices(access.arguments.size()), rank));
    }
    const auto tokens = tokenise(item.reference.term.text);
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at)
      if (tokens[at + 1].text == ".")
        if (const Tensor* tensor = parsing_.problem.tensor(tokens[at].text))
          member(item, *tensor, tokens[at + 2].text);
    return used;
  }

  // x.initial(…) and y.reference(…): whether there is such a thing here.
  void member(const Item& item, const Tensor& tensor, const std::string& name) {
    const auto refuse = [&](const std::string& why) {
      item.term->mistake(fmt::format("found {}.{}, {}", tensor.name, yaml::excerpt(name), why));
    };
    if (parsing_.unclear.contains(tensor.name)) return;
    if (name == "initial") {
      if (tensor.role != Role::inout)
        refuse(fmt::format("expected {}(…); only tensors with role: inout have values before the call",
                           tensor.name));
    } else if (name == "reference") {
      if (tensor.role == Role::input)
        refuse(fmt::format("expected {}(…); only outputs have references", tensor.name));
      else if (!item.reference.check)
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
    for (const Item& item : items_) references.push_back(item.reference);
    std::vector<std::vector<std::size_t>> edges;
    for (const Item& item : items_) edges.push_back(item.term ? uses(item) : std::vector<std::size_t>{});
    const Order order = dependency_order(edges);
    if (!order.cycle.empty()) {
      std::string ring;
      for (const std::size_t item : order.cycle) ring += items_[item].reference.name + " → ";
      const Item& first = items_[order.cycle[0]];
      return first.term->mistake(
          fmt::format("found references that need each other ({}{}), expected none to need itself", ring,
                      first.reference.name));
    }
    references.clear();
    for (const std::size_t item : order.order) references.push_back(items_[item].reference);
    const auto depends = dependences(parsing_.problem);
    for (std::size_t r = 0; r < references.size(); ++r)
      if (const Item& item = items_[order.order[r]]; item.term) trust(item, depends[r]);
  }

  // Whoever could choose what it is compared with would always be right; and a check needs something to
  // check.
  void trust(const Item& item, const Dependence& depends) {
    if (item.reference.check && !depends.on_contestant() && parsing_.unclear.empty())
      item.term->mistake("found a check of no output, expected one to be read, or nothing could fail it");
    if (!item.reference.output) return;
    if (const std::string what = untrusted(parsing_.problem, depends); !what.empty())
      item.term->mistake(
          fmt::format("found a reference that depends on {}, expected inputs and other references; that "
                      "belongs into checks",
                      what));
  }

  Parsing& parsing_;
  const Cursor& root_;
  std::vector<Item> items_;
};

}  // namespace

void parse_references(Parsing& parsing, const Cursor& root) { ReferenceParser(parsing, root).parse(); }

}  // namespace podium::problem
