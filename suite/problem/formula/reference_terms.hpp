// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The C++ texts of a reference, and which of its indices they need in full; inputs of which a
// reference reads what other values point to, which shapes do not bound.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// Every C++ text of a reference: term, first, where, targets, bounds of dependent ranges; none is empty.
std::vector<const Text*> terms_of(const Reference& reference);

// Whether the text is a function's body, as that of `code`, and no expression.
bool is_body(const std::string& term);

// For each of its indices, whether evaluating the form at one value takes the whole range: the index along
// which it scans or recurs, those that it scatters, those at which a recurrence calls itself elsewhere.
std::vector<bool> whole_indices(const Reference& reference);

// What of the references behind the magnitude of `reference` assigns reals whose magnitude nobody counts;
// nullptr if none does.
const Reference* uncounted(const Problem& problem, const Reference& reference);

// Whether sums are compensated: an output, or what a derived fill fills, is an f64. `dtypes`: of each tensor.
bool compensates(const Problem& problem, const std::vector<Dtype>& dtypes);

// Whether evaluating `reference`, its scale or what excuses it needs the form host, which only test workloads
// have.
bool needs_host(const Problem& problem, const Reference& reference);

struct Gathered {
  std::string tensor, reference;  // an input, and who reads it so
};
// The first input that the outputs' references read at no other places than those that values of tensors,
// structure or references point to. None of those whose part in use is stated: `used`. A place that a local
// variable of a C++ body names counts as one of its own: where it comes from is not followed.
std::optional<Gathered> gathered_input(const Problem& problem);

}  // namespace podium::problem
