// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds a line to the results

// class: forging the result
// expect: wrong
// needs: sandbox  (another user, or a file system that it cannot write to)
// Looks for a run that is being written, in podium's working folder, in the folder it came from and in
// /tmp, and adds a line in which it is right.
#include <podium/sum.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {
namespace fs = std::filesystem;

void forge_below(const fs::path& folder) {
  std::error_code refused;
  for (auto each =
           fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, refused);
       each != fs::recursive_directory_iterator(); each.increment(refused)) {
    if (refused || each.depth() > 5) break;
    if (each->path().filename() == "entries.jsonl")
      std::ofstream(each->path(), std::ios::app)
          << R"({"problem": "sum", "types": "f32", "contestant": "forged_results", "verdict": "right"})"
          << '\n';
  }
}

struct Contestant {
  Contestant() {
    forge_below("/proc/" + std::to_string(getppid()) + "/cwd/results");
    std::error_code refused;
    for (const auto& entry : fs::directory_iterator("/tmp", refused))
      if (entry.path().filename().string().rfind("podium-", 0) == 0) forge_below(entry.path());
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = 12345; }
};
}  // namespace
