// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// scan: the terms up to each index along one of the reference's own, joined.
#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/program/launch.hpp"

namespace podium::problem {
namespace {

constexpr std::int64_t short_line = 64;     // steps of a scan that one thread does faster than a group
constexpr std::int64_t least_steps = 1024;  // of a part of a scan, below which cutting a line gains nothing

std::vector<bool> along_whole(const Reference& reference) {
  std::vector<bool> whole(reference.index.size(), false);
  if (reference.along < whole.size()) whole[reference.along] = true;
  return whole;
}

std::string scan_does(const Reference& reference) {
  return fmt::format("{} along {}{} of", name_of(reference.op), along_of(reference),
                     reference.exclusive ? ", exclusive," : "");
}

void read_scan(FormReader& r, const Cursor& form) {
  Reference& reference = r.reference();
  r.along(form);
  r.op(form);
  FormReader::truth(form, "exclusive", reference.exclusive);
  r.term(form);
}

void write_scan(FormWriter& w) {
  const Reference& reference = w.reference();
  const std::vector<std::string> names = w.names();
  w.write({w.own("term"), names, &reference.term, w.carries_magnitude()});
  w.stored(w.own("term"), names);
  w.open();
  w.sum();
  w.place();
  w.add("  static constexpr bool exclusive = {};", reference.exclusive);
  w.lines(reference.along);
  w.add(
      "  PODIUM_DEVICE static auto term(Words podium_words, [[maybe_unused]] i64 podium_line, i64 "
      "podium_step) {{");
  w.take_apart("podium_line", w.all_but(reference.along));
  w.step_index(reference.along);
  w.add("    return {};\n  }}", w.call(w.own("term"), names));
  w.close();
}

void launch_scan(FormLaunch& l) {
  const std::int64_t steps = l.extent(l.reference().along), lines = l.elements() / steps;
  const bool serial = !l.gpu() || steps <= short_line;
  const std::int64_t groups = l.groups_for(lines * steps);
  std::int64_t parts = 1;
  if (steps > short_line && lines < groups)
    parts =
        std::clamp<std::int64_t>(std::min(groups / lines, steps / least_steps), 1, l.most_parts() / lines);
  l.set(program::prefix_lanes, serial ? 1 : l.group_threads());
  l.set(program::prefix_parts, parts);
  l.set(program::prefix_sums, l.parts());
  const std::int64_t items = lines * parts;
  const int launched = serial ? l.groups_for(items) : l.group_each(items);
  if (parts > 1) {
    l.run("sums_of_parts", l.group_each(items));
    l.run("carries", l.groups_for(lines));
  }
  l.run("evaluate", launched);
}

}  // namespace

ReferenceForm scan_form() {
  return {.name = "scan",
          .holds = "scan",
          .says = "The same, running along one of its indices",
          .map_says = "op of the terms up to each index along one of the reference's own",
          .example = "{ along: j, op: sum, term: \"x(i, j)\" }",
          .keys = {{"along", "name", "One of its indices", needed_key},
                   {"op", "op", "sum, product, max, min or count", needed_key},
                   {"term", "term", "A C++ expression", needed_key},
                   {"exclusive", "truth", "Without the term at the index itself (false)"}},
          .whole = along_whole,
          .does = scan_does,
          .read = read_scan,
          .write = write_scan,
          .kernels = {{"sums_of_parts", "prefix_sums_of_parts"},
                      {"carries", "prefix_carries"},
                      {"evaluate", "prefix"}},
          .launch = launch_scan};
}

}  // namespace podium::problem
