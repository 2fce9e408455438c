// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of the forms of references, and what its rows do.
#include "suite/problem/formula/reference_forms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "suite/problem/formula/access.hpp"

namespace podium::problem {
namespace {

std::string loop(const Reference& reference) {
  std::vector<std::string> names;
  for (const Index& index : reference.over) names.push_back(index.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string along(const Reference& reference) {
  return reference.along < reference.index.size() ? reference.index[reference.along].name : "";
}

std::string reduce_does(const Reference& reference) {
  return fmt::format("{} over {} of", name_of(reference.op), loop(reference));
}

std::vector<bool> along_whole(const Reference& reference) {
  std::vector<bool> whole(reference.index.size(), false);
  if (reference.along < whole.size()) whole[reference.along] = true;
  return whole;
}

std::string scan_does(const Reference& reference) {
  return fmt::format("{} along {}{} of", name_of(reference.op), along(reference),
                     reference.exclusive ? ", exclusive," : "");
}

std::vector<bool> scatter_whole(const Reference& reference) {
  std::vector<bool> whole(reference.index.size(), false);
  for (std::size_t k = 0; k < reference.targets.size(); ++k) whole[k] = !reference.targets[k].text.empty();
  return whole;
}

std::string scatter_does(const Reference& reference) {
  std::vector<std::string> at;
  for (std::size_t k = 0; k < reference.targets.size(); ++k)
    if (!reference.targets[k].text.empty())
      at.push_back(reference.index[k].name + " = " + reference.targets[k].text);
  const std::string where =
      reference.where.text.empty() ? "" : fmt::format(" where {},", reference.where.text);
  return fmt::format("{} over {} to {},{} of", name_of(reference.op), loop(reference), fmt::join(at, ", "),
                     where);
}

// For each index of a recurrence, whether it calls itself at other values of it.
std::vector<bool> crossed(const Reference& reference) {
  std::vector<bool> crossed(reference.index.size(), false);
  for (const Access& call : accesses(reference.term.text)) {
    if (call.name != reference.itself() || !call.member.empty()) continue;
    for (std::size_t k = 0; k < crossed.size(); ++k)
      if (k != reference.along &&
          (k >= call.arguments.size() || call.arguments[k] != reference.index[k].name))
        crossed[k] = true;
  }
  return crossed;
}

std::vector<bool> recur_whole(const Reference& reference) {
  std::vector<bool> whole = crossed(reference);
  if (reference.along < whole.size()) whole[reference.along] = true;
  return whole;
}

std::string recur_does(const Reference& reference) {
  return fmt::format("along {}, first {}, next", along(reference), reference.first.text);
}

std::string order_does(const Reference& reference) {
  return fmt::format("rank of {}{} by", loop(reference), reference.descending ? ", descending," : "");
}

std::vector<bool> host_whole(const Reference& reference) {
  return std::vector<bool>(reference.index.size(), true);
}

}  // namespace

const std::vector<ReferenceForm>& reference_forms() {
  static const std::vector<ReferenceForm> all{
      {.form = Reference::Form::value,
       .name = "value",
       .holds = "term",
       .says = "A C++ expression, as in \"exp(x(i, j) - peak(i))\"",
       .in_checks = true},
      {.form = Reference::Form::reduce,
       .name = "reduce",
       .holds = "reduce",
       .says = "A sum, product, maximum, minimum or count",
       .in_checks = true,
       .does = reduce_does},
      {.form = Reference::Form::scan,
       .name = "scan",
       .holds = "scan",
       .says = "The same, running along one of its indices",
       .whole = along_whole,
       .does = scan_does},
      {.form = Reference::Form::scatter,
       .name = "scatter",
       .holds = "scatter",
       .says = "Terms that are added where they point to",
       .whole = scatter_whole,
       .does = scatter_does},
      {.form = Reference::Form::recur,
       .name = "recur",
       .holds = "recur",
       .says = "Steps along one of its indices, each from earlier ones",
       .whole = recur_whole,
       .does = recur_does},
      {.form = Reference::Form::order,
       .name = "order",
       .holds = "order",
       .says = "Where the rank's element of a sorted line stands",
       .carries_magnitude = false,
       .does = order_does},
      {.form = Reference::Form::code,
       .name = "code",
       .holds = "term",
       .says = "A C++ body that ends in return",
       .body = true,
       .does = [](const Reference&) -> std::string { return "code"; }},
      {.form = Reference::Form::host,
       .name = "host",
       .holds = "term | host",
       .says = "A C++ body that assigns all of out(...); test workloads only",
       .body = true,
       .carries_magnitude = false,
       .whole = host_whole,
       .does = [](const Reference&) -> std::string { return "host"; }},
  };
  return all;
}

const ReferenceForm& info(Reference::Form form) {
  for (const ReferenceForm& one : reference_forms())
    if (one.form == form) return one;
  throw std::logic_error("a form of references without a row");
}

std::string does(const Reference& reference) {
  const ReferenceForm& form = info(reference.form);
  return form.does ? form.does(reference) : "";
}

bool crosses_lines(const Reference& reference) {
  const std::vector<bool> all = crossed(reference);
  return std::find(all.begin(), all.end(), true) != all.end();
}

}  // namespace podium::problem
