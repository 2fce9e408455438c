// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The folder of finished products, and the scratch folders in which they are made.
//
//   <cache>/<problem>/<name>.<key>.plugin   finished: appears by rename, is never written again
//   <cache>/<problem>/<name>.<key>.log      what its compiler said, if anything
//   <cache>/scratch/<process>.XXXXXX        one build; removed afterwards, or by a later one if it was killed
//   <cache>/users/<process>                 locked while that process may use entries; as old as it
//   <cache>/lock                            shared by those who look entries up, held by who removes some
//   <cache>/limit                           as `podium cache --limit` was told
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "suite/base/descriptor.hpp"

namespace podium::compile {

std::filesystem::path default_cache();  // $PODIUM_CACHE, else $XDG_CACHE_HOME/podium, else ~/.cache/podium

// Entries, the products and logs of equal content, are removed when all of them together exceed the limit:
// those first that no build has asked for longest. An entry that a living process of Podium's may use stays.
class Cache {
 public:
  // While one lives, what a build uses stays. Of a cache that cannot be written nothing is ever removed.
  explicit Cache(std::filesystem::path folder);

  struct Contents {
    int entries = 0;
    std::int64_t bytes = 0;
  };
  Contents contents() const;
  // As `podium cache --limit` has set it, else 20 GiB; $PODIUM_CACHE_LIMIT overrides both. Throws
  // podium::Error if that is no amount.
  std::int64_t limit() const;
  void set_limit(std::int64_t bytes) const;

  // Notes that a product was asked for. Under looking_up() none is removed meanwhile.
  static void use(const std::filesystem::path& product);
  Descriptor looking_up() const;

  // Removes entries until at most that many bytes are left; returns what was removed.
  Contents trim(std::int64_t most) const;

 private:
  std::filesystem::path folder_;
};

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

}  // namespace podium::compile
