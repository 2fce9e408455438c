// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Collects what is wrong with a file, so that one reading names every mistake.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suite/problem/yaml/location.hpp"

namespace podium::problem {

class Mistakes {
 public:
  // Notes "file:line: key: sentence"; `key` may be empty. The same sentence about the same place counts once.
  // Raises instead of noting more than a few hundred.
  void add(const Location& at, std::string_view key, std::string_view sentence);
  // The same of what others follow from: it is told before all that is not.
  void add_first(const Location& at, std::string_view key, std::string_view sentence);
  // The same as add(), unless something is already noted about that key in that line.
  void add_once(const Location& at, std::string_view key, std::string_view sentence);
  // `path` is what a misspelt key was probably meant to be: it is not held against the file that it is
  // missing, and the first `key` spelt so is read in its place; "" if its value is not worth reading.
  void misspelt(const std::string& path, const std::string& key) { misspelt_.try_emplace(path, key); }
  bool is_misspelt(const std::string& path) const { return misspelt_.contains(path); }
  std::string spelling(const std::string& path) const {
    const auto found = misspelt_.find(path);
    return found == misspelt_.end() ? "" : found->second;
  }
  bool about(std::string_view key) const;  // whether one is about that key or what is below it
  std::size_t count() const { return found_.size(); }
  // Throws podium::Error with one sentence a line, those first that others follow from, in the order of the
  // file; returns if there is none.
  void raise() const;

 private:
  struct Mistake {
    bool first;
    int line;
    std::string sentence;  // whole
  };
  void add(const Location& at, std::string_view key, std::string_view sentence, bool first);

  std::vector<Mistake> found_;
  std::map<std::string, std::string> misspelt_;  // by path, the key in the file
};

}  // namespace podium::problem
