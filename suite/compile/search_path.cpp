// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/search_path.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

#include "suite/compile/content.hpp"

namespace podium::compile {
namespace {

namespace fs = std::filesystem;

class State {
 public:
  // Links are followed, as compilers do; a folder that has been seen is left out, for links may lead round.
  void add(const fs::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return;
    if (S_ISDIR(status.st_mode)) {
      if (seen_.emplace(status.st_dev, status.st_ino).second) add_all_in(path);
    } else {
      digest_.add(path.string());
      for (const std::int64_t number :
           {std::int64_t(status.st_size), std::int64_t(status.st_mtim.tv_sec),
            std::int64_t(status.st_mtim.tv_nsec), std::int64_t(status.st_ctim.tv_sec),
            std::int64_t(status.st_ctim.tv_nsec)})
        digest_.add(std::to_string(number));
    }
  }
  std::string hex() const { return digest_.hex(); }

 private:
  void add_all_in(const fs::path& folder) {
    std::vector<fs::path> all;
    std::error_code fault;
    for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
      all.push_back(at->path());
    std::ranges::sort(all);
    for (const auto& path : all) add(path);
  }

  Digest digest_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

}  // namespace

const std::vector<const char*>& search_variables() {
  static const std::vector<const char*> all = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                               "LIBRARY_PATH"};
  return all;
}

std::string state_of_search_path() {
  State state;
  for (const char* name : search_variables()) {
    const char* const value = std::getenv(name);
    std::istringstream folders(value ? value : "");
    for (std::string folder; std::getline(folders, folder, ':');)
      if (folder.starts_with('/')) state.add(folder);
  }
  return state.hex();
}

}  // namespace podium::compile
