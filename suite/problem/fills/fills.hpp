// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The ready-made fills: a row of one table each. The format's keys, the parser, faults of instances, the text
// of judge's programs and their launch words follow from it; how an element is drawn stands in
// suite/problem/program/fill_kinds.hpp, in a struct of the same name.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/model/instance.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/format.hpp"

namespace podium::problem {

struct FillArgument {
  std::string name, fallback, says;  // fallback "": the argument must be given
};

// The numbers that a fill draws on one instance, which the dtype must hold; or what is wrong with its
// arguments.
struct DrawnRange {
  std::string fault = "";
  double low = 0, high = 0;
};

// The arguments of a fill, as the judge's program reads them: fill_first, fill_second, fill_third.
using FillWords = std::array<std::uint64_t, 3>;

struct ReadyFill {
  std::string name, says;                    // the key of the format, and its documentation
  std::string details = "";                  // documentation of the map of arguments
  std::vector<FillArgument> arguments = {};  // formulas: at most two
  // In place of formulas: a map with these keys, the words that they choose from, and what reads it.
  std::vector<Key> keys = {};
  std::vector<Words> words = {};
  void (*parse)(const Cursor& arguments, Fill& fill) = nullptr;
  bool real = false;   // only a floating dtype holds what it draws
  bool whole = false;  // its arguments are whole numbers, and each number between them may be drawn
  DrawnRange (*range)(const TensorInstance& tensor) = nullptr;
  FillWords (*launch_words)(const TensorInstance& tensor) = nullptr;  // none: three zeros
};

const std::vector<ReadyFill>& ready_fills();
const ReadyFill* ready_fill(std::string_view name);  // nullptr if there is none

// The keys of the form `fill` in the format, and a form for each fill that has arguments.
std::vector<Key> keys_of_fills();
std::vector<Form> forms_of_fills();
std::vector<Words> words_of_fills();

// What is wrong with a fill for the tensor's dtype and extents; "" if nothing.
std::string fault_of_fill(const TensorInstance& tensor);

// "podium::program::FillKind::normal, …": the ready-made fills of the tensor itself and of all workloads; ""
// if there are none. A kernel knows only these: compiling all would take longer than the rest of a small
// problem.
std::string fill_kinds(const Problem& problem, const Tensor& tensor);

// The launch words fill_kind, fill_first, fill_second, fill_third; zeros unless the fill is a ready-made one.
std::array<std::uint64_t, 4> fill_words(const TensorInstance& tensor);

// The largest number of a floating dtype that is below `high`.
double largest_below(Dtype dtype, double high);

}  // namespace podium::problem
