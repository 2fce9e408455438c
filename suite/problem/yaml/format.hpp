// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The keys of the format's maps, in one table: the parser refuses all others, and the schema for editors
// (schema.hpp) is made of the same.
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

// The alternatives of such text, "A | B"; brackets are kept together. Views of `holds`.
std::vector<std::string_view> alternatives(std::string_view holds);

// A map whose keys the format names.
struct Form {
  std::string name, says;
  std::vector<Key> keys;
  std::vector<std::string> later = {};     // reserved: refused as not there yet
  std::vector<std::string> one_of = {};    // exactly one of these keys is given
  std::string others = {};                 // what keys that the problem names hold; "": there are none
  std::vector<std::string> names() const;  // of its keys, in order
};

const std::vector<Form>& forms();
const Form& form(std::string_view name);  // throws std::logic_error if there is none

// Words that a key chooses from: lists named `role`, `op`, `accumulator`, `parameter`, `structure_dtype`,
// `over`, `layout`, `part`, `backend`, `feature`.
struct Words {
  std::string name;
  std::vector<std::string> words;
};
const std::vector<Words>& word_lists();
const std::vector<std::string>& words(std::string_view list);  // throws std::logic_error if there is none

}  // namespace podium::problem
