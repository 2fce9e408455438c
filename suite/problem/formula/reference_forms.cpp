// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of the forms of references; those that the writer of the judge's program writes itself.
#include "suite/problem/formula/reference_forms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/reference_terms.hpp"

namespace podium::problem {

std::vector<std::string> index_names(const std::vector<Index>& indices) {
  std::vector<std::string> names;
  for (const Index& index : indices) names.push_back(index.name);
  return names;
}

std::string loops_of(const Reference& reference) {
  return fmt::format("{}", fmt::join(index_names(reference.over), ", "));
}

std::string along_of(const Reference& reference) {
  return reference.along < reference.index.size() ? reference.index[reference.along].name : "";
}

namespace {

std::string reduce_does(const Reference& reference) {
  return fmt::format("{} over {} of", name_of(reference.op), loops_of(reference));
}

void read_value(FormReader& r, const Cursor& form) {
  r.take(form, FormReader::an_expression, r.reference().term);
}

void read_reduce(FormReader& r, const Cursor& form) {
  if (const auto over = form.need("over", FormReader::a_loop)) r.loop(*over);
  r.op(form);
  r.term(form);
}

void read_code(FormReader& r, const Cursor& form) {
  Reference& reference = r.reference();
  r.take(form, "a C++ body that ends in return", reference.term);
  if (!reference.term.text.empty() && !is_body(reference.term.text))
    form.mistake(
        "found a C++ body without return, expected one that ends in return; write an expression as a "
        "value");
}

ReferenceForm value_form() {
  return {.name = "value",
          .holds = "term",
          .says = "A C++ expression, as in \"exp(x(i, j) - peak(i))\"",
          .in_checks = true,
          .read = read_value};
}

ReferenceForm reduce_form() {
  return {.name = "reduce",
          .holds = "reduce",
          .says = "A sum, product, maximum, minimum or count",
          .map_says = "op over the indices `over` of term",
          .example = "{ over: { j: cols }, op: sum, term: \"x(i, j)\" }",
          .keys = {{"over", "{range}", "Indices and their ranges, as in { j: cols } or { j: [low, high] }",
                    needed_key},
                   {"op", "op", "sum, product, max, min or count", needed_key},
                   {"term", "term", "A C++ expression", needed_key}},
          .in_checks = true,
          .reduces = true,
          .does = reduce_does,
          .read = read_reduce};
}

ReferenceForm code_form() {
  return {.name = "code",
          .holds = "term",
          .says = "A C++ body that ends in return",
          .body = true,
          .does = [](const Reference&) -> std::string { return "code"; },
          .read = read_code};
}

}  // namespace

ReferenceForm scan_form();
ReferenceForm scatter_form();
ReferenceForm recur_form();
ReferenceForm order_form();
ReferenceForm host_form();

// In the order of the format.
const std::vector<ReferenceForm>& reference_forms() {
  static const std::vector<ReferenceForm> all{value_form(), reduce_form(), scan_form(), scatter_form(),
                                              recur_form(), order_form(),  code_form(), host_form()};
  return all;
}

Reference plain_reference() {
  Reference reference;
  reference.form = &reference_forms().front();
  return reference;
}

std::string does(const Reference& reference) {
  return reference.form->does ? reference.form->does(reference) : "";
}

}  // namespace podium::problem
