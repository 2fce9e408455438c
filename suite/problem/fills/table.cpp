// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of ready-made fills, and what its rows do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "suite/base/nearest.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/program/numbers.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

std::uint64_t word(double x) { return program::bits_of(x); }

// Standard deviations that a normal number may be away from the mean: suite/problem/program/fill_kinds.hpp.
constexpr double normal_reach = 3.4642;

DrawnRange normal_range(const TensorInstance& tensor) {
  const double mean = tensor.fill_first, deviation = tensor.fill_second;
  if (deviation < 0) return {fmt::format("found stddev {}, expected at least 0", deviation)};
  const int bits = info(tensor.dtype).bits;
  DrawnRange drawn{.low = mean, .high = mean};
  // A scale has no sign: not even the lowest number drawn may reach zero. Of the others, those that do not
  // saturate would draw infinities.
  if (tensor.dtype == Dtype::e8m0 || bits > 8) drawn.low = mean - normal_reach * deviation;
  if (bits > 8) drawn.high = mean + normal_reach * deviation;
  return drawn;
}

FillWords normal_words(const TensorInstance& tensor) {
  // Types that saturate take any deviation; beyond 2^400 every number drawn does.
  const bool saturates = info(tensor.dtype).bits <= 8;
  return {word(tensor.fill_first),
          word(saturates ? std::min(tensor.fill_second, 0x1p400) : tensor.fill_second), 0};
}

DrawnRange between(const TensorInstance& tensor) {
  const double low = tensor.fill_first, high = tensor.fill_second;
  if (low > high) return {fmt::format("found low {} above high {}, expected low first", low, high)};
  if (!std::isfinite(high - low))
    return {fmt::format("found numbers from {} to {}, expected a finite range between them", low, high)};
  return {.low = low, .high = high};
}

FillWords uniform_words(const TensorInstance& tensor) {
  const double low = tensor.fill_first, high = tensor.fill_second;
  return {word(low), word(high - low), word(std::max(low, largest_below(tensor.dtype, high)))};
}

FillWords integers_words(const TensorInstance& tensor) {  // below 2^53 in size: fault_of_fill()
  const auto low = static_cast<std::int64_t>(tensor.fill_first),
             high = static_cast<std::int64_t>(tensor.fill_second);
  return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high - low) + 1, 0};
}

DrawnRange ones_range(const TensorInstance&) { return {.low = 1, .high = 1}; }

DrawnRange sequence_range(const TensorInstance& tensor) {
  const auto steps = static_cast<double>(std::max<std::int64_t>(tensor.elements - 1, 0));
  const double first = tensor.fill_first, last = first + tensor.fill_second * steps;
  return {.low = std::min(first, last), .high = std::max(first, last)};
}

FillWords both_words(const TensorInstance& tensor) {
  return {word(tensor.fill_first), word(tensor.fill_second), 0};
}

const Words over_words{"over", {"row", "tensor"}};

// "over: row" or "over: tensor"; rows where nothing is said.
void parse_permutation(const Cursor& arguments, Fill& fill) {
  if (!arguments.is_map()) return arguments.expected("a map, as in { over: row } or { over: tensor }");
  arguments.keys(std::vector<std::string>{over_words.name});
  const auto over = arguments.find(over_words.name);
  const auto word = over ? over->word("row or tensor") : std::nullopt;
  if (word && *word != "row" && *word != "tensor")
    over->mistake(found_one_of(yaml::excerpt(*word), over_words.words));
  fill.over_tensor = word && *word == "tensor";
}

DrawnRange permutation_range(const TensorInstance& tensor) {
  const DtypeInfo& dtype = info(tensor.dtype);
  const auto largest = static_cast<double>(std::max<std::int64_t>(tensor.fill_row - 1, 0));
  if (tensor.dtype == Dtype::e8m0 && tensor.elements > 0)
    return {"found a permutation, whose first number is 0, for e8m0, expected a dtype that holds 0"};
  if (largest <= every_whole(tensor.dtype)) return ones_range(tensor);
  return {
      fmt::format("found a permutation of {} numbers, expected at most {:.10g}: those that {} tells apart",
                  tensor.fill_row, every_whole(tensor.dtype) + 1, dtype.name)};
}

FillWords row_words(const TensorInstance& tensor) {
  return {static_cast<std::uint64_t>(tensor.fill_row), 0, 0};
}

}  // namespace

// Judge's programs name a tensor's fills in this order.
const std::vector<ReadyFill>& ready_fills() {
  static const std::vector<ReadyFill> all{
      {.name = "normal",
       .says = "Normal numbers: mean 0, standard deviation 1",
       .details = "A sum of uniform numbers, within 3.47 standard deviations",
       .arguments = {{"mean", "0", "0 unless stated"}, {"stddev", "1", "1 unless stated"}},
       .real = true,
       .range = normal_range,
       .launch_words = normal_words},
      {.name = "uniform",
       .says = "Uniform numbers in [low, high): [0, 1)",
       .details = "Uniform numbers in [low, high)",
       .arguments = {{"low", "0", "0 unless stated"}, {"high", "1", "Not reached; 1 unless stated"}},
       .real = true,
       .range = between,
       .launch_words = uniform_words},
      {.name = "integers",
       .says = "Whole numbers, both ends included",
       .details = "Uniform whole numbers",
       .arguments = {{"low", "", "The least"}, {"high", "", "The greatest: included"}},
       .whole = true,
       .range = between,
       .launch_words = integers_words},
      {.name = "zeros", .says = "All 0"},
      {.name = "ones", .says = "All 1", .range = ones_range},
      {.name = "sequence",
       .says = "first, first + step, ...: 0, 1, 2, ...",
       .details = "first + step times the element's number",
       .arguments = {{"first", "0", "0 unless stated"}, {"step", "1", "1 unless stated"}},
       .range = sequence_range,
       .launch_words = both_words},
      {.name = "permutation",
       .says = "0 to n - 1, shuffled, along the last axis",
       .details = "A random order of 0 to n - 1",
       .keys = {{over_words.name, over_words.name,
                 "row: along the last axis, each row on its own (row); tensor: of all elements"}},
       .words = {over_words},
       .parse = parse_permutation,
       .range = permutation_range,
       .launch_words = row_words},
  };
  return all;
}

}  // namespace podium::problem
