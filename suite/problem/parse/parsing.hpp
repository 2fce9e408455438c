// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The sections of a problem file, each read by a function of its own. Internal to parse().
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/names.hpp"
#include "suite/problem/instance/faults.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/problem/parse/format.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/mistakes.hpp"

namespace podium::problem {

// What the sections share while a file is read.
struct Parsing {
  Problem problem;
  Mistakes mistakes;
  Names names;
  Scope scope;          // every number as 1, to try formulas before there is a workload
  bool unread = false;  // a section that may be, or should have been, references was not read
  std::set<std::string>
      unclear;  // tensors and references with mistakes: what uses them is not held against them
  std::map<std::string, StructureInstance> trial_structure;  // what scope.structure points to
  std::vector<int> ranks;                                    // that boards have; none: of one device
  std::set<std::string> referable;                           // every reference's name, also before it is read
};

// Each takes the root of the file and fills in problem's members of that name, in this order.
void parse_constants(Parsing& parsing, const Cursor& root);
void parse_axes(Parsing& parsing, const Cursor& root);
void parse_ranks(Parsing& parsing, const Cursor& root);  // the axis; parse_types() makes the boards
void parse_parameters(Parsing& parsing, const Cursor& root);
void parse_types(Parsing& parsing, const Cursor& root);
void parse_structure(Parsing& parsing, const Cursor& root);
void parse_symmetric(Parsing& parsing, const Cursor& root);
void parse_conditions(Parsing& parsing, const Cursor& root);
void parse_python(Parsing& parsing, const Cursor& root);  // reference and adapter that are files
void parse_tensors(Parsing& parsing, const Cursor& root);
void name_references(Parsing& parsing, const Cursor& root);   // into `referable` alone
void parse_references(Parsing& parsing, const Cursor& root);  // probes and general checks as well
void expect_answers(Parsing& parsing, const Cursor& root);    // of a reference in Python
void parse_checks(Parsing& parsing, const Cursor& root);
void parse_sample(Parsing& parsing, const Cursor& root);
void parse_cost(Parsing& parsing, const Cursor& root);
void parse_requires(Parsing& parsing, const Cursor& root);
void parse_baseline(Parsing& parsing, const Cursor& root);
void parse_workloads(Parsing& parsing, const Cursor& root);

// A fill of `tensor`, whose shape is known; nothing after a mistake.
std::optional<Fill> parse_fill(Parsing& parsing, const Cursor& cursor, const Tensor& tensor);
// The same where `cursor` is a map with the keys of a fill by `value`.
std::optional<Fill> parse_value_fill(Parsing& parsing, const Cursor& cursor, const Tensor& tensor);
// Whether a fill is a reference, rounded: of a form other than `value`, or with a term that calls more than
// direct fills know: other inputs, references, functions that devices round differently.
bool is_derived_fill(const Cursor& cursor);
// Those of all tensors and workloads.
struct DerivedFill {
  Cursor cursor;
  const Tensor& tensor;
};
std::vector<DerivedFill> derived_fills(const Parsing& parsing, const Cursor& root);
// The keys `strides` and `layout` of a tensor whose shape has been read.
void parse_layout(Parsing& parsing, const Cursor& cursor, Tensor& tensor);
// The probes, each as a reference that draws its elements.
std::vector<Reference> parse_probes(Parsing& parsing, const Cursor& root);
// Those of `checks` that state an index, a value or reduction, or a limit.
std::vector<Cursor> general_checks(const Cursor& root);
// The keys of a general check.
inline const std::vector<std::string> general_keys{"index", "value", "reduce", "limit"};
// Whether a check says what the elements of `tensor` must be.
bool verifies(const Problem& problem, const Check& check, const Tensor& tensor);
// Whether a tensor is of a floating dtype on some board.
inline bool floating_somewhere(const Problem& problem, const Tensor& tensor) {
  return on_some_board(problem, tensor, [](Dtype dtype) { return info(dtype).floating; });
}
// What of these an output's reference must not depend on, in words; "" if nothing.
std::string untrusted(const Problem& problem, const Dependence& depends);
// A formula whose names are known; nothing after a mistake. `instead`: what else to do where it calls tensors
// or references.
std::optional<Text> parse_formula(Parsing& parsing, const Cursor& cursor, std::string_view instead = "");
// The same of one that may use `indices` as well, and is then evaluated for each element by the judge's
// program.
std::optional<Text> parse_element_formula(Parsing& parsing, const Cursor& cursor,
                                          const std::vector<std::string>& indices);
// Extents, which structure cannot change.
std::vector<Text> parse_shape(Parsing& parsing, const Cursor& cursor);
// `used` of a tensor or structure of that rank: how much of its first axis is in use.
std::optional<Text> parse_used(Parsing& parsing, const Cursor& cursor, std::size_t rank);
// A dtype's name; nothing after a mistake. `more`: other names allowed here, for the sentence.
std::optional<Dtype> parse_dtype(const Cursor& cursor, const std::vector<std::string>& more = {});
const std::vector<std::string>& dtype_names();

}  // namespace podium::problem
