// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The C++ terms of a judge's program: where each stands in the generated text, and which of them a compiler
// complains about, in the words of problem files.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace podium::compile {

// A term between #line "problem.yaml#key" and the next; the same key twice where it is generated twice.
struct TermPlace {
  std::string key;        // "reference.y.value"
  int line = 0;           // of its first line in the problem
  std::string opening;    // the generated text before it
  std::size_t begin = 0;  // in the program
  std::size_t end = 0;    // behind its last line
};
std::vector<TermPlace> terms_in(const std::string& program, const std::string& problem);

// The program with these terms replaced by ones that are right, whatever stands around them.
std::string without_terms(const std::string& program, const std::vector<TermPlace>& terms,
                          const std::vector<std::string>& keys);

struct TermError {
  std::string key;
  int line = 0;      // in the problem
  std::string what;  // as the compiler words it
};
// The errors of the log that are in a term of the problem, or in a header to which one led, in the order of
// the log.
std::vector<TermError> term_errors(const std::string& log, const std::string& problem);

// The sentence for what g++, clang or NVRTC says of a term: common mistakes as "found …, expected …", others
// as the compiler has them, without the names of the judge's program. `names`: those that terms may use, for
// the nearest one.
std::string in_words(const std::string& what, const std::vector<std::string>& names);

// The name that the compiler does not know; "" if it says something else.
std::string undeclared_in(const std::string& what);

}  // namespace podium::compile
