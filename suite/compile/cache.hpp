// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The folder of finished products, and the scratch folders in which they are made.
//
//   <cache>/<problem>/<name>.<key>.plugin   finished: appears by publish(), is never written again
//   <cache>/<problem>/<name>.<key>.plugin.sha256  of its bytes
//   <cache>/<problem>/<name>.<key>.log      what its compiler said, if anything
//   <cache>/scratch/<process>.XXXXXX        one build; removed afterwards, or by a later one if it was killed
//   <cache>/users/<process>                 locked while that process may use entries; as old as it
//   <cache>/lock                            shared by those who look entries up, held by who removes some
//   <cache>/limit                           as `podium cache --limit` was told
//
// Several machines may share a cache on a network file system. What is published there needs no lock: names
// of unfinished files are unique by O_EXCL, finished ones appear by link(), and whoever reads one compares
// its hash. Locks only keep what is in use from being removed; those of another machine, whose locks this one
// may not see, hold by age.
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

// A new, empty file beside `file`, which no other process has, on this machine or another. Its path becomes
// `part`. Not open: errno says why.
Descriptor part_of(const std::filesystem::path& file, std::string& part);
// Names a finished part `file`. What has that name already stays unless its seal shows that it is damaged:
// another process may have mapped it, and a network file system takes replaced bytes from it. False: errno
// says why.
bool publish(const std::string& part, const std::filesystem::path& file);

std::string bytes_of(const std::filesystem::path& file);  // empty where there is none
// Beside a product lies the hash of its bytes: what was damaged since is made again.
void seal(const std::filesystem::path& product);
bool intact(const std::filesystem::path& product);

// A file that only this user can read, written whole or not at all. Throws podium::Error as above.
void write_private(const std::filesystem::path& file, const std::string& text);

// Makes `folder`, which others cannot look into. Throws podium::Error: one sentence that names PODIUM_CACHE.
void make_folder(const std::filesystem::path& folder);

}  // namespace podium::compile
