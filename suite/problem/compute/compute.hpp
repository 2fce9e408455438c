// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The small language in which a problem computes its structure, as in
//   out(0) = 0; for (b : batch) out(b + 1) = out(b) + ceil_div(length(b), page);
//
// Statements: auto x = …; x = …; out(i, j) = …; also += -= *=; { … }; if (…) … else …; while (…) …; break;
// continue; for (b : n) … from 0; for (b : [low, high]) … half open; random.permutation(out); which makes out
// a permutation of 0 … size - 1; random.ascending(out, first, count, low, high); which sets `count` elements
// from number `first` on, in row-major order, to ascending numbers of [low, high), one from each of `count`
// equal parts of it: the columns of a sparse row.
//
// Expressions are C++'s: + - * / % ( ) == != < <= > >= ! && || ?: over whole (64 bits) and real (fp64)
// numbers, where / of whole numbers is whole; functions: compute_functions(). A real number becomes whole
// only if it is. Names: axes, parameters, constants, structure above, `out`, locals.
//
// A loop that stands in no other statement, and whose turns need nothing of each other (apart.hpp),
// runs on several threads: each 1024 of its turns draw from a sequence of random numbers of their own.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// A sentence about one line of the file.
class ComputeError : public Error {
 public:
  ComputeError(Location at, const std::string& sentence) : Error(sentence), at_(std::move(at)) {}
  const Location& at() const { return at_; }

 private:
  Location at_;
};

// What a text may name.
struct ComputeNames {
  struct Array {
    std::size_t rank = 1;
    bool real = false;
  };
  std::map<std::string, bool> numbers;     // axes, constants, parameters; whether real
  std::map<std::string, Array> structure;  // computed before this one
  Array out;
};

// All that a `compute` text behind the first `structures` may name, but for `out`.
ComputeNames compute_names(const Problem& problem, std::size_t structures);

struct StructureInstance;  // model/instance.hpp

// Statements, turns of loops and elements that functions pass through. A few seconds.
inline constexpr std::int64_t most_compute_steps = 100'000'000;

// The numbers behind these names.
struct ComputeInputs {
  std::map<std::string, double> numbers;
  std::map<std::string, const StructureInstance*> structure;
  std::uint64_t seed = 0;    // of the round
  std::uint32_t stream = 0;  // which structure it is: each draws numbers of its own
  std::int64_t most_steps = most_compute_steps;
  int threads = 0;  // 0: as many as there are processors. The numbers are the same for any
};

struct ComputeTree;  // tree.hpp

// A text that was read; holds no numbers.
class Compute {
 public:
  // Throws ComputeError: the first of faults_of_compute().
  Compute(const Text& text, const ComputeNames& names);
  ~Compute();
  Compute(Compute&&) noexcept;

  // Fills out.words, in row-major order, from zeros. Throws ComputeError: an index out of range, a number
  // that the dtype does not hold, an overflow, more than `most_steps`.
  void run(const ComputeInputs& inputs, const StructureInstance& out,
           std::vector<std::uint64_t>& words) const;

 private:
  std::unique_ptr<ComputeTree> tree_;
};

// What cannot be read of a text, and its unknown names (the nearest is given), in its order and at most ten.
// What a statement that could not be read leads to is left out as far as can be told.
std::vector<ComputeError> faults_of_compute(const Text& text, const ComputeNames& names);

// Functions over numbers, then those over structure, then random.*; for sentences and documentation.
const std::vector<std::string>& compute_functions();

}  // namespace podium::problem
