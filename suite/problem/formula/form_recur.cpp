// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// recur: a state, step by step.
#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/program/launch.hpp"

namespace podium::problem {
namespace {

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
  return fmt::format("along {}, first {}, next", along_of(reference), reference.first.text);
}

void read_recur(FormReader& r, const Cursor& form) {
  Reference& reference = r.reference();
  r.along(form);
  r.take(form.need("first", "a C++ expression: the value at the first step"), FormReader::an_expression,
         reference.first);
  const auto next = form.need("next", "a C++ expression that may call the reference at earlier steps");
  r.take(next, FormReader::an_expression, reference.term);
  if (!reference.term.text.empty()) r.calls_itself();
  if (reference.along >= reference.index.size()) return;
  const std::string& step = reference.index[reference.along].name;
  for (const Access& call : accesses(reference.term.text))
    if (call.name == reference.itself() && call.member.empty() && reference.along < call.arguments.size() &&
        call.arguments[reference.along] == step)
      next->mistake(
          fmt::format("found {} to call itself at {}, which is being computed, expected an earlier step, "
                      "as in {} - 1",
                      reference.itself(), step, step));
}

void write_recur(FormWriter& w) {
  const Reference& reference = w.reference();
  const std::vector<std::string> names = w.names();
  const Text &first = reference.first, &next = reference.term;
  const std::string& along = names[reference.along];
  w.write({w.own("first"), names, &first, w.carries_magnitude(), w.carries_magnitude()});
  // The type of its values is that of `first` and `next` together; `next` is asked what it makes of them.
  FormFunction later{w.own("next"), names, &next, w.carries_magnitude(), w.carries_magnitude()};
  later.prefix = "template <class podium_value>";
  later.itself = fmt::format("podium::program::Earlier<podium_value, {}, {}, {}{}>", w.reference_number(),
                             w.place_of_values(), reference.along, w.more_positions());
  later.itself_made_of = fmt::format("podium_words, {}, {}", w.reference_number(), along);
  w.write(later);
  w.stored(w.own("first"), names);
  std::string arguments = "podium::program::Words{}";
  for (std::size_t k = 0; k < names.size(); ++k) arguments += fmt::format(", {}{{}}", w.type_of(k));
  w.add("using podium_both_{0} = Stored<decltype(podium_stored_{0}{{}} + {1}<podium_stored_{0}>({2})), {3}>;",
        w.number(), w.own("next"), arguments, w.keeps_magnitude());
  w.open();
  w.add("  using Value = podium_both_{};", w.number());
  w.place();
  w.add("  static constexpr bool crosses = {};", crosses_lines(reference));
  w.lines(reference.along);
  w.add(
      "  PODIUM_DEVICE static Value step(Words podium_words, [[maybe_unused]] i64 podium_line, i64 "
      "podium_step) {{");
  w.take_apart("podium_line", w.all_but(reference.along));
  w.step_index(reference.along);
  w.add("    if (podium_step == 0) return Value({});", w.call(w.own("first"), names));
  w.add("    return Value({});\n  }}", w.call(w.own("next") + "<Value>", names));
  w.close();
}

void launch_recur(FormLaunch& l) {
  const std::int64_t steps = l.extent(l.reference().along), lines = l.elements() / steps;
  const auto take = [&](std::int64_t first, std::int64_t last, int groups) {
    l.set(program::recur_first, first);
    l.set(program::recur_last, last);
    l.run("evaluate", groups);
  };
  if (!crosses_lines(l.reference())) return take(0, steps, l.groups_for(lines));
  // So many lines one group takes through.
  if (lines <= 4 * l.group_threads()) return take(0, steps, 1);
  for (std::int64_t step = 0; step < steps; ++step) take(step, step + 1, l.groups_for(lines));
}

}  // namespace

bool crosses_lines(const Reference& reference) {
  const std::vector<bool> all = crossed(reference);
  return std::find(all.begin(), all.end(), true) != all.end();
}

ReferenceForm recur_form() {
  return {.name = "recur",
          .holds = "recur",
          .says = "Steps along one of its indices, each from earlier ones",
          .map_says = "A state, step by step",
          .example = "{ along: t, first: \"x(0)\", next: \"s(t - 1) + x(t)\" }",
          .keys = {{"along", "name", "One of its indices, ascending", needed_key},
                   {"first", "term", "The value at the first step", needed_key},
                   {"next", "term", "The others; may call the reference at earlier steps", needed_key}},
          .whole = recur_whole,
          .does = recur_does,
          .read = read_recur,
          .write = write_recur,
          .kernels = {{"evaluate", "recur"}},
          .launch = launch_recur};
}

}  // namespace podium::problem
