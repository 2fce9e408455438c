// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the judge's program holds for checks: tensors as terms read them beside inputs, and kernels of checks.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "suite/problem/generate/tensors.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::problem {

class CheckText : protected TensorText {
 protected:
  using TensorText::TensorText;
  ~CheckText() = default;

  // Declares the outputs and inouts that `term`, of reference `site`, reads as a contestant wrote them, or
  // with .initial or .reference; returns their names. The others are declared as results of references.
  // `itself`: in a recurrence the type of what the reference's own name is, and what it is made of.
  struct Itself {
    std::string type = "", made_of = "";
  };
  std::set<std::string, std::less<>> declare_views(Lines& out, std::size_t site, std::string_view term,
                                                   bool magnitude, Elements elements, bool fill,
                                                   const Itself& itself) const;

  // podium_check_NAME of each check that has a kernel, and podium_before_NAME of those that compare.
  void check_kernels(Lines& out) const;

  // The accessor of a reference's results, in all domains over which it is evaluated for a verification, or
  // for fills; "" if in none.
  std::string result_type(std::size_t reference, bool magnitude, bool fill) const;

 private:
  struct Code;  // what a built-in check's row is lent to write its kernels
};

}  // namespace podium::problem
