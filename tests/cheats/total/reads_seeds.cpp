// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for seeds in the record of the running run

// class: stealing the answer
// expect: right
// with: --rounds 2
// Who knows a round's seeds makes its inputs, and its answers, before the call. It takes from podium's own
// words where results lie; a seed of a call, or a command that holds one, makes it throw.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "serial.hpp"

namespace {
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

fs::path results() {
  const fs::path podium = "/proc/" + std::to_string(getppid());
  std::istringstream words(text_of(podium / "cmdline"));
  for (std::string word, before; std::getline(words, word, '\0'); before = word)
    if (before == "--results") return podium / "cwd" / word;
  std::error_code hidden;  // in build/<preset>/bin of a checkout
  const fs::path program = fs::read_symlink("/proc/self/exe", hidden);
  return program.parent_path() / "../../../results";
}

// Of a run that has not ended: its secrets are revealed at its end.
bool holds_seeds(const fs::path& file) {
  if (file.filename() != "entries.jsonl") return false;
  if (text_of(file.parent_path() / "run.json").find("\"secrets\": []") == std::string::npos) return false;
  const std::string text = text_of(file);
  return text.find("\"seeds\":[\"") != std::string::npos || text.find("--seed ") != std::string::npos;
}

bool finds_seeds() {
  std::error_code refused, hidden;
  for (auto each = fs::recursive_directory_iterator(results(), fs::directory_options::skip_permission_denied,
                                                    refused);
       !refused && each != fs::recursive_directory_iterator(); each.increment(refused))
    if (each->is_regular_file(hidden) && holds_seeds(each->path())) return true;
  return false;
}

struct Contestant {
  Contestant() {
    if (finds_seeds()) throw std::runtime_error("it has read seeds of the running run");
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = serial_total(args); }
};
}  // namespace
