// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/generate/text.hpp"

#include <algorithm>
#include <cmath>

#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {

void Lines::add_text(std::string_view text) {
  text_ += text;
  text_ += '\n';
  line_ += 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void Lines::add_term(std::string_view opening, const Text& term, std::string_view closing) {
  const auto breaks = static_cast<int>(std::count(term.text.begin(), term.text.end(), '\n'));
  const auto add_at = [this, &term](int line, std::string_view text) {
    add("#line {} {}", line, cpp_string(term.key.empty() ? term.at.file : term.at.file + '#' + term.key));
    add_text(text);
  };
  add_at(term.at.line, opening);  // where a term of the wrong type is noticed
  add_at(term.at.line, term.text);
  add_at(term.at.line + breaks, closing);  // where a missing operand is noticed
  add("#line {} {}", line_ + 1, cpp_string(name_));
}

std::string cpp_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

std::string comment(std::string_view text) {
  std::string line = yaml::excerpt(text, 200);
  while (!line.empty() && (line.back() == '\\' || line.back() == '/')) line.pop_back();
  return line;
}

std::string literal(double value) {
  if (std::isnan(value)) return "(0.0 / 0.0)";
  if (std::isinf(value)) return value < 0 ? "(-1e308 * 10)" : "(1e308 * 10)";
  return fmt::format("{:a}", value);
}

std::string layout_type(const Tensor& tensor, int place) {
  switch (tensor.layout) {
    case Layout::row_major:
      break;
    case Layout::strided:
      return fmt::format("podium::program::Strided<{}, {}>", place, tensor.shape.size());
    case Layout::scales_128x4:
      return fmt::format("podium::program::Scales128x4<{}, {}>", place, tensor.shape.size());
  }
  return "podium::program::RowMajor";
}

std::size_t part_rank(const Tensor& tensor) {
  return tensor.shape.size() - (tensor.per_rank == PerRank::each ? 1 : 0);
}

std::size_t rank_of(const Tensor& tensor) { return view_rank(tensor.layout, part_rank(tensor)); }

}  // namespace podium::problem
