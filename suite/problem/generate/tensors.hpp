// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How the judge's program speaks of a problem's tensors and structure (types, memory and counts, as C++), and
// of its axes, parameters and constants (locals).
#pragma once
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "suite/problem/generate/plan.hpp"
#include "suite/problem/generate/text.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// What elements of floating tensors are where terms call them: doubles, or program::Number or Exact.
enum class Elements { plain, numbers, exact };

class TensorText {
 public:
  static std::string element(Dtype dtype);

 protected:
  TensorText(const Problem& problem, const Choice& choice)
      : problem_(problem), choice_(choice), plan_(problem) {}
  ~TensorText() = default;

  std::string element(std::size_t tensor) const;
  std::size_t tensor_index(std::string_view name) const;

  // The types of what terms call: x(i, j), length(b).
  // `before`: of an inout its values before the call, here and below.
  std::string tensor_accessor(std::size_t t, Elements elements, bool before = false) const;
  std::string structure_accessor(std::size_t s, Elements elements) const;

  // Where kernels have the words at hand.
  std::string count_of(std::size_t t) const;  // of elements
  std::string layout_of(std::size_t t, bool before = false) const;
  // Elements by number: a pointer where memory is that simple. Those before the call can be written.
  std::string data_of(std::size_t t, bool before = false) const;
  std::string laid_out(std::size_t t, bool before = false) const;  // the same, wherever it lies
  int place_of(std::size_t t, bool before) const;

  const Problem& problem_;
  const Choice& choice_;
  Plan plan_;
};

// Declares those that `used` names; podium_words is in scope there.
void declare_numbers(Lines& out, const Problem& problem, const Plan& plan,
                     const std::set<std::string, std::less<>>& used, std::string_view indent);

}  // namespace podium::problem
