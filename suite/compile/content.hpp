// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Digests of what goes into a compilation: by content, never by path, so that a clone elsewhere has the same
// keys.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace podium::compile {

// SHA-256 (FIPS 180-4) of a sequence of pieces; each is preceded by its length, so that no two sequences
// collide.
class Digest {
 public:
  Digest();
  Digest& add(std::string_view piece);
  Digest& add(const std::vector<std::string>& pieces);
  std::string hex() const;  // 64 digits; may be asked at any time

 private:
  std::shared_ptr<void> context_;
};

std::string sha256_hex(std::string_view bytes);

// The whole of a source file. Throws podium::Error: unreadable, no regular file, or larger than 16 MiB.
std::string read_text(const std::filesystem::path& file);

// One file that a compilation can read.
struct Input {
  std::filesystem::path file;
  std::string name;  // in keys: relative to a folder that moves along with it
  std::string sha256;
  std::shared_ptr<const std::string> text;
  bool common = false;  // podium's own, of many compilations
};

// Reads every file at most once; a Builder has one, so that all its keys are of one moment.
class Contents {
 public:
  // All files below `folder`, named `as`/..., sorted. Throws podium::Error if one cannot be read.
  std::vector<Input> tree(const std::filesystem::path& folder, const std::string& as);

  // `source` and all that it may include: the files of its folder, and of those below it, that are neither
  // contestants nor YAML; where it lies beside its problem, also such files in the folders of the problems
  // beside; and what PODIUM_INCLUDE names, with colons between: folders, or files with what these may
  // include, contestants too. Named relative to the source's folder. Passed over are what is hidden, folders
  // of runs, files that cannot be read or have names that compilers do not take, and of more than 2000 files
  // or 64 MiB in a folder the largest. Throws podium::Error if the source cannot be read.
  std::vector<Input> around(const std::filesystem::path& source);

  // The source, and nothing beside it. Throws podium::Error if it cannot be read.
  Input alone(const std::filesystem::path& source);

 private:
  struct File {
    std::string sha256;
    std::shared_ptr<const std::string> text;
  };
  const File& file(const std::filesystem::path& path);
  const std::vector<std::filesystem::path>& helpers(const std::filesystem::path& folder, bool deep);

  std::map<std::filesystem::path, File> files_;
  std::map<std::filesystem::path, std::vector<std::filesystem::path>> trees_, deep_helpers_, helpers_;
};

// A digest of what `-march=native` resolves to on this machine: the processor's model and its features.
const std::string& this_processor();

}  // namespace podium::compile
