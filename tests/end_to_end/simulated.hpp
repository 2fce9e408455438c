// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A podium installed in a scratch folder, whose judge has a simulated device: simulated_judge.cpp.
#pragma once
#include <stdlib.h>
#include <sys/wait.h>

#include <fstream>
#include <string>
#include <utility>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {

class Simulated : public Scratch {
 public:
  Simulated() {
    fs::create_directories(path() / "bin");
    for (const char* program : {"podium", "podium-worker-host"})
      fs::copy_file(fs::path(binary_dir()) / "bin" / program, path() / "bin" / program);
    fs::copy_file(fs::path(binary_dir()) / "tests/end_to_end/simulated_judge",
                  path() / "bin" / "podium-judge-host");
    std::string toolchain = text(fs::path(binary_dir()) / "toolchain.yaml");
    const std::string root = "\"../../";  // from the build folder to the checkout
    for (std::size_t at; (at = toolchain.find(root)) != std::string::npos;)
      toolchain.replace(at, root.size(), "\"" + source_dir() + "/");
    write("toolchain.yaml", toolchain);
  }

  // Exit status and all that it said. Its problems are those written to kernels/.
  std::pair<int, std::string> podium(const std::string& arguments) const {
    const fs::path out = path() / "out";
    setenv("PODIUM_CACHE", cache_dir().c_str(), 1);
    const std::string command = (path() / "bin" / "podium").string() + " " + arguments + " --problems " +
                                (path() / "kernels").string() + " --results " + results().string() + " >" +
                                out.string() + " 2>&1";
    // NOLINTNEXTLINE(bugprone-command-processor): the command as a user types it
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text(out)};
  }

 private:
  static std::string text(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

}  // namespace podium::test
