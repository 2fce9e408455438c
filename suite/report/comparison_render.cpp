// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A comparison for the terminal, as Markdown, JSON and CSV.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"
#include "suite/record/fields.hpp"
#include "suite/report/comparison.hpp"
#include "suite/report/format.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/render.hpp"

namespace podium::report {
namespace {

using nlohmann::json;

// The worst first.
constexpr std::array all_changes{Change::slower, Change::fails,  Change::gone,  Change::undecided,
                                 Change::faster, Change::mended, Change::added, Change::same};

std::string run_text(const record::Provenance& p) {
  return fmt::format("{}, commit {}", one_line(p.started), p.commit.empty() ? "unknown" : one_line(p.commit));
}

std::string summary(const Comparison& c) {
  std::vector<std::string> counts;
  for (const Change change : all_changes)
    if (const int count = c.count(change); count > 0)
      counts.push_back(fmt::format("{} {}", count, name_of(change)));
  return fmt::format("{}: {}; changes of less than {} % do not count", counted(c.rows.size(), "row"),
                     fmt::join(counts, ", "), significant(100 * c.margin, 2));
}

std::string heading(const Compared& row) {
  return fmt::format("{} · {} · {}", row.problem, row.types, row.stage);
}

std::string interval(const Compared& row) {
  return row.low ? fmt::format("{}–{}", ratio_text(*row.low), ratio_text(*row.high)) : std::string(none);
}

Line line_of(const Compared& row) {
  return {
      .cells = {row.contestant, row.workload.empty() ? "all" : row.workload, or_none(row.before, time_text),
                or_none(row.after, time_text), or_none(row.ratio, ratio_text), interval(row),
                row.text.empty() ? std::string(name_of(row.change))
                                 : fmt::format("{}: {}", name_of(row.change), one_line(row.text))},
      .remark = ""};
}

// One table a board, in the order of rows.
struct Section {
  std::string heading;
  Table table;
};
std::vector<Section> sections(const Comparison& comparison, bool all) {
  std::vector<Section> result;
  for (const Compared& row : comparison.rows) {
    if (row.change == Change::same && !all) continue;
    if (result.empty() || result.back().heading != heading(row))
      result.push_back(
          {heading(row),
           {.columns = {{.header = "contestant", .names = true},
                        {.header = "workload", .names = true, .importance = 3, .stretches = true},
                        {.header = "before", .right = true, .importance = 1},
                        {.header = "after", .right = true, .importance = 2},
                        {.header = "after/before", .right = true},
                        {.header = "95 %", .right = true, .importance = 4},
                        {.header = "verdict", .importance = 5, .stretches = true}},
            .lines = {}}});
    result.back().table.lines.push_back(line_of(row));
  }
  return result;
}

std::string terminal(const Comparison& c, bool all) {
  const Style style = terminal_style();
  const std::size_t columns = std::max(style.columns, least_columns);
  std::string out = device_text(c.after.device) + "\n";
  out += fmt::format("before: {}\nafter:  {}\n", run_text(c.before), run_text(c.after));
  out += wrapped(summary(c), 2, columns) + "\n";
  for (const Section& section : sections(c, all)) {
    out += fmt::format("\n{}\n\n", section.heading);
    put_table(out, section.table, columns);
  }
  if (!c.notes.empty()) out += "\nWhat else differs:\n";
  for (const std::string& note : c.notes) out += fmt::format("  {}\n", wrapped(note, 4, columns));
  return style.unicode ? out : ascii_lines(out);
}

std::string markdown(const Comparison& c) {
  std::string out = fmt::format("# {}: two runs compared\n\n", markdown_escaped(device_text(c.after.device)));
  out += fmt::format("- before: {}\n- after: {}\n- {}\n", markdown_escaped(run_text(c.before)),
                     markdown_escaped(run_text(c.after)), summary(c));
  for (const std::string& note : c.notes) out += fmt::format("- {}\n", markdown_escaped(note));
  for (const Section& section : sections(c, true)) {
    out += fmt::format("\n## {}\n\n", markdown_escaped(section.heading));
    put_markdown_table(out, section.table);
  }
  return out;
}

// For a pull request, which others may answer to: what changed, the worst first, and no more of it than is
// read.
std::string pull_request_summary(const Comparison& c) {
  constexpr std::size_t most_rows = 20, most_text = 160;
  std::vector<const Compared*> changed;
  std::vector<std::string> counts;
  for (const Change change : all_changes) {
    if (change == Change::undecided || change == Change::same) continue;
    if (const int count = c.count(change); count > 0)
      counts.push_back(fmt::format("{} {}", count, name_of(change)));
    for (const Compared& row : c.rows)
      if (row.change == change) changed.push_back(&row);
  }
  Table table{.columns = {{.header = "verdict"},
                          {.header = "problem"},
                          {.header = "contestant"},
                          {.header = "workload"},
                          {.header = "before", .right = true},
                          {.header = "after", .right = true},
                          {.header = "after/before (95 %)", .right = true}},
              .lines = {}};
  for (const Compared* row : changed) {
    if (table.lines.size() == most_rows) break;
    const std::string verdict(name_of(row->change));
    table.lines.push_back(
        {.cells = {row->text.empty()
                       ? verdict
                       : fmt::format("{}: {}", verdict, shortened(one_line(row->text), most_text)),
                   fmt::format("{}/{}", row->problem, row->types), row->contestant,
                   row->workload.empty() ? "all" : row->workload, or_none(row->before, time_text),
                   or_none(row->after, time_text),
                   row->ratio ? fmt::format("{} ({})", ratio_text(*row->ratio), interval(*row))
                              : std::string(none)},
         .remark = ""});
  }
  std::string out =
      fmt::format("### Podium: {} on {}\n\n",
                  counts.empty() ? "nothing changed" : fmt::format("{}", fmt::join(counts, ", ")),
                  markdown_escaped(device_text(c.after.device)));
  if (!table.lines.empty()) {
    put_markdown_table(out, table);
    if (changed.size() > most_rows)
      out += fmt::format("\n{} more changed; `podium compare` lists them.\n", changed.size() - most_rows);
    out += '\n';
  }
  out += fmt::format("{}. Before: {}. After: {}.\n", summary(c), markdown_escaped(run_text(c.before)),
                     markdown_escaped(run_text(c.after)));
  if (!c.notes.empty()) out += "\nWhat else differs:\n\n";
  for (const std::string& note : c.notes) out += fmt::format("- {}\n", markdown_escaped(note));
  return out;
}

std::string to_json(const Comparison& c) {
  json rows = json::array();
  for (const Compared& row : c.rows)
    rows.push_back({{"problem", row.problem},
                    {"types", row.types},
                    {"stage", row.stage},
                    {"contestant", row.contestant},
                    {"workload", row.workload},
                    {"verdict", name_of(row.change)},
                    {"text", row.text},
                    {"before_us", record::number(row.before)},
                    {"after_us", record::number(row.after)},
                    {"ratio", record::number(row.ratio)},
                    {"ratio_low", record::number(row.low)},
                    {"ratio_high", record::number(row.high)}});
  json counts = json::object(), verdicts = json::array();
  for (const Change change : all_changes) {
    counts[name_of(change)] = c.count(change);
    verdicts.push_back(name_of(change));
  }
  const json result{{"schema", record::schema},          {"before", record::to_json(c.before)},
                    {"after", record::to_json(c.after)}, {"margin", c.margin},
                    {"counts", std::move(counts)},       {"notes", c.notes},
                    {"verdicts", std::move(verdicts)},   {"rows", std::move(rows)}};
  return result.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string to_csv(const Comparison& c) {
  std::string out = csv_line({"problem", "types", "stage", "contestant", "workload", "verdict", "before_us",
                              "after_us", "ratio", "ratio_low", "ratio_high", "text"});
  for (const Compared& row : c.rows)
    out += csv_line({row.problem, row.types, row.stage, row.contestant, row.workload,
                     std::string(name_of(row.change)), csv_number(row.before), csv_number(row.after),
                     csv_number(row.ratio), csv_number(row.low), csv_number(row.high), one_line(row.text)});
  return out;
}

}  // namespace

std::string render(const Comparison& comparison, const std::string& format, bool all) {
  if (format == "table") return terminal(comparison, all);
  if (format == "md") return markdown(comparison);
  if (format == "summary") return pull_request_summary(comparison);
  if (format == "json") return to_json(comparison);
  if (format == "csv") return to_csv(comparison);
  throw Error(fmt::format("--format {}: expected table, md, summary, json or csv", format));
}

}  // namespace podium::report
