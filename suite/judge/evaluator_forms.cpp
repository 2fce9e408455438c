// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How each form of reference is launched.
#include <fmt/format.h>

#include <algorithm>

#include "suite/judge/program_runner.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/program/order.hpp"

namespace podium::judge {
namespace {

using problem::Reference;

constexpr std::int64_t group_threads = 256;
constexpr std::int64_t short_line = 64;     // steps of a scan that one thread does faster than a group
constexpr std::int64_t least_steps = 1024;  // of a part of a scan, below which cutting a line gains nothing
constexpr std::int64_t one_group = 4 * group_threads;  // lines of a recurrence that one group takes through

std::uint64_t word(std::int64_t x) { return static_cast<std::uint64_t>(x); }

}  // namespace

bool ProgramRunner::evaluates(std::size_t reference) const {
  return instance_.stage == problem::Stage::test ||
         !problem::needs_host(problem_, problem_.references[reference]);
}

void ProgramRunner::run(const char* kernel, std::size_t e, int groups) {
  program_.run(fmt::format("podium_{}_{}", kernel, e), words_, groups);
}

void ProgramRunner::evaluate(std::size_t e, std::int64_t elements) {
  const auto& evaluation = plan_.evaluations()[e];
  const Reference& reference = problem_.references[evaluation.reference];
  const auto& ranges = layout_.ranges[evaluation.reference];
  switch (reference.form) {
    case Reference::Form::value:
    case Reference::Form::code:
      return run("evaluate", e, groups_for(elements));
    case Reference::Form::reduce:
      return reduce(e, elements);
    case Reference::Form::scan:
      return scan(e, elements / ranges[reference.along].extent, ranges[reference.along].extent);
    case Reference::Form::scatter:
      return scatter(e, elements);
    case Reference::Form::recur:
      return recur(e, elements / ranges[reference.along].extent, ranges[reference.along].extent);
    case Reference::Form::order: {
      const int set = evaluation.sets.back();
      const std::int64_t ranks = set == problem::whole_range ? ranges[reference.index.size() - 1].extent
                                                             : counts_[static_cast<std::size_t>(set)];
      return order(e, elements / ranks, ranks);
    }
    case Reference::Form::host:
      return run("evaluate", e, 1);
  }
}

void ProgramRunner::scan(std::size_t e, std::int64_t lines, std::int64_t steps) {
  const bool serial = !gpu() || steps <= short_line;
  const std::int64_t groups = groups_for(lines * steps);
  std::int64_t parts = 1;
  if (steps > short_line && lines < groups)
    parts = std::clamp<std::int64_t>(std::min(groups / lines, steps / least_steps), 1, most_parts / lines);
  set(program::prefix_lanes, word(serial ? 1 : group_threads));
  set(program::prefix_parts, word(parts));
  set(program::prefix_sums, reinterpret_cast<std::uint64_t>(at(layout_.parts)));
  const std::int64_t items = lines * parts;
  const int launched =
      serial ? groups_for(items) : static_cast<int>(std::min<std::int64_t>(items, most_groups));
  if (parts > 1) {
    run("sums_of_parts", e, static_cast<int>(std::min<std::int64_t>(items, most_groups)));
    run("carries", e, groups_for(lines));
  }
  run("evaluate", e, launched);
}

void ProgramRunner::scatter(std::size_t e, std::int64_t elements) {
  const auto& evaluation = plan_.evaluations()[e];
  const Reference& reference = problem_.references[evaluation.reference];
  const auto& ranges = layout_.ranges[evaluation.reference];
  const bool compensated = layout_.errors >= 0 && reference.op == Reference::Op::sum;
  if (compensated) set(program::scatter_errors, reinterpret_cast<std::uint64_t>(at(layout_.errors)));
  run("start", e, groups_for(elements));
  std::int64_t items = 1;
  for (std::size_t k = 0; k < reference.index.size(); ++k)
    if (reference.targets[k].text.empty())
      items *= evaluation.sets[k] == problem::whole_range
                   ? ranges[k].extent
                   : counts_[static_cast<std::size_t>(evaluation.sets[k])];
  for (std::size_t k = 0; k < reference.over.size() && !reference.over[k].dependent; ++k)
    items *= ranges[reference.index.size() + k].extent;
  if (items > 0) run("evaluate", e, groups_for(items));
  if (compensated) run("settle", e, groups_for(elements));
}

void ProgramRunner::recur(std::size_t e, std::int64_t lines, std::int64_t steps) {
  const auto launch = [&](std::int64_t first, std::int64_t last, int groups) {
    set(program::recur_first, word(first));
    set(program::recur_last, word(last));
    run("evaluate", e, groups);
  };
  if (!problem::crosses_lines(problem_.references[plan_.evaluations()[e].reference]))
    return launch(0, steps, groups_for(lines));
  if (lines <= one_group) return launch(0, steps, 1);
  for (std::int64_t step = 0; step < steps; ++step) launch(step, step + 1, groups_for(lines));
}

void ProgramRunner::order(std::size_t e, std::int64_t lines, std::int64_t ranks) {
  const std::int64_t length = layout_.ranges[plan_.evaluations()[e].reference].back().extent;
  const std::int64_t together = std::max<std::int64_t>(1, length > 0 ? layout_.sorted / length : lines);
  std::byte *from = at(layout_.sort), *to = from + sort_pair_bytes * layout_.sorted;
  const auto place = [&] {
    set(program::order_from, reinterpret_cast<std::uint64_t>(from));
    set(program::order_to, reinterpret_cast<std::uint64_t>(to));
  };
  set(program::order_length, word(length));
  for (std::int64_t first = 0; first < lines; first += together) {
    const std::int64_t batch = std::min(together, lines - first);
    set(program::order_first, word(first));
    set(program::order_lines, word(batch));
    place();
    if (length > 0) {
      const int pieces = groups_for(batch * ((length + program::sort_run - 1) / program::sort_run));
      run("keys", e, groups_for(batch * length));
      program_.run("podium_sort_runs", words_, pieces);
      for (std::int64_t width = program::sort_run; width < length; width *= 2) {
        set(program::order_width, word(width));
        program_.run("podium_merge_runs", words_, pieces);
        std::swap(from, to);
        place();
      }
    }
    run("evaluate", e, groups_for(batch * ranks));
  }
}

}  // namespace podium::judge
