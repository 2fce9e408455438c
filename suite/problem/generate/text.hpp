// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Generated text, line by line, that knows how to lead a compiler's messages into the YAML and back.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

class Lines {
 public:
  // `name`: what compilers call the generated text.
  explicit Lines(std::string name) : name_(std::move(name)) {}

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    add_text(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void add_text(std::string_view text);  // one or more whole lines
  // The term as written between `opening` and `closing`, all of it between #line there and #line back. There:
  // "problem.yaml#reference.y.value", since several keys may share a line of the file.
  void add_term(std::string_view opening, const Text& term, std::string_view closing);
  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
  int line_ = 1;
};

// "…" as a C++ literal, without control characters.
std::string cpp_string(std::string_view text);
// For a comment: one line, no backslash at its end.
std::string comment(std::string_view text);
// A double that C++ reads back exactly.
std::string literal(double value);

// The type by which the judge's program finds a tensor's elements; `place`: of the tensor in the context.
std::string layout_type(const Tensor& tensor, int place);

// Axes of what one rank has, and of the view of it that contestants have.
std::size_t part_rank(const Tensor& tensor);
std::size_t rank_of(const Tensor& tensor);

}  // namespace podium::problem
