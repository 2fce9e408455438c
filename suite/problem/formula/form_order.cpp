// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// order: a stable sort of each line.
#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/program/order.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

std::string order_does(const Reference& reference) {
  return fmt::format("rank of {}{} by", loops_of(reference), reference.descending ? ", descending," : "");
}

// A line is sorted in memory that must be large enough for every one; structure differs between rounds.
void needs_most(const FormReader& r, const Cursor& along, const Index& index) {
  const bool structure = r.uses_structure(index.low) || r.uses_structure(index.high);
  if (!index.dependent || !index.most.text.empty() || !structure) return;
  along.mistake(
      fmt::format("found the range of {} to follow structure, expected its most values beside it, as in {{ "
                  "low: \"{}\", high: \"{}\", most: 64 }}; a line is sorted in memory of that size",
                  index.name, yaml::excerpt(index.low.text), yaml::excerpt(index.high.text)));
}

void read_order(FormReader& r, const Cursor& form) {
  Reference& reference = r.reference();
  if (reference.index.empty()) {
    if (r.indices_are_clear(form))
      form.mistake("found no index, expected at least one: the last is the rank");
    return;
  }
  const std::string rank = reference.index.back().name;
  r.own().erase(rank);  // a line is sorted whole: its range cannot depend on the rank
  if (const auto along = form.need("along", "one index and its range, as in { j: cols }")) {
    r.loop(*along);
    if (along->is_map() && along->fields("").size() > 1)
      along->mistake(fmt::format("found {}, expected one", indices(along->fields("").size())));
    for (const Index& index : reference.over) needs_most(r, *along, index);
  }
  std::vector<std::string> hidden;
  if (r.own().insert(rank).second)
    hidden.push_back(rank);
  else
    form.mistake(fmt::format("found the index {} twice in one reference, expected each once", rank));
  FormReader::truth(form, "descending", reference.descending);
  r.take(form.need("by", "a C++ expression: what is sorted by"), FormReader::an_expression, reference.term,
         hidden);
}

void write_order(FormWriter& w) {
  const Reference& reference = w.reference();
  const std::vector<std::string> names = w.names();
  const std::size_t rank = names.size() - 1;
  std::vector<std::string> line(names.begin(), names.end() - 1), pair = line;
  pair.push_back(reference.over[0].name);
  w.bounds();
  w.write({w.own("key"), pair, &reference.term});
  w.open();
  w.add("  using Value = podium::program::i64;");
  w.place();
  w.add("  static constexpr int site = {};", w.reference_number());
  w.add("  static constexpr bool descending = {};", reference.descending);
  const auto of_line = [&](const char* name, const char* more, const std::string& value) {
    w.add("  PODIUM_DEVICE static auto {}(Words podium_words, [[maybe_unused]] i64 podium_line{}) {{", name,
          more);
    w.take_apart("podium_line", w.all_but(rank));
    if (*more == '\0') w.loop_bounds(0, "    ");
    w.add("    return {};\n  }}", value);
  };
  of_line("low", "", "podium_low_0");
  of_line("high", "", "podium_high_0");
  of_line("key", fmt::format(", i64 {}", reference.over[0].name).c_str(), w.call(w.own("key"), pair));
  w.add("  PODIUM_DEVICE static i64 ranks(Words podium_words) {{ return {}::count(podium_words); }}",
        w.position(rank));
  w.add(
      "  PODIUM_DEVICE static i64 rank(Words podium_words, i64 podium_slot) {{ return {}::at(podium_words, "
      "podium_slot); }}",
      w.position(rank));
  w.close();
}

void launch_order(FormLaunch& l) {
  const std::size_t rank = l.reference().index.size() - 1;
  const std::int64_t ranks = l.count(rank), lines = l.elements() / ranks;
  const std::int64_t length = l.extent(rank + 1);
  const std::int64_t together = std::max<std::int64_t>(1, length > 0 ? l.sorted() / length : lines);
  std::uint64_t from = l.sort_buffer(false), to = l.sort_buffer(true);
  const auto place = [&] {
    l.set(program::order_from, from);
    l.set(program::order_to, to);
  };
  l.set(program::order_length, length);
  for (std::int64_t first = 0; first < lines; first += together) {
    const std::int64_t batch = std::min(together, lines - first);
    l.set(program::order_first, first);
    l.set(program::order_lines, batch);
    place();
    if (length > 0) {
      const int pieces = l.groups_for(batch * ((length + program::sort_run - 1) / program::sort_run));
      l.run("keys", l.groups_for(batch * length));
      l.run_shared("sort_runs", pieces);
      for (std::int64_t width = program::sort_run; width < length; width *= 2) {
        l.set(program::order_width, width);
        l.run_shared("merge_runs", pieces);
        std::swap(from, to);
        place();
      }
    }
    l.run("evaluate", l.groups_for(batch * ranks));
  }
}

}  // namespace

ReferenceForm order_form() {
  return {.name = "order",
          .holds = "order",
          .says = "Where the rank's element of a sorted line stands",
          .map_says = "A stable sort of each line; NaN last",
          .example = "{ along: { j: cols }, by: \"x(i, j)\" }",
          .keys = {{"along", "{range}", "One index and its range", needed_key},
                   {"by", "term", "What is sorted by", needed_key},
                   {"descending", "truth", "The largest first (false)"}},
          .ranks = true,
          .carries_magnitude = false,
          .does = order_does,
          .read = read_order,
          .write = write_order,
          .kernels = {{"keys", "order_keys"}, {"evaluate", "order"}},
          .shared_kernels = {"sort_runs", "merge_runs"},
          .launch = launch_order};
}

}  // namespace podium::problem
