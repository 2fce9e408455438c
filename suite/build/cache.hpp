// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The folder of finished products, and the scratch folders in which they are made.
//
//   <cache>/<problem>/<name>.<key>.plugin   finished: appears by rename, is never written again
//   <cache>/<problem>/<name>.<key>.log      what its compiler said, if anything
//   <cache>/scratch/<process>.XXXXXX        one build; removed afterwards, or by a later one if it was killed
#pragma once
#include <filesystem>
#include <string>

#include "suite/base/descriptor.hpp"

namespace podium::build {

std::filesystem::path default_cache();  // $PODIUM_CACHE, else $XDG_CACHE_HOME/podium, else ~/.cache/podium

// A folder of its own on the cache's file system. Throws podium::Error: not writable, disk full.
class Scratch {
 public:
  explicit Scratch(const std::filesystem::path& cache);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  const std::filesystem::path& folder() const { return folder_; }
  void write(const std::filesystem::path& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
  Descriptor lock_;  // held as long as the folder is in use
};

// A file that only this user can read, written whole or not at all. Throws podium::Error as above.
void write_private(const std::filesystem::path& file, const std::string& text);

// Makes `folder`, which others cannot look into. Throws podium::Error: one sentence that names PODIUM_CACHE.
void make_folder(const std::filesystem::path& folder);

}  // namespace podium::build
