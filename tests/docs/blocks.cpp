// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/blocks.hpp"
#include "tests/paths.hpp"

#include <fstream>
#include <stdexcept>

namespace podium::docs {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

// The cells of "| a | b |"; `\|` and bars within backquotes are no ends of cells.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  bool quoted = false;
  for (std::size_t at = 1; at < line.size(); ++at) {
    const bool escaped = line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '|';
    if (line[at] == '`') quoted = !quoted;
    if (escaped) {
      cell += line[++at];
    } else if (line[at] == '|' && !quoted) {
      cells.push_back(trimmed(cell));
      cell.clear();
    } else {
      cell += line[at];
    }
  }
  return cells;
}

bool is_rule(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells)
    if (cell.empty() || cell.find_first_not_of("-:") != cell.npos) return false;
  return !cells.empty();
}

class Reader {
 public:
  explicit Reader(Document& document) : document_(document) {}

  void take(const std::string& line, int number) {
    const std::size_t indent = line.find_first_not_of(' ');
    const bool fence = indent != line.npos && line.compare(indent, 3, "```") == 0;
    if (open_) return inside(line, fence);
    if (fence) return begin(line, indent, number);
    if (line.starts_with("## ")) section_ = trimmed(line.substr(3));
    line.starts_with("|") ? row(line, number) : heads_.clear();
  }
  bool open() const { return open_; }

 private:
  void inside(const std::string& line, bool fence) {
    if (fence) {
      open_ = false;
      return;
    }
    document_.blocks.back().text += line.substr(std::min(indent_, line.size())) + "\n";
  }
  void begin(const std::string& line, std::size_t indent, int number) {
    const std::string info = trimmed(line.substr(indent + 3));
    const std::size_t blank = std::min(info.find(' '), info.size());
    document_.blocks.push_back({info.substr(0, blank), trimmed(info.substr(blank)), "", section_, number});
    indent_ = indent;
    open_ = true;
    heads_.clear();
  }
  void row(const std::string& line, int number) {
    const auto cells = cells_of(line);
    if (is_rule(cells)) return;
    if (heads_.empty())
      heads_ = cells;
    else
      document_.rows.push_back({cells, heads_, section_, number});
  }

  Document& document_;
  std::string section_;
  std::vector<std::string> heads_;
  std::size_t indent_ = 0;
  bool open_ = false;
};

}  // namespace

std::string Document::place(const Block& block) const {
  return file.string() + ":" + std::to_string(block.line);
}

Document read_document(std::string_view name) {
  Document document{std::filesystem::path(name), {}, {}};
  std::ifstream in(std::filesystem::path(test::source_dir()) / name);
  if (!in) throw std::runtime_error(std::string(name) + " cannot be read");
  Reader reader(document);
  int number = 0;
  for (std::string line; std::getline(in, line);) reader.take(line, ++number);
  if (reader.open()) throw std::runtime_error(std::string(name) + ": the last block is not closed");
  return document;
}

}  // namespace podium::docs
