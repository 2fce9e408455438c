// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Finds the metadata block in the opening comments and reads its keys.
#include "suite/compile/metadata.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/model/arch.hpp"
#include "suite/problem/yaml/mistakes.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/problem/yaml/yaml.hpp"

namespace podium::compile {
namespace {

using yaml::excerpt;
using yaml::Node;
constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view line) {
  const auto first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

// `podium:` alone or with the whole map behind it; prose that merely begins so is none.
bool begins_block(std::string_view comment) {
  constexpr std::string_view key = "podium:";
  comment = trimmed(comment);
  if (!comment.starts_with(key)) return false;
  comment = trimmed(comment.substr(key.size()));
  return comment.empty() || comment.starts_with('{') || comment.starts_with('#');
}

// Walks the lines of a file; knows which are line comments and whether code has begun.
class Lines {
 public:
  Lines(std::string_view text, std::string_view marker) : rest_(text), marker_(marker) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }

  bool next() {
    if (rest_.empty()) return false;
    const auto end = std::min(rest_.find('\n'), rest_.size());
    line_ = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    classify();
    return true;
  }
  int number() const { return number_; }
  bool code() const { return code_; }
  bool comment() const { return comment_; }
  std::string_view words() const { return line_.substr(marker_.size()); }  // of a line comment

 private:
  void classify() {
    comment_ = !within_ && line_.starts_with(marker_);
    if (comment_ || line_.empty()) return;
    if (!within_ && !(marker_ == "//" && line_.starts_with("/*"))) {
      code_ = true;
      return;
    }
    const auto close = line_.find("*/", within_ ? 0 : 2);
    within_ = close == std::string_view::npos;
    if (!within_ && close + 2 < line_.size()) code_ = true;
  }

  std::string_view rest_, marker_, line_;
  int number_ = 0;
  bool within_ = false;  // a block comment
  bool code_ = false, comment_ = false;
};

class MetadataReader {
 public:
  MetadataReader(const problem::Problem& problem, Contestant& contestant)
      : problem_(problem), contestant_(contestant) {}

  void read(const Node& root) {
    for (const auto& child : root.children) {
      if (child.key == "podium") continue;
      wrong(child.key_line, child.key, "found beside `podium`, expected below it; indent it");
    }
    const Node* const block = root.find("podium");
    if (!block)  // what begins like the key is none without a space behind the colon
      wrong(root.line, "podium", "found no such key, expected `podium: {` or `podium:` alone on its line");
    else if (block->kind == Node::Kind::map)
      for (const auto& child : block->children) key(child);
    else if (block->kind != Node::Kind::null)
      wrong(block->line, "podium", "found a value, expected a map of keys such as title and types");
    choose_backends(block ? block->find("backends") : nullptr);
    if (contestant_.language->sealed) seal(block, root.line);
    mistakes_.raise();
  }

 private:
  // What its kernels are, and how they are launched.
  void seal(const Node* block, int line) {
    auto& c = contestant_;
    if (c.language->among_needs) choose_language(block ? block->line : line);
    if (!block || block->kind != Node::Kind::map)
      return wrong(block ? block->line : line, "launches",
                   "found nothing, expected the kernels that run, in order");
    c.manifest = std::make_shared<Manifest>(read_manifest(*block, *c.language, problem_, c.file, mistakes_));
    if (c.language->sealed == SealedForm::objects)  // of one vendor, unless it names code for both
      std::erase_if(c.backends, [&](const std::string& backend) {
        return std::ranges::none_of(c.manifest->code, [&](const auto& code) {
          return of_backend(code.arch, backend_named(backend));
        });
      });
  }

  // Of those that share the file's suffix: the one that `needs` names.
  void choose_language(int line) {
    auto& c = contestant_;
    const auto all = with_suffix_of(*c.language);
    std::vector<std::string> names;
    std::vector<const Language*> named;
    for (const Language* one : all) {
      names.push_back("[" + one->name + "]");
      if (std::ranges::find(c.needs, one->name) != c.needs.end()) named.push_back(one);
    }
    if (named.size() != 1)
      wrong(line, "needs",
            fmt::format("expected {}: which of them compiles this file", fmt::join(names, " or ")));
    if (named.empty()) return;
    c.language = named.front();
    std::erase_if(c.backends, [&](const std::string& name) {
      const Backend* const backend = find_backend(name);  // none: a mistake that has been noted
      return backend && !c.language->runs_on(*backend);
    });
  }

  void key(const Node& node) {
    std::vector<std::string> keys = {"title", "author", "source",   "types",
                                     "arch",  "needs",  "backends", "when"};
    if (contestant_.language->sealed) {
      const auto& more = sealed_keys(*contestant_.language->sealed);
      if (std::ranges::find(more, node.key) != more.end()) return;  // seal() reads it
      keys.insert(keys.end(), more.begin(), more.end());
    }
    const auto& frameworks = contestant_.language->frameworks;
    if (!frameworks.empty()) keys.emplace_back("framework");
    auto& c = contestant_;
    if (node.key == "title")
      c.title = scalar(node);
    else if (node.key == "author")
      c.author = scalar(node);
    else if (node.key == "source")
      c.source = scalar(node);
    else if (node.key == "arch")
      arch(node);
    else if (node.key == "when")
      c.when = {scalar(node), at(node.line)};
    else if (node.key == "needs")
      needs(node);
    else if (node.key == "backends")
      backends(node);
    else if (node.key == "types")
      types(node);
    else if (node.key == "framework" && !frameworks.empty())
      framework(node, frameworks);
    else
      wrong(node.key_line, node.key, "unknown key: " + found_one_of(excerpt(node.key), keys));
  }

  // Compilers of Python kernels bring neither headers nor libraries.
  void needs(const Node& node) {
    auto& c = contestant_;
    c.needs = words(node);
    for (const auto& one : languages())
      if (one.among_needs && c.language->suffix != one.suffix &&
          std::ranges::find(c.needs, one.name) != c.needs.end())
        wrong(node.line, node.key,
              fmt::format("found {}, expected libraries: it compiles name{} alone", one.name, one.suffix));
  }

  void framework(const Node& node, const std::vector<Framework>& all) {
    auto& c = contestant_;
    c.framework = scalar(node);
    std::vector<std::string> known;
    for (const auto& one : all) known.push_back(one.module);
    if (!c.framework.empty() && std::ranges::find(known, c.framework) == known.end())
      wrong(node.line, node.key, found_one_of(excerpt(c.framework), known));
  }

  // Those on which its framework has arrays.
  void choose_backends(const Node* stated) {
    auto& c = contestant_;
    const auto& all = c.language->frameworks;
    const auto chosen = std::ranges::find(all, c.framework, &Framework::module);
    if (chosen == all.end()) return;  // it needs none, or a mistake that has been noted
    auto having = backends_of(*c.language);
    std::erase_if(having, [&](const std::string& name) {
      return !(backend_named(name).gpu ? chosen->on_gpus : chosen->on_processors);
    });
    std::erase_if(c.backends, [&](const std::string& name) {
      const bool lacks = find_backend(name) && std::ranges::find(having, name) == having.end();
      if (lacks && stated)
        wrong(stated->line, "backends",
              fmt::format("{}, where arrays of `framework: {}` lie", found_one_of(excerpt(name), having),
                          c.framework));
      return lacks;
    });
  }

  void arch(const Node& node) {
    const auto names = node.kind == Node::Kind::list ? words(node) : std::vector{scalar(node)};
    for (const auto& name : names) {
      if (name.empty()) continue;
      if (const auto mistake = problem::arch_mistake(name); !mistake.empty())
        wrong(node.line, node.key, mistake);
      contestant_.arch += (contestant_.arch.empty() ? "" : " ") + name;
    }
  }

  void backends(const Node& node) {
    const auto allowed = contestant_.backends;
    contestant_.backends = words(node);
    for (const auto& name : contestant_.backends)
      if (std::ranges::find(allowed, name) == allowed.end())
        wrong(node.line, node.key,
              found_one_of(excerpt(name), allowed) + ", which are those of this file's suffix");
  }

  void types(const Node& node) {
    if (node.kind != Node::Kind::map)
      return wrong(node.line, node.key, "expected a map like { real: [f32, bf16] }");
    std::map<std::string, std::set<std::string>> offered;
    for (const auto& choice : problem_.choices)
      for (const auto& [key, dtype] : choice.types) offered[key].emplace(problem::info(dtype).name);
    std::vector<std::string> keys;
    for (const auto& [key, dtypes] : offered) keys.push_back(key);
    for (const auto& child : node.children) {
      const auto known = offered.find(child.key);
      if (known == offered.end()) {
        wrong(child.key_line, "types",
              keys.empty()
                  ? fmt::format("found '{}', expected none: problem '{}' has no `types`", excerpt(child.key),
                                problem_.name)
                  : found_one_of(excerpt(child.key), keys) + fmt::format(" of problem '{}'", problem_.name));
        continue;
      }
      const std::vector<std::string> dtypes(known->second.begin(), known->second.end());
      auto& served = contestant_.types[child.key] = words(child);
      for (const auto& dtype : served)
        if (!known->second.contains(dtype))
          wrong(child.line, "types." + child.key,
                found_one_of(excerpt(dtype), dtypes) + fmt::format(" of problem '{}'", problem_.name));
    }
  }

  std::string scalar(const Node& node) {
    if (node.kind == Node::Kind::scalar && !trimmed(node.text).empty()) return node.text;
    wrong(node.line, node.key, "expected one line of text");
    return {};
  }

  // One word, or a list of different words; never none.
  std::vector<std::string> words(const Node& node) {
    if (node.kind == Node::Kind::scalar) return {scalar(node)};
    std::vector<std::string> result;
    if (node.kind != Node::Kind::list || node.children.empty())
      wrong(node.line, node.key, "expected a name or a list of names");
    else
      for (const auto& child : node.children) {
        if (child.kind != Node::Kind::scalar)
          wrong(child.line, node.key, "expected a list of names");
        else if (std::ranges::find(result, child.text) != result.end())
          wrong(child.line, node.key, fmt::format("found '{}' twice, expected it once", excerpt(child.text)));
        else
          result.push_back(child.text);
      }
    return result;
  }

  problem::Location at(int line) const { return {contestant_.file.string(), line}; }
  void wrong(int line, std::string_view key, const std::string& sentence) {
    mistakes_.add(at(line), excerpt(key), sentence);
  }

  const problem::Problem& problem_;
  Contestant& contestant_;
  problem::Mistakes mistakes_;
};

}  // namespace

std::optional<Block> find_block(std::string_view text, std::string_view marker,
                                const std::filesystem::path& file) {
  std::optional<Block> block;
  bool open = false;
  for (Lines lines(text, marker); lines.next();) {
    if (open && !lines.comment()) open = false;
    if (open) {
      block->yaml += fmt::format("{}\n", lines.words());
      continue;
    }
    if (!lines.comment() || !begins_block(lines.words())) continue;
    if (block)
      throw Error(fmt::format("{}:{}: found a second `podium:` block, expected one; the first is at line {}",
                              file.string(), lines.number(), block->line));
    if (lines.code())
      throw Error(fmt::format(
          "{}:{}: found the `podium:` block after code, expected it before the first line of code; "
          "move it up",
          file.string(), lines.number()));
    block = Block{fmt::format("{}\n", lines.words()), lines.number()};
    open = true;
  }
  return block;
}

void read_metadata(const Block& block, const problem::Problem& problem, Contestant& contestant) {
  MetadataReader(problem, contestant).read(yaml::parse(block.yaml, contestant.file.string(), block.line));
}

}  // namespace podium::compile
