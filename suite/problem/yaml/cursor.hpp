// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads the YAML tree: a node together with the key that leads to it. What does not fit is noted, not thrown,
// and the reader gets nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/yaml/format.hpp"
#include "suite/problem/yaml/location.hpp"
#include "suite/problem/yaml/mistakes.hpp"
#include "suite/problem/yaml/yaml.hpp"

namespace podium::problem {

class Cursor {
 public:
  // `file` names the file in sentences; all four outlive the cursor and those made from it.
  Cursor(const yaml::Node& node, const std::string& file, Mistakes& mistakes, std::string key = "");

  const std::string& key() const { return key_; }         // "tensors.x.shape[1]"
  const std::string& name() const { return node_->key; }  // "shape": the last key
  Location at() const { return {*file_, node_->line}; }
  Location key_at() const { return {*file_, node_->key_line ? node_->key_line : node_->line}; }

  bool is_null() const { return node_->kind == yaml::Node::Kind::null; }
  bool is_scalar() const { return node_->kind == yaml::Node::Kind::scalar; }
  bool is_list() const { return node_->kind == yaml::Node::Kind::list; }
  bool is_map() const { return node_->kind == yaml::Node::Kind::map; }

  void mistake(std::string_view sentence) const;          // "file:line: key: sentence"
  void mistake_first(std::string_view sentence) const;    // the same, told before all others
  void expected(std::string_view what) const;             // found this node, expected `what`
  const std::string& raw() const { return node_->text; }  // of a scalar; "" of others
  std::string found() const;                              // this node in words

  // Children of a map, of a list; a mistake and none if it is not one.
  std::vector<Cursor> fields(std::string_view what) const;
  std::vector<Cursor> items(std::string_view what) const;
  std::optional<Cursor> find(std::string_view key) const;                         // of a map
  std::optional<Cursor> need(std::string_view key, std::string_view what) const;  // a mistake if it is absent

  // Notes every key of this map that is not in `keys`: those in `later` as not there yet, others as unknown.
  // A misspelt one is read in the place of the key that it is nearest to, if that is absent. Whether nothing
  // is left unread.
  bool keys(const std::vector<std::string>& keys, const std::vector<std::string>& later = {}) const;
  // The same of the keys that the format's table has for the form.
  bool keys(const Form& form) const { return keys(form.names(), form.later); }

  // Behind keys(): the children that are neither known nor read in the place of a known one.
  std::vector<Cursor> strangers(const std::vector<std::string>& keys) const;

  // Notes that this form of the format is not there yet, and what is.
  void not_yet(std::string_view what, const std::vector<std::string>& there) const;

  std::optional<std::string> word(std::string_view what) const;  // a scalar that is not empty
  std::optional<Text> text(std::string_view what) const;         // the same, with its place and key
  // Numbers of YAML's core schema; quoted ones are text.
  std::optional<double> number(std::string_view what) const;
  std::optional<std::int64_t> whole(std::string_view what, std::int64_t low, std::int64_t high) const;
  std::optional<bool> truth() const;
  // "2 GiB", or a whole number of bytes
  std::optional<std::int64_t> bytes() const;

 private:
  std::string path_of(std::string_view key) const;  // "tensors.x.role"
  bool is_read_as(const yaml::Node& node, const std::string& meant) const;
  Cursor child(const yaml::Node& node, std::string key) const {
    return {node, *file_, *mistakes_, std::move(key)};
  }

  const yaml::Node* node_;
  const std::string* file_;
  Mistakes* mistakes_;
  std::string key_;
};

// The number that `text` is in YAML's core schema, and whether it is written as an integer.
struct Number {
  double value;
  bool integer;
};
std::optional<Number> core_number(std::string_view text);

inline constexpr std::int64_t largest_whole =
    (std::int64_t{1} << 53) - 1;  // whole numbers that fp64 holds exactly

}  // namespace podium::problem
