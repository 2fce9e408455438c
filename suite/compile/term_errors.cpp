// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/term_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <regex>

#include "suite/base/nearest.hpp"
#include "suite/compile/diagnosis.hpp"
#include "suite/problem/formula/term_names.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::compile {
namespace {

int number_at(const std::string& text, std::size_t at) {
  int number = 0;
  std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), number);
  return number;
}

// Where a line of the log says that a term led to the error of another place: "problem.yaml#key:12:3:
// required from here", "at line 12 of problem.yaml#key".
bool led_from(const std::string& text, const std::string& mark, TermError& error) {
  const auto at = text.find(mark);
  if (at == text.npos) return false;
  const auto key = at + mark.size();
  const auto colon = text.find(':', key), blank = text.find_first_of(" \"", key);
  const std::string_view before = " of ";
  const auto of = text.rfind(before, at);
  if (of != text.npos && of + before.size() >= at - std::min<std::size_t>(at, 1)) {
    const auto digits = text.find_last_not_of("0123456789", of - 1);
    error.line = number_at(text, digits == text.npos ? 0 : digits + 1);
    error.key = text.substr(key, std::min(blank, text.size()) - key);
  } else if (colon != text.npos) {
    error.line = number_at(text, colon + 1);
    error.key = text.substr(key, colon - key);
  }
  return error.line > 0;
}

constexpr std::size_t longest = 1000;  // bytes; std::regex recurses

using Names = std::vector<std::string>;

void erase_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at)) text.erase(at, part.size());
}

// Without namespaces, "{aka …}" and the arguments of templates; typographic quotes as plain ones.
std::string plain(std::string text) {
  for (const char* quote : {"\xe2\x80\x98", "\xe2\x80\x99"})
    for (auto at = text.find(quote); at != text.npos; at = text.find(quote, at)) text.replace(at, 3, "'");
  erase_all(text, "podium::program::");
  static const std::regex declared(" \\(declared (?:at|implicitly)[^)]*\\)");
  for (auto at = text.find(" {aka "); at != text.npos; at = text.find(" {aka ", at)) {
    const auto end = text.find('}', at);
    text.erase(at, end == text.npos ? end : end + 1 - at);
  }
  std::string made;
  int depth = 0;
  for (std::size_t at = 0; at < text.size() && made.size() < longest; ++at) {
    const bool opens = text[at] == '<' && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) &&
                       !std::string_view(text).substr(0, at).ends_with("operator");
    if (opens || (depth > 0 && text[at] == '<')) ++depth;
    if (depth == 0) made += text[at];
    if (depth > 0 && text[at] == '>') --depth;
  }
  return std::regex_replace(made, declared, "");
}

// "const i64" is "a whole number".
std::string kind_of(std::string type) {
  static const std::regex qualifiers("\\b(?:const|volatile|struct|class)\\b|[&]");
  type = std::regex_replace(type, qualifiers, "");
  type.erase(0, std::min(type.find_first_not_of(' '), type.size()));
  type.erase(std::min(type.find_last_not_of(' ') + 1, type.size()));
  static const std::regex whole(
      "(?:(?:un)?signed|short|char|int|long| )+|[iu](?:8|16|32|64)|Index|Sampled|Whole|Few|Coordinate");
  static const std::regex array("TensorOf|Overloaded|Result|Views|Earlier|RealStructure|Out|Absent");
  if (type == "double" || type == "float" || type == "Number" || type == "Real") return "a real number";
  if (type == "bool") return "a truth value";
  if (type == "void") return "nothing";
  if (type.starts_with("char") && type.find_first_of("*[") != type.npos) return "a text";
  if (std::regex_match(type, whole)) return "a whole number";
  if (std::regex_match(type, array)) return "an array without indices";
  return "\"" + type + "\"";
}

bool for_whole_numbers(const std::string& operation) {
  return operation == "%" || operation == "&" || operation == "|" || operation == "^" || operation == "<<" ||
         operation == ">>";
}

std::string operands(const std::string& operation, const std::string& a, const std::string& b) {
  const bool whole = for_whole_numbers(operation);
  return fmt::format("found {} between {} and {}, expected {} on both sides{}", operation, kind_of(a),
                     kind_of(b), whole ? "whole numbers" : "numbers",
                     operation == "%" ? ", as in i % 2" : "");
}

std::string unknown(const std::string& name, Names names, const std::string& suggested) {
  if (!suggested.empty() && suggested.find("podium") == suggested.npos) names.push_back(suggested);
  const std::string near = nearest(name, names);
  return fmt::format(
      "unknown name: found \"{}\", expected one of the problem's, a function of terms or a variable declared "
      "before{}",
      name, near.empty() ? "" : fmt::format(" (nearest: \"{}\")", near));
}

std::string of_std(const std::string& name) {
  const bool known = problem::term_functions().contains(name);
  return fmt::format("found std::{0}, expected {1}; terms have functions of their own and no std", name,
                     known ? name : fmt::format("none of std{}", [&] {
                       Names functions;
                       for (const auto& [function, arguments] : problem::term_functions())
                         functions.push_back(function);
                       const std::string near = nearest(name, functions);
                       return near.empty() ? "" : fmt::format(" (nearest: \"{}\")", near);
                     }()));
}

// "')'" and "primary-expression", as compilers have them.
std::string awaited(const std::string& what) {
  static const std::regex token("'([^']*)'");
  if (what.find("primary-expression") != what.npos || what == "expression" || what == "an expression")
    return "an operand";
  if (what == "')'" || what == "a \")\"") return "an operator or \")\"";
  return std::regex_replace(what, token, "\"$1\"");
}
// What closes a term is written by the generator: to its author it is the end.
std::string met(const std::string& token) {
  return fmt::format("\"{}\"{}", token, token == ")" || token == "}" ? " or the end" : "");
}

std::string count_of(const std::string& list) {
  if (list.find_first_not_of(' ') == list.npos) return "no argument";
  const auto commas = std::count(list.begin(), list.end(), ',');
  return commas == 0 ? "1 argument" : fmt::format("{} arguments", commas + 1);
}

std::string wrong_call(const std::string& function, const std::string& arguments) {
  if (function == "plain" || function == "value_of")
    return fmt::format("found {}, expected a number", kind_of(arguments));
  const auto known = problem::term_functions().find(function);
  const bool counts = known != problem::term_functions().end() &&
                      std::count(arguments.begin(), arguments.end(), ',') + 1 != known->second;
  if (counts)
    return fmt::format("found {} with {}, expected {}", function, count_of(arguments), known->second);
  return fmt::format("found {} of something that is not a number, expected numbers as its arguments",
                     function);
}

// What is called like a function and takes other arguments: an object of ours, or a lambda of the body's.
std::string wrong_object_call(const std::string& object, const std::string& arguments) {
  if (object.find("CeilDiv") != object.npos) return wrong_call("ceil_div", arguments);
  if (object.find("lambda") != object.npos)
    return fmt::format("found a call of the body's function with {}, expected as many as it has parameters",
                       count_of(arguments));
  const auto commas = std::count(arguments.begin(), arguments.end(), ',');
  return fmt::format("found an element with {} {}, expected one index for each axis",
                     arguments.empty() ? 0 : commas + 1, commas == 0 ? "index" : "indices");
}

struct Rule {
  const char* form;
  std::function<std::string(const std::smatch&, const Names&)> say;
};

constexpr const char* real_index =
    "found a real number as an index, expected a whole one, as in x(i / 2) or x(i64(floor(v)))";
constexpr const char* fixed = "found an assignment to a constant, expected one to a variable of the body";

const std::vector<Rule>& rules() {
  using Parts = const std::smatch&;
  const auto always = [](const char* sentence) {
    return [sentence](Parts, const Names&) { return std::string(sentence); };
  };
  static const std::vector<Rule> all{
      {".*(?:integer overflow in expression|overflow in expression; result is|integer operation result is "
       "out of "
       "range).*",
       always("found whole numbers whose result is beyond 32 bits, expected 64-bit ones, as in i64(65536) * "
              "65536")},
      {".*(?:shift count >= width of type|shift count is too large).*",
       always("found a shift by at least as many bits as the number has, expected fewer; i64(1) has 64")},
      {"static assertion failed.*?[:\"] ?(found [^\"]*?)\"?(?: \\[.*)?",  // the suite's own are whole
                                                                          // sentences
       [](Parts p, const Names&) { return p[1].str(); }},
      {".*Coordinate::Coordinate\\(double\\).*", always(real_index)},
      {".*no suitable conversion function from \"Number\" to \"Coordinate\".*", always(real_index)},
      {"invalid operands of types '([^']*)' and '([^']*)' to binary 'operator *([^']*)'.*",
       [](Parts p, const Names&) { return operands(p[3], p[1], p[2]); }},
      {"no match for 'operator *([^']*)' \\(operand types are '([^']*)' and '([^']*)'\\).*",
       [](Parts p, const Names&) { return operands(p[1], p[2], p[3]); }},
      {"invalid operands to binary expression \\('([^']*)' and '([^']*)'\\).*",
       [](Parts p, const Names&) { return operands("an operator", p[1], p[2]); }},
      {"no operator \"([^\"]*)\" matches these operands.*",
       [](Parts p, const Names&) {
         return fmt::format("found {} between operands that it does not take, expected {} on both sides",
                            p[1].str(), for_whole_numbers(p[1]) ? "whole numbers" : "numbers");
       }},
      {"expression must have integral or .*", always("found a real number where only a whole one can stand, "
                                                     "expected whole numbers, as on both sides of "
                                                     "%")},
      {"wrong type argument to bit-complement.*",
       always("found ~ before a real number, expected a whole one")},
      {"'([^']*)' is not a member of 'std'.*", [](Parts p, const Names&) { return of_std(p[1]); }},
      {"no (?:member|type) named '([^']*)' in namespace 'std'.*",
       [](Parts p, const Names&) { return of_std(p[1]); }},
      {"namespace \"std\" has no (?:actual )?member \"([^\"]*)\".*",
       [](Parts p, const Names&) { return of_std(p[1]); }},
      {"use of undeclared identifier 'std'.*|'std' has not been declared.*|name followed by \"::\" must be a "
       ".*",
       always("found a name with ::, expected none; terms have functions of their own and no std")},
      {"'([^']*)' (?:was not declared in this scope|does not name a type)(?:; did you mean '([^']*)'.*)?",
       [](Parts p, const Names& names) { return unknown(p[1], names, p[2]); }},
      {"(?:use of undeclared identifier|unknown type name) '([^']*)'(?:; did you mean '([^']*)'.*)?",
       [](Parts p, const Names& names) { return unknown(p[1], names, p[2]); }},
      {"identifier \"([^\"]*)\" is undefined.*",
       [](Parts p, const Names& names) { return unknown(p[1], names, ""); }},
      {"expected (.*) before '([^']*)'(?: token)?",
       [](Parts p, const Names&) {
         return fmt::format("found {}, expected {} before it", met(p[2]), awaited(p[1]));
       }},
      {"expected (.*) before (.*)",
       [](Parts p, const Names&) {
         return fmt::format("found a {}, expected {} before it", p[2].str(), awaited(p[1]));
       }},
      {"expected (an expression|expression|a \"[^\"]*\").*",
       [](Parts p, const Names&) { return "expected " + awaited(p[1]); }},
      {"request for member '([^']*)' in .*",
       [](Parts p, const Names&) {
         return fmt::format("found the member .{}, expected none; numbers have no members", p[1].str());
       }},
      {"expression must have class type.*",
       always("found a member of a number, expected none; numbers have no members")},
      {"inconsistent types '([^']*)' and '([^']*)' deduced for lambda return type.*",
       [](Parts p, const Names&) {
         return fmt::format("found a body that returns {} and {}, expected one kind, as in return 1.0",
                            kind_of(p[1]), kind_of(p[2]));
       }},
      {"deduced return type \"([^\"]*)\" conflicts with previously deduced type \"([^\"]*)\".*",
       [](Parts p, const Names&) {
         return fmt::format("found a body that returns {} and {}, expected one kind, as in return 1.0",
                            kind_of(p[2]), kind_of(p[1]));
       }},
      {"cannot convert 'Number' to '([^']*)'.*|no viable conversion from 'Number' to '([^']*)'.*|no suitable "
       "(?:user-defined )?conversion (?:function )?from \"Number\" to \"([^\"]*)\".*",
       [](Parts p, const Names&) {
         const std::string type = p[1].str() + p[2].str() + p[3].str();
         return fmt::format(
             "found a real number for a variable of type {0}, expected a conversion, as in {0}(…): reals "
             "carry "
             "their magnitude here (scale: magnitude)",
             type);
       }},
      {"invalid use of void expression.*", always("found a body that may end without return, expected one")},
      {"operands to '\\?:' have different types '([^']*)' and '([^']*)'.*",
       [](Parts p, const Names&) {
         return fmt::format("found ?: between {} and {}, expected one kind on both sides", kind_of(p[1]),
                            kind_of(p[2]));
       }},
      {"operand types are incompatible \\(\"([^\"]*)\" and \"([^\"]*)\"\\).*",
       [](Parts p, const Names&) {
         return fmt::format("found {} beside {}, expected one kind", kind_of(p[1]), kind_of(p[2]));
       }},
      {"assignment of read-only (?:reference|variable) '([^']*)'.*",
       [](Parts p, const Names&) {
         return fmt::format("found an assignment to {}, expected one to a variable of the body", p[1].str());
       }},
      {"lvalue required as .*|expression must be a modifiable lvalue.*|expression is not assignable.*",
       always(fixed)},
      {"no matching function for call to '([A-Za-z_0-9]*)\\((.*)\\)'.*",
       [](Parts p, const Names&) { return wrong_call(p[1], p[2]); }},
      {"no match for call to '\\((.*)\\) \\((.*)\\)'.*",
       [](Parts p, const Names&) { return wrong_object_call(p[1], p[2]); }},
      {"no instance of (?:overloaded )?function(?: template)? \"(?:plain|value_of)\" matches .*",
       always("found something that is not a number, expected a number")},
      {"no instance of (?:overloaded )?function(?: template)? \"([^\"]*)\" matches .*",
       [](Parts p, const Names&) {
         return fmt::format(
             "found {} with arguments that it does not take, expected numbers, as many as it has",
             p[1].str());
       }},
      {"expression cannot be used as a function.*|expression preceding parentheses of apparent call .*",
       always("found a call of a number, expected an operator before \"(\"")},
      {"redeclaration of '(?:.* )?([A-Za-z_0-9]+)'.*|\"([A-Za-z_0-9]+)\" has already been declared .*",
       [](Parts p, const Names&) {
         return fmt::format("found {} declared again, expected a new name",
                            p[1].matched ? p[1].str() : p[2].str());
       }},
      {"stray '(.*)' in program",
       [](Parts p, const Names&) {
         return fmt::format("found \"{}\", expected C++'s operators", p[1].str());
       }},
      {"(?:static assertion failed: |static assertion failed with \")([^\"]*)\"?",
       [](Parts p, const Names&) { return p[1].str(); }},
  };
  return all;
}

}  // namespace

std::vector<TermPlace> terms_in(const std::string& program, const std::string& problem) {
  // The generator writes each as three such parts: opening, term, closing.
  std::string quoted = problem::cpp_string(problem + '#');
  quoted.pop_back();
  std::vector<TermPlace> terms;
  constexpr std::string_view directive = "\n#line ";
  const auto part = [&](std::size_t at, TermPlace& place) {  // behind `directive`
    const auto name = program.find(' ', at), end = program.find('\n', at);
    if (name == program.npos || end == program.npos || program.compare(name + 1, quoted.size(), quoted) != 0)
      return false;
    const auto key = name + 1 + quoted.size();
    place.key = program.substr(key, end - 1 - key);
    place.line = number_at(program, at);
    place.begin = end + 1;
    place.end = std::min(program.find(directive, end), program.size() - 1) + 1;
    return true;
  };
  for (auto at = program.find(directive); at != program.npos; at = program.find(directive, at)) {
    at += directive.size();
    TermPlace opening, term, closing;
    if (!part(at, opening) || !part(opening.end - 1 + directive.size(), term) ||
        !part(term.end - 1 + directive.size(), closing))
      continue;
    term.opening = program.substr(opening.begin, opening.end - 1 - opening.begin);
    at = closing.end - 1;
    terms.push_back(std::move(term));
  }
  return terms;
}

std::string without_terms(const std::string& program, const std::vector<TermPlace>& terms,
                          const std::vector<std::string>& keys) {
  std::string text;
  std::size_t done = 0;
  for (const TermPlace& term : terms) {
    if (std::find(keys.begin(), keys.end(), term.key) == keys.end()) continue;
    text += program.substr(done, term.begin - done);
    // A whole number can stand wherever a number can.
    const bool block = term.opening.ends_with("{"), returns = term.opening.ends_with("[&] {");
    text += returns ? "return podium::program::i64(0);\n" : block ? ";\n" : "podium::program::i64(0)\n";
    done = term.end;
  }
  return text + program.substr(done);
}

std::vector<TermError> term_errors(const std::string& log, const std::string& problem) {
  const std::string mark = problem + '#';
  const auto lines = lines_of(log);
  std::vector<std::size_t> at;  // errors with a place
  std::vector<LocatedError> located;
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (auto error = located_error(lines[k])) {
      at.push_back(k);
      located.push_back(std::move(*error));
    }
  std::vector<TermError> found;
  for (std::size_t e = 0; e < located.size(); ++e) {
    TermError error{"", 0, located[e].what};
    if (located[e].file.starts_with(mark)) {
      error.key = located[e].file.substr(mark.size());
      error.line = number_at(located[e].line, 0);
    } else {
      const std::size_t first = located[e].trail_behind ? at[e] + 1 : e == 0 ? 0 : at[e - 1] + 1;
      const std::size_t last = !located[e].trail_behind ? at[e]
                               : e + 1 < at.size()      ? at[e + 1]
                                                        : lines.size();
      for (std::size_t k = first; k < last && error.line == 0; ++k) led_from(lines[k], mark, error);
    }
    if (error.line > 0) found.push_back(std::move(error));
  }
  return found;
}

std::string undeclared_in(const std::string& what) {
  static const std::regex form(
      "'([^']*)' (?:was not declared in this scope|does not name a type).*|use of undeclared identifier "
      "'([^']*)'.*|identifier \"([^\"]*)\" is undefined.*");
  std::smatch parts;
  const std::string text = plain(what);
  if (!std::regex_match(text, parts, form)) return "";
  return parts[1].str() + parts[2].str() + parts[3].str();
}

std::string in_words(const std::string& what, const std::vector<std::string>& names) {
  const std::string text = plain(what);
  static const std::vector<std::regex> forms = [] {
    std::vector<std::regex> forms;
    for (const Rule& rule : rules()) forms.emplace_back(rule.form);
    return forms;
  }();
  std::smatch parts;
  for (std::size_t rule = 0; rule < forms.size(); ++rule)
    if (std::regex_match(text, parts, forms[rule])) return rules()[rule].say(parts, names);
  static const std::regex own("\\*? *podium_checked *|podium_[A-Za-z0-9_]*");
  return std::regex_replace(text, own, "");
}

}  // namespace podium::compile
