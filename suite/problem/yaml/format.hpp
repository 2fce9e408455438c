// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a map of a problem file may hold: keys, and the words that some of them choose from.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace podium::problem {

// What a key holds, as the schema has it: the name of a form, of a word list, or one of `text`, `name`,
// `number`, `whole`, `count`, `truth`, `bytes`, `formula`, `term`, `range`, `dtype`, `null`; "[A]" is a list
// of A, "{A}" a map from names to A, "A | B" either.
struct Key {
  std::string name, holds;
  std::string says;  // for who hovers over it
  bool needed = false;
};

// A map whose keys the format names.
struct Form {
  std::string name, says;
  std::vector<Key> keys;
  std::vector<std::string> later = {};      // reserved: refused as not there yet
  std::vector<std::string> one_of = {};     // exactly one of these keys is given
  std::string others = {};                  // what keys that the problem names hold; "": there are none
  std::vector<std::string> names() const {  // of its keys, in order
    std::vector<std::string> list;
    for (const Key& key : keys) list.push_back(key.name);
    return list;
  }
};

// Words that a key chooses from.
struct Words {
  std::string name;
  std::vector<std::string> words;
};

// The alternatives of Key::holds, "A | B"; brackets are kept together. Views of `holds`.
std::vector<std::string_view> alternatives(std::string_view holds);

}  // namespace podium::problem
