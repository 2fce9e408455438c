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
void say(const std::string& text) { static_cast<void>(std::fputs(text.c_str(), stderr)); }

}  // namespace

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}
ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const contest::Progress& p) {
  const std::string what =
      p.round < 0 ? std::string("verifying") : fmt::format("round {}/{}", p.round + 1, p.rounds);
  if (terminal_)
    return show(fmt::format("[{:3.0f} %] {}/{} {}  {}  {}{}", 100 * p.done, p.problem, p.types, p.workload,
                            what, p.contestant, time_left(p.seconds_left)));
  show(fmt::format("[{:3.0f} %] {}/{}  {}{}", 100 * p.done, p.problem, p.types, what,
                   time_left(p.seconds_left)));
}

void ProgressLine::show(const std::string& line) {
  if (quiet_) return;
  if (terminal_) {
    say("\r\033[K" + line.substr(0, columns() - 1));
    shown_ = true;
    std::fflush(stderr);
    return;
  }
  // In a log, what is new: the share and the time left change all the time.
  const std::string key =
      line.substr(line.find(']') == std::string::npos ? 0 : line.find(']'), std::string::npos);
  const std::string steady = key.substr(0, key.rfind("  "));
  if (steady == last_) return;
  last_ = steady;
  say(line + "\n");
}

void ProgressLine::clear() {
  if (shown_) say("\r\033[K");
  shown_ = false;
}

}  // namespace podium::cli
