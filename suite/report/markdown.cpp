// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards and their provenance as Markdown: what is published.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "suite/base/backend.hpp"
#include "suite/base/counted.hpp"
#include "suite/report/format.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/render.hpp"
#include "suite/report/run_notes.hpp"

namespace podium::report {
namespace {

void put_board(std::string& out, const BoardReport& board) {
  out += fmt::format("\n## {}\n\n", markdown_escaped(heading(board)));
  if (!board.title.empty()) out += fmt::format("{}: ", markdown_escaped(board.title));
  out += fmt::format("{}.\n\n", markdown_escaped(subheading(board)));
  if (board.rows.empty()) {
    out += "No contestant has an entry.\n";
    return;
  }
  put_markdown_table(out, ranking_table(board));
  if (const Table workloads = workload_table(board); !workloads.lines.empty()) {
    out += '\n';
    put_markdown_table(out, workloads);
  }
  const std::vector<std::string> notes = footnotes(board);
  if (!notes.empty()) out += '\n';
  for (const std::string& note : notes) out += fmt::format("- {}\n", markdown_escaped(note));
}

void put_fact(std::string& out, const char* what, const std::string& value) {
  if (!value.empty()) out += fmt::format("| {} | {} |\n", what, markdown_escaped(value));
}

std::string join(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

void put_provenance(std::string& out, const record::Provenance& p) {
  constexpr double gib = 1 << 30, mib = 1 << 20;
  out += "| | |\n| --- | --- |\n";
  put_fact(out, "device", device_text(p.device));
  if (p.device.memory > 0)
    put_fact(out, "memory", fmt::format("{:.1f} GiB", static_cast<double>(p.device.memory) / gib));
  if (p.last_level_cache > 0)
    put_fact(out, "last-level cache",
             fmt::format("{:.1f} MiB", static_cast<double>(p.last_level_cache) / mib));
  if (p.multiprocessors > 0)
    put_fact(out, recorded_backend(p.device.backend).gpu ? "multiprocessors" : "threads",
             fmt::format("{}", p.multiprocessors));
  if (p.device.power_cap > 0) put_fact(out, "power cap", fmt::format("{:.0f} W", p.device.power_cap));
  if (p.copy_bytes_per_second > 0)
    put_fact(out, "copy, measured",
             fmt::format("{} GB/s read and written", significant(p.copy_bytes_per_second * 1e-9)));
  if (p.read_bytes_per_second > 0 && p.write_bytes_per_second > 0)
    put_fact(out, "reading and writing alone, measured",
             fmt::format("{} and {} GB/s", significant(p.read_bytes_per_second * 1e-9),
                         significant(p.write_bytes_per_second * 1e-9)));
  if (!p.calibrated.empty()) put_fact(out, "calibrated", p.calibrated);
  put_fact(out, "driver", p.driver);
  put_fact(out, "processor", p.cpu);
  put_fact(out, "kernel", p.kernel);
  for (const record::Compiler& compiler : p.compilers)
    put_fact(out, "compiler",
             fmt::format("{}: {} {}", compiler.backend, compiler.version, join(compiler.flags, " ")));
  put_fact(out, "Podium", fmt::format("{}, commit {}", p.podium, p.commit.empty() ? "unknown" : p.commit));
  put_fact(out, "date", p.started);
  put_fact(out, "command", p.command);
  const std::string order = p.order_seed == 0 ? "" : fmt::format(", order from seed {:016x}", p.order_seed);
  if (p.rounds > 0) put_fact(out, "rounds", fmt::format("{}{}", p.rounds, order));
  for (std::size_t i = 1; i < p.segments.size(); ++i)
    if (p.segments[i].shard.empty())
      put_fact(out, "resumed", fmt::format("{}, commit {}", p.segments[i].started, p.segments[i].commit));
  put_fact(out, "ended early", ended_text(p));
  put_fact(out, "sandbox", join(p.sandbox, ", "));
  put_fact(out, "attested", unattested_text(p).empty() ? "yes" : "no: " + unattested_text(p));
  if (p.wall_seconds > 0) put_fact(out, "wall time", spent_text(p.spent, p.wall_seconds));
}

// What the judge checked; older runs did not count it.
void put_checked(std::string& out, const record::Checked& checked) {
  if (checked.calls == 0) return;
  std::string text =
      fmt::format("{}: {} of outputs for poison and infinities, {} of these with a reference",
                  counted(checked.calls, "call"), counted(checked.elements, "element"), checked.compared);
  if (checked.examined > 0) text += fmt::format("; {} by the problem's checks", checked.examined);
  put_fact(out, "checked",
           fmt::format("{}; {} of guards and inputs for changes", text,
                       size_text(static_cast<double>(checked.bytes))));
}

// The runs of a report of several.
void put_parts(std::string& out, const Report& report) {
  if (report.parts.empty()) return;
  out += fmt::format(
      "\nThe tables are of {}; the facts above are of the newest. Rounds of two runs are never ranked "
      "together.\n\n| run | date | commit | driver | boards | ended early |\n| --- | --- | --- | --- | ---: "
      "| --- "
      "|\n",
      counted(report.parts.size(), "run"));
  for (const Part& part : report.parts)
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_escaped(part.run),
                       markdown_escaped(part.provenance.started), markdown_escaped(part.provenance.commit),
                       markdown_escaped(part.provenance.driver),
                       std::ranges::count(report.boards, part.run, &BoardReport::run),
                       markdown_escaped(ended_text(part.provenance)));
}

}  // namespace

std::string markdown(const Report& report) {
  std::string out = fmt::format("# {}\n\n", markdown_escaped(device_text(report.provenance.device)));
  put_provenance(out, report.provenance);
  put_checked(out, report.checked);
  put_parts(out, report);
  out +=
      "\nTimes are medians of the rounds' medians, caches cold, every timed call checked; `±` is the farther "
      "end of the "
      "95 % interval of the median in percent. A rank such as 2–3 is a span: the measurement does not tell "
      "these "
      "rows apart. "
      "`err/tol` is the largest error found over its limit.\n";
  if (report.boards.empty()) out += "\nNo board has an entry.\n";
  if (!report.overall.empty()) {
    out += "\n## All problems\n\n";
    put_markdown_table(out, overall_table(report.overall));
    out += fmt::format("\n- {}\n", markdown_escaped(overall_note));
  }
  for (const BoardReport& board : report.boards) put_board(out, board);
  return out;
}

}  // namespace podium::report
