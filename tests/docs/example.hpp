// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// An example of docs/problem.md: the problem that it makes with the base, and what it says of the result.
//
// A block of YAML is a whole problem if it has the key `podium`; else its sections replace those of the base,
// which is the block marked `base`. Comments that begin a line are statements, each of which is held against
// what the problem really does:
//   # y = [1, 3, 6]             input, output, structure, axis, bytes or flops; formulas are numbers, too,
//   and a
//                               single number is that of every element
//   # y = [1, 3, 7] is wrong    what verifying says of these values; likewise `is right`
//   # sorted x = [0, 1, 2]      the elements in ascending order
//   # memory of x = [1, 2, _]   as memory holds them; _ is padding
//   # memory of x at 7 = 2      one of these
//   # used of x = 3             how much of the first axis is in use
//   # sample of y = 4           how many elements a sample verifies
//   # every x: x >= 0           a condition on each element
//   # x(0, 1) == x(1, 0)        any other condition; sum(x), max(x), min(x) work, too
// Behind "on NAME: " a statement is about the workload or board of that name, else about the first test
// workload of the first board.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/docs/blocks.hpp"

namespace podium::docs {

struct Statement {
  enum class Kind { value, right, wrong, sorted, memory, used, sample, every, condition };
  Kind kind = Kind::condition;
  std::string on;                   // workload or board; "" for the first
  std::string name;                 // what it is about
  std::vector<std::string> values;  // formulas, row-major
  std::int64_t place = -1;          // of one value in memory; -1: all of them
  std::string condition;
  std::string text;  // the line, for messages
};

struct Example {
  std::string place;  // file:line
  std::string yaml;   // the whole problem; its own sections come first, so that lines are those of the block
  std::set<std::string> own;  // the sections that stand in the block itself
  bool refused = false;
  std::string sentences;  // of a refused one
  std::vector<Statement> statements;
};

// Throws std::runtime_error with the place of what cannot be understood.
std::vector<Example> examples_of(const Document& document);

}  // namespace podium::docs
