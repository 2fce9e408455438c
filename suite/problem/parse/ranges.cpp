// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/parse/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/parse/format.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr const char* map_of_ranges = "a map from indices to ranges, as in { i: rows }";

// One range while it is read.
class RangeParser {
 public:
  RangeParser(Parsing& parsing, const Cursor& field, const std::set<std::string>& own, bool inner)
      : parsing_(parsing), field_(field), own_(own), inner_(inner) {}

  Index parse() {
    Index index{field_.name(), {"0", field_.at()}, {"1", field_.at()}};
    std::optional<Cursor> low, most;
    std::optional<Cursor> high = field_;
    if (field_.is_list()) {
      const auto bounds = field_.items("");
      if (bounds.size() != 2) {
        field_.mistake(fmt::format("found a list of {}, expected two numbers: [low, high], high not included",
                                   bounds.size()));
        return index;
      }
      low = bounds[0], high = bounds[1];
    } else if (field_.is_map()) {
      field_.keys(form("range_map"));
      low = field_.find("low"), most = field_.find("most");
      high = field_.need("high", "the range's end, which is not included");
    }
    index.dependent = inner_ && ((low && depends(*low)) || (high && depends(*high)));
    if (low) index.low = index.dependent ? expression(*low) : formula(*low);
    if (high) index.high = index.dependent ? expression(*high) : formula(*high);
    if (most && !index.dependent)
      most->mistake(
          "found the most values of a range that uses no outer index, expected none: low and high "
          "say how many there are");
    else if (most)
      index.most = formula(*most);
    else if (index.dependent && !unclear_ && !(computable(index.low) && computable(index.high)))
      field_.mistake(fmt::format(
          "found the range [{}, {}], whose length is known only on the device, expected its most values "
          "beside "
          "it, as in {{ low: \"{}\", high: \"{}\", most: 64 }}; the work is divided by that number",
          yaml::excerpt(index.low.text), yaml::excerpt(index.high.text), yaml::excerpt(index.low.text),
          yaml::excerpt(index.high.text)));
    return index;
  }

 private:
  // Whether a bound uses outer indices or calls what formulas cannot.
  bool depends(const Cursor& bound) const {
    for (const Token& token : tokenise(bound.raw()))
      if (token.kind == Token::Kind::name && own_.contains(token.text)) return true;
    for (const Access& access : accesses(bound.raw()))  // x.initial(…) as well
      if (parsing_.problem.tensor(access.name) || parsing_.referable.contains(access.name)) return true;
    return false;
  }

  Text formula(const Cursor& bound) {
    const Text fallback{"1", bound.at()};
    for (const std::string& name : names_in(bound.raw()))
      if (parsing_.names.what_is(name) == "index" || own_.contains(name)) {
        bound.mistake(fmt::format(
            "found the index {} in a range, expected axes, constants, parameters and structure{}", name,
            inner_ ? fmt::format("; outer indices are: {}", fmt::join(own_, ", "))
                   : "; only the ranges of a loop (over, along) may use indices outside of it"));
        return fallback;
      }
    const auto text = parse_formula(parsing_, bound);
    unclear_ |= !text;
    return text.value_or(fallback);
  }

  // A bound in C++: its names must be known; what it calls is looked up with the other terms.
  Text expression(const Cursor& bound) {
    const auto text = bound.text("a number or a C++ expression");
    unclear_ |= !text;
    if (!text) return {"1", bound.at()};
    const auto tokens = tokenise(text->text);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      if (tokens[at].kind != Token::Kind::name || (at + 1 < tokens.size() && tokens[at + 1].text == "("))
        continue;
      const std::string& name = tokens[at].text;
      if (at + 1 < tokens.size() && tokens[at + 1].text == "." && parsing_.problem.tensor(name)) continue;
      if (own_.contains(name) || parsing_.scope.numbers.contains(name)) continue;
      if (parsing_.names.doubtful(name)) {
        unclear_ = true;
        continue;
      }
      if (parsing_.scope.structure.contains(name)) {
        if (at >= 2 && tokens[at - 1].text == "(" && tokens[at - 2].text == "segment") continue;
        bound.mistake(fmt::format("in \"{}\" found {} without indices, expected an element, as in {}(0)",
                                  yaml::excerpt(text->text), name, name));
        unclear_ = true;
        break;
      }
      std::vector<std::string> known(own_.begin(), own_.end());
      for (const auto& [number, value] : parsing_.scope.numbers) known.push_back(number);
      std::sort(known.begin(), known.end());
      bound.mistake(
          fmt::format("in \"{}\" {}", yaml::excerpt(text->text), found_one_of(yaml::excerpt(name), known)));
      unclear_ = true;
      break;
    }
    return *text;
  }

  // Whether the formula library knows all that a bound uses, so that its range's length can be found.
  bool computable(const Text& bound) const {
    Scope scope = parsing_.scope;
    for (const std::string& name : own_) scope.numbers[name] = 1;
    try {
      evaluate(bound.text, scope);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  Parsing& parsing_;
  const Cursor& field_;
  const std::set<std::string>& own_;
  bool inner_;
  bool unclear_ = false;
};

}  // namespace

bool declare_index(Parsing& parsing, const Cursor& where, const std::string& name,
                   std::set<std::string>& own) {
  if (!parsing.names.declare(where, name, "index")) return false;
  if (own.insert(name).second) return true;
  where.mistake(fmt::format("found the index {} twice in one reference, expected each once", name));
  return false;
}

void parse_ranges(Parsing& parsing, const Cursor& cursor, std::vector<Index>& into,
                  std::set<std::string>& own, bool inner) {
  if (cursor.is_list())
    return cursor.expected(fmt::format("{}; only an output's index is a list", map_of_ranges));
  for (const Cursor& field : cursor.fields(map_of_ranges)) {
    Index index = RangeParser(parsing, field, own, inner).parse();
    if (declare_index(parsing, field, field.name(), own)) into.push_back(std::move(index));
  }
  if (into.size() > protocol::max_rank)
    cursor.mistake(fmt::format("found {}, expected at most {}", indices(into.size()), protocol::max_rank));
}

}  // namespace podium::problem
