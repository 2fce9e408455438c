// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the writer of the judge's program lends to forms of references.
#pragma once
#include <string>
#include <vector>

#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/generate/plan.hpp"
#include "suite/problem/generate/text.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::problem {

class FormText {
 public:
  virtual ~FormText() = default;
  virtual const Problem& problem() const = 0;
  virtual const Plan& plan() const = 0;
  virtual Lines& out() = 0;
  virtual bool compensated() const = 0;                    // f64 outputs: compensated sums
  virtual bool integral(std::size_t reference) const = 0;  // of form host: whether it holds int64
  virtual std::string index_type(int set) const = 0;
  virtual std::string position(std::size_t reference, std::size_t k, int set) const = 0;
  virtual std::string positions(std::size_t reference, const std::vector<int>& sets) const = 0;

  using Function = FormFunction;
  virtual void write(std::size_t e, const Function& function) = 0;
  virtual void result(std::size_t e) = 0;  // podium_result_E, behind podium_evaluation_E
};

// The bounds of dependent ranges as functions of the indices outside of them; before what uses them.
void write_bounds(FormText& text, std::size_t e);
// podium_low_K and podium_high_K of loop k, where the indices outside of it are known.
void write_loop_bounds(FormText& text, std::size_t e, std::size_t k, const std::string& indent);

// Takes element number podium_element of reference r apart into the reference's indices.
void write_indices(FormText& text, std::size_t r, const std::vector<int>& sets);
// The call of evaluation e's term, of all its indices.
std::string call_term(std::size_t e, const Reference& reference);
// Members of a reduction's podium_evaluation_E: sums of one element, and of tiles of elements, whose last two
// indices have a few values each.
void write_accumulate(FormText& text, std::size_t e);
void write_accumulate_tile(FormText& text, std::size_t e);

// Whether the form of evaluation e writes itself; value, reduce and code are written by the program's writer.
bool write_form(FormText& text, std::size_t e);
bool write_form_kernels(FormText& text, std::size_t e);
void write_shared_kernels(FormText& text);  // once in a program

}  // namespace podium::problem
