// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// scatter: terms that are joined where they point to.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/program/launch.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

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
  return fmt::format("{} over {} to {},{} of", name_of(reference.op), loops_of(reference),
                     fmt::join(at, ", "), where);
}

void read_scatter(FormReader& r, const Cursor& form) {
  Reference& reference = r.reference();
  constexpr const char* what = "a map from scattered indices to expressions, as in { b: \"bin(t)\" }";
  const std::vector<std::string> names = index_names(reference.index);
  reference.targets.resize(names.size());
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
  for (const std::string& name : scattered) r.own().erase(name);
  if (const auto over = form.need("over", FormReader::a_loop)) r.loop(*over);
  std::vector<std::string> hidden;
  for (const std::string& name : scattered)
    if (r.own().insert(name).second)
      hidden.push_back(name);
    else
      form.mistake(fmt::format("found the index {} twice in one reference, expected each once", name));
  for (const auto& [field, k] : targets)
    r.take(field, FormReader::an_expression, reference.targets[k], hidden);
  r.op(form);
  r.take(form.find("where"), FormReader::an_expression, reference.where, hidden);
  r.term(form, hidden);
}

void join(FormWriter& w, const std::string& indent, const std::vector<bool>& is_free,
          const std::vector<std::string>& all) {
  const Reference& reference = w.reference();
  const std::vector<std::string> names = w.names();
  std::string target;
  for (std::size_t k = 0; k < names.size(); ++k)
    target += ", " + (is_free[k] ? names[k] : w.call(fmt::format("podium_target_{}_{}", w.number(), k), all));
  if (!reference.where.text.empty())
    w.add("{}if (podium::program::value_of({}) != 0)", indent, w.call(w.own("where"), all));
  w.add(
      "{}{}podium::program::Targets<podium::program::Op::{}, Value, Sum::exact, {}, "
      "place{}>{{podium_words, "
      "{}}}.join({}{});",
      indent, reference.where.text.empty() ? "" : "  ", name_of(reference.op), w.reference_number(),
      w.more_positions(), w.reference_number(), w.call(w.own("term"), all), target);
}

// Loops that do not depend on others are cut into items, together with the elements' free indices; from
// the first dependent one on they run inside an item.
void write_scatter(FormWriter& w) {
  const Reference& reference = w.reference();
  const std::vector<std::string> names = w.names();
  std::vector<std::string> free, all;
  std::vector<bool> is_free;
  for (std::size_t k = 0; k < names.size(); ++k) {
    is_free.push_back(reference.targets[k].text.empty());
    if (is_free[k]) free.push_back(names[k]);
  }
  all = free;
  for (const Index& index : reference.over) all.push_back(index.name);
  w.bounds();
  w.write({w.own("term"), all, &reference.term, w.carries_magnitude()});
  w.stored(w.own("term"), all);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (!is_free[k])
      w.write({fmt::format("podium_target_{}_{}", w.number(), k), all, &reference.targets[k], false, false,
               "podium::program::whole_number"});
  if (!reference.where.text.empty()) w.write({w.own("where"), all, &reference.where});

  std::size_t flat = 0;
  while (flat < reference.over.size() && !reference.over[flat].dependent) ++flat;
  std::string cut;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (is_free[k]) cut += (cut.empty() ? "" : ", ") + w.position(k);
  for (std::size_t k = 0; k < flat; ++k) cut += (cut.empty() ? "" : ", ") + w.loop_position(k);
  w.open();
  w.sum();
  w.place();
  w.elements();
  w.add("  PODIUM_DEVICE static i64 items(Words podium_words) {{ return elements_of<{}>(podium_words); }}",
        cut);
  w.add("  PODIUM_DEVICE static void visit(Words podium_words, i64 podium_item) {{");
  w.add("    [[maybe_unused]] podium::program::Unravel podium_rest{{podium_item}};");
  for (std::size_t k = flat; k-- > 0;)
    w.add("    [[maybe_unused]] const auto {} = podium_rest.take<{}>(podium_words);", reference.over[k].name,
          w.loop_position(k));
  for (std::size_t k = names.size(); k-- > 0;)
    if (is_free[k])
      w.add("    [[maybe_unused]] const auto {} = podium_rest.take<{}>(podium_words);", names[k],
            w.position(k));
  std::string indent = "    ";
  for (std::size_t k = flat; k < reference.over.size(); ++k) {
    w.loop_bounds(k, indent);
    w.add("{0}for ({1} {2} = podium_low_{3}; {2} < podium_high_{3}; ++{2}) {{", indent, FormWriter::i64,
          reference.over[k].name, k);
    indent += "  ";
  }
  join(w, indent, is_free, all);
  for (std::size_t k = flat; k < reference.over.size(); ++k) {
    indent.resize(indent.size() - 2);
    w.add("{}}}", indent);
  }
  w.add("  }}");
  w.close();
}

void launch_scatter(FormLaunch& l) {
  const Reference& reference = l.reference();
  const bool compensated = l.errors() != 0 && reference.op == Reference::Op::sum;
  if (compensated) l.set(program::scatter_errors, l.errors());
  l.run("start", l.groups_for(l.elements()));
  std::int64_t items = 1;
  for (std::size_t k = 0; k < reference.index.size(); ++k)
    if (reference.targets[k].text.empty()) items *= l.count(k);
  for (std::size_t k = 0; k < reference.over.size() && !reference.over[k].dependent; ++k)
    items *= l.extent(reference.index.size() + k);
  if (items > 0) l.run("evaluate", l.groups_for(items));
  if (compensated) l.run("settle", l.groups_for(l.elements()));
}

}  // namespace

ReferenceForm scatter_form() {
  return {
      .name = "scatter",
      .holds = "scatter",
      .says = "Terms that are added where they point to",
      .map_says = "op of the terms that point to an element",
      .example = "{ over: { t: n }, at: { b: \"bin(t)\" }, op: sum, term: \"x(t)\" }",
      .keys = {{"over", "{range}", "Indices and their ranges", needed_key},
               {"at", "{term}", "For each scattered index where a term goes, as in { b: \"bin(t)\" }",
                needed_key},
               {"op", "op", "sum, product, max, min or count", needed_key},
               {"term", "term", "A C++ expression", needed_key},
               {"where", "term", "Terms for which it is false are left out"}},
      .joins = true,
      .whole = scatter_whole,
      .does = scatter_does,
      .read = read_scatter,
      .write = write_scatter,
      .kernels = {{"start", "scatter_start"}, {"settle", "scatter_settle", true}, {"evaluate", "scatter"}},
      .launch = launch_scatter};
}

}  // namespace podium::problem
