// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/publish/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "suite/base/counted.hpp"
#include "suite/report/board.hpp"
#include "suite/report/format.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/table.hpp"

namespace podium::publish {
namespace {

using report::BoardReport;
using report::Row;
using report::Standing;

// What is known of a board on a device; a later run replaces what is worth no more.
struct Cell {
  int worth = 0;  // 0: nothing
  std::string text;
};

constexpr int verified_only = 1, ranked_on_quick = 2, ranked_on_bench = 3;

// Whoever may be first: the span of ranks that begins at 1 is not told apart.
std::vector<std::string> winners_of(const BoardReport& board) {
  std::vector<std::string> names;
  for (const Row& row : board.rows)
    if (has_rank(row, board) && row.rank == 1) names.push_back(row.contestant);
  return names;
}

Cell cell_of(const BoardReport& board) {
  if (const auto winners = winners_of(board); !winners.empty()) {
    const auto first = std::ranges::find(board.rows, winners.front(), &Row::contestant);
    const bool bench = board.stage == "bench";
    return {bench ? ranked_on_bench : ranked_on_quick,
            fmt::format("{}{}{}", fmt::join(winners, ", "),
                        first->sol ? fmt::format(" {} %", report::percent_text(*first->sol)) : "",
                        bench ? "" : " (quick)")};
  }
  const auto count = [&](auto... standings) {
    return std::ranges::count_if(board.rows,
                                 [&](const Row& row) { return ((row.standing == standings) || ...); });
  };
  const auto right = count(Standing::emulated, Standing::verified, Standing::unranked),
             failed = count(Standing::failed);
  if (right + failed == 0) return {};
  if (right == 0) return {verified_only, "nobody is right"};
  return {verified_only, fmt::format("verified, not timed: {} of {} right", right, right + failed)};
}

struct Device {
  std::string name, newest, calibrated;
  int runs = 0;
  bool emulated = false;
};

std::string line_of(const std::string& folder, const Device& device) {
  const std::string ceiling = device.calibrated.empty()
                                  ? ""
                                  : fmt::format("; ceiling of runs that knew no calibration: that of {}",
                                                report::markdown_escaped(device.calibrated));
  return fmt::format("- [{}]({}): {}, the newest of {}{}{}\n", report::markdown_escaped(device.name), folder,
                     counted(device.runs, "run"), report::markdown_escaped(device.newest), ceiling,
                     device.emulated ? "; emulated: verified, never timed" : "");
}

bool has_first_series(const std::vector<BoardReport>& boards, const BoardReport& of) {
  return std::ranges::any_of(boards, [&](const BoardReport& board) {
    return board.series == 0 && board.problem == of.problem && board.types == of.types &&
           board.stage == of.stage;
  });
}

// Problem and types.
using Board = std::pair<std::string, std::string>;

}  // namespace

std::string index_markdown(const std::vector<FoundRun>& runs) {
  std::map<std::string, Device> devices;  // by folder
  std::map<Board, std::map<std::string, Cell>> cells;
  for (const FoundRun& found : runs) {
    const report::Report report = report::report_of(found.run);
    Device& device = devices[found.device];
    device.name = report::device_text(found.provenance.device);
    device.newest = found.provenance.started;
    device.emulated = found.provenance.device.emulated;
    ++device.runs;
    for (const BoardReport& board : report.boards) {
      // Contestants that were measured again, beside the baseline alone, are no board's winners.
      if (board.series != 0 && has_first_series(report.boards, board)) continue;
      if (!board.calibrated.empty()) device.calibrated = board.calibrated;
      Cell cell = cell_of(board);
      if (cell.worth == 0) continue;  // an interrupted run has not reached it, or nobody runs there
      Cell& known = cells[{board.problem, board.types}][found.device];
      if (cell.worth >= known.worth) known = std::move(cell);
    }
  }
  report::Table table{.columns = {{.header = "problem"}, {.header = "types"}}, .lines = {}};
  for (const auto& [folder, device] : devices) table.columns.push_back({.header = device.name});
  for (const auto& [board, of_devices] : cells) {
    std::vector<std::string> line{board.first, board.second};
    for (const auto& [folder, device] : devices) {
      const auto cell = of_devices.find(folder);
      line.push_back(cell == of_devices.end() ? std::string(report::none) : cell->second.text);
    }
    table.lines.push_back({.cells = std::move(line), .remark = ""});
  }
  std::string out =
      "# Results\n\nWritten by `podium publish results --index results/README.md`. Each cell names the "
      "fastest contestant in the newest run of a board on a device, and its share of the speed of light. "
      "Contestants that the measurement cannot separate stand together. There is no share if the run knew no "
      "rate that bounds the board. *Verified, not timed* is no rank: the device was emulated, or nothing was "
      "timed.\n\n";
  report::put_markdown_table(out, table);
  out += '\n';
  for (const auto& [folder, device] : devices) out += line_of(folder, device);
  return out;
}

}  // namespace podium::publish
