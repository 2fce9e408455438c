// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A right contestant that makes the selected mistake in one of its outputs. Included by the file that the
// test writes for each problem, behind the right contestant's source.
#pragma once
#include <algorithm>

#include "spoil.hpp"

namespace podium::mistakes {

// Volatile, since every copy of the plugin has another one.
[[gnu::used]] inline volatile Selection selection = PODIUM_SELECTION(Mistake::none, 0);

// Of the output that the mistake is made in: what the last call gave.
struct Before {
  std::vector<double> reals;
  std::vector<std::int64_t> integers;

  std::vector<double>& of(double) { return reals; }
  std::vector<std::int64_t>& of(std::int64_t) { return integers; }
};

template <class T, int Rank>
auto numbers_of(const Elements<T, Rank>& elements, std::int64_t size) {
  std::vector<typename Elements<T, Rank>::Number> numbers;
  for (std::int64_t i = 0; i < size; ++i) numbers.push_back(elements[i]);
  return numbers;
}

// Its numbers go to `all` if it could be taken for the output.
template <class T, int Rank, class O, int ORank, class Number>
void add_if_alike(const Tensor<T, Rank>& output, const Tensor<O, ORank>& other,
                  std::vector<std::vector<Number>>& all) {
  if constexpr (std::is_same_v<T, std::remove_const_t<O>>) {
    if (other.size() == output.size() && static_cast<const void*>(other.data) != output.data) {
      const Elements<O, ORank> elements(other);
      all.push_back(numbers_of(elements, elements.shape().size()));
    }
  }
}

// How many rows a call has written: nobody says which part of a tensor is in use.
template <class Output>
std::int64_t rows_written(const Output& output, const Shape& shape, const std::vector<std::uint64_t>& found) {
  for (std::int64_t i = shape.size(); i-- > 0;)
    if (output.bits(i) != found[std::size_t(i)]) return i / (shape.size() / shape.extents[0]) + 1;
  return 0;
}

// `right` computes all outputs; `all` are all tensors.
template <class Right, class T, int Rank, class... All>
void run(const Right& right, Before& before, const Facts& facts, const Tensor<T, Rank>& tensor,
         const All&... all) {
  using Output = Elements<T, Rank>;
  using Number = typename Output::Number;
  const Mistake mistake = selection.mistake;
  if (mistake == Mistake::none) return right();

  const Output output(tensor);
  Answer<Number> answer{output.shape(), {}};
  std::vector<std::uint64_t> found;
  for (std::int64_t i = 0, size = answer.shape.size(); i < size; ++i) found.push_back(output.bits(i));
  const std::vector<Number> found_numbers = numbers_of(output, answer.shape.size());
  right();
  if (facts.part) answer.shape.extents[0] = rows_written(output, answer.shape, found);
  answer.numbers = numbers_of(output, answer.shape.size());
  const auto kept = [&](std::int64_t i) { return output.bits(i) == found[std::size_t(i)]; };
  if constexpr (std::is_same_v<Number, double>)
    for (std::int64_t i = 0; facts.padding && i < answer.shape.size(); ++i)
      if (kept(i)) answer.numbers[std::size_t(i)] = std::numeric_limits<double>::quiet_NaN();

  std::vector<Number>& last = before.of(Number());
  const bool first_call = last.empty();
  std::vector<std::vector<Number>> others;
  (add_if_alike(tensor, all, others), ...);
  const Spoilt<Number> spoilt = spoil(mistake, answer, facts, last, others);
  last = answer.numbers;
  if (mistake == Mistake::stale && first_call) return;

  Number most = 0;  // that an element has moved, as its dtype holds it
  for (std::int64_t i = 0; i < answer.shape.size(); ++i) {
    if (facts.padding && kept(i)) continue;
    if (i < spoilt.written)
      output.set(i, spoilt.numbers[std::size_t(i)]);
    else
      output.set_bits(i, found[std::size_t(i)]);
    const Number now = i < spoilt.written ? output[i] : found_numbers[std::size_t(i)];
    most = std::max(most, moved(answer.numbers[std::size_t(i)], now));
  }
  const Number least = mistake == Mistake::rounded ? 0 : step(answer.numbers, facts) / 2;
  if (most == 0 || most < least) none("the answer is as good as the same");
}

}  // namespace podium::mistakes
