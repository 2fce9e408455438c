// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/example.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tests/docs/follow.hpp"

namespace podium::docs {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool statement(const std::string& line) { return line.starts_with("# "); }

struct Section {
  std::string key;  // "" for what stands before the first
  std::string text;
};

std::vector<Section> sections_of(const std::string& yaml) {
  std::vector<Section> sections{{}};
  for (const std::string& line : lines_of(yaml)) {
    const bool begins = !line.empty() && line[0] != ' ' && line[0] != '#' && line[0] != '-';
    if (begins) sections.push_back({line.substr(0, line.find(':')), ""});
    sections.back().text += line + "\n";
  }
  return sections;
}

std::string merged(const std::string& yaml, const std::string& base) {
  const auto own = sections_of(yaml);
  const auto has = [&](const std::string& key) {
    return std::any_of(own.begin(), own.end(), [&](const Section& section) { return section.key == key; });
  };
  if (has("podium")) return yaml;
  std::string text = yaml;
  for (const Section& section : sections_of(base))
    if (!section.key.empty() && !has(section.key))
      for (const std::string& line : lines_of(section.text))
        if (!statement(line)) text += line + "\n";
  return text;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// "[[1, 2], [f(3, 4), 5]]" as 1, 2, f(3, 4), 5; a single value as itself.
std::vector<std::string> values_of(const std::string& text, const std::string& place) {
  std::vector<std::string> values;
  if (!text.starts_with('[')) return {text};
  std::string value;
  int brackets = 0, parentheses = 0;
  const auto finish = [&] {
    if (!trimmed(value).empty()) values.push_back(trimmed(value));
    value.clear();
  };
  for (const char c : text) {
    parentheses += (c == '(') - (c == ')');
    brackets += (c == '[') - (c == ']');
    if (c == '[' || c == ']' || (c == ',' && parentheses == 0))
      finish();
    else
      value += c;
  }
  if (brackets != 0 || parentheses != 0) throw std::runtime_error(place + ": brackets do not match: " + text);
  return values;
}

Statement statement_of(const std::string& line, const std::string& place) {
  using Kind = Statement::Kind;
  static const std::regex on("on ([^ ]+): (.*)"), every("every (\\w+): (.+)"),
      value("(memory of |sorted |used of |sample of |)(\\w+)(?: at (\\d+))? = (.*?)( is right| is wrong|)"),
      condition(".*(==|!=|<|>).*");
  Statement made;
  made.text = line;
  std::string text = trimmed(line.substr(2));
  std::smatch parts;
  if (std::smatch prefix; std::regex_match(text, prefix, on)) {
    made.on = prefix[1];
    text = std::string(prefix[2]);
  }
  if (std::regex_match(text, parts, every)) {
    made.kind = Kind::every;
    made.name = parts[1];
    made.condition = parts[2];
  } else if (std::regex_match(text, parts, value)) {
    const std::string what = parts[1], verdict = parts[5];
    if (parts[3].matched) made.place = std::stoll(parts[3]);
    made.kind = what == "memory of "     ? Kind::memory
                : what == "sorted "      ? Kind::sorted
                : what == "used of "     ? Kind::used
                : what == "sample of "   ? Kind::sample
                : verdict == " is right" ? Kind::right
                : verdict == " is wrong" ? Kind::wrong
                                         : Kind::value;
    made.name = parts[2];
    made.values = values_of(parts[4], place);
  } else if (std::regex_match(text, condition)) {
    made.condition = text;
  } else {
    throw std::runtime_error(place + ": not a statement that a test understands: " + line);
  }
  return made;
}

}  // namespace

std::vector<Example> examples_of(const Document& document) {
  std::string base;
  for (const Block& block : document.blocks)
    if (block.language == "yaml" && block.remark == "base") base = block.text;
  std::vector<Example> examples;
  for (std::size_t k = 0; k < document.blocks.size(); ++k) {
    const Block& block = document.blocks[k];
    if (block.language != "yaml" || !file_of(block).empty()) continue;
    Example example{document.place(block), merged(block.text, base), {}, block.remark == "refused", "", {}};
    for (const Section& section : sections_of(block.text)) example.own.insert(section.key);
    if (!block.remark.empty() && block.remark != "refused" && block.remark != "base")
      throw std::runtime_error(example.place + ": found yaml " + block.remark + ", expected base or refused");
    for (const std::string& line : lines_of(block.text))
      if (statement(line)) example.statements.push_back(statement_of(line, example.place));
    if (example.refused) {
      if (k + 1 == document.blocks.size() || document.blocks[k + 1].language != "text")
        throw std::runtime_error(example.place + ": expected the sentence behind it, in a block of text");
      example.sentences = document.blocks[k + 1].text;
    } else if (example.statements.empty()) {
      throw std::runtime_error(example.place + ": found an example that states no result, expected one");
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace podium::docs
