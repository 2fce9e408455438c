// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace podium::cli {
namespace {

std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string time_left(double seconds) {
  if (seconds < 0) return "";
  if (seconds < 90) return fmt::format("  {:.0f} s left", seconds);
  return fmt::format("  {:.0f} min left", seconds / 60);
}

// A terminal that has hung up is no reason to lose a run.
void write_stderr(const std::string& text) { static_cast<void>(std::fputs(text.c_str(), stderr)); }

}  // namespace

ProgressLine::ProgressLine(Verbosity verbosity)
    : verbosity_(verbosity), terminal_(isatty(STDERR_FILENO) != 0) {}
ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const contest::Progress& p) {
  const std::string board = fmt::format("{}/{}", p.problem, p.types);
  const std::string what =
      p.round < 0 ? std::string("verifying") : fmt::format("round {}/{}", p.round + 1, p.rounds);
  if (terminal_)
    return show(fmt::format("[{:3.0f} %] board {} of {}: {} {}  {}  {}{}", 100 * p.done, p.board, p.boards,
                            board, p.workload, what, p.contestant, time_left(p.seconds_left)),
                board);
  const std::string subject = verbosity_ == Verbosity::verbose ? fmt::format("{}  {}", board, what) : board;
  show(fmt::format("podium: board {} of {}: {}{}", p.board, p.boards, subject, time_left(p.seconds_left)),
       subject);
}

void ProgressLine::show(const std::string& line, const std::string& subject) {
  if (verbosity_ == Verbosity::quiet) return;
  if (terminal_) {
    write_stderr("\r\033[K" + line.substr(0, columns() - 1));
    shown_ = true;
    std::fflush(stderr);
  } else if (shown_subjects_.insert(subject).second) {
    write_stderr(line + "\n");
  }
}

void ProgressLine::clear() {
  if (shown_) write_stderr("\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace podium::cli
