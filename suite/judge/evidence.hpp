// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The sentences of a verification: what was found, where, what was expected.
#pragma once
#include <cstdint>
#include <string>

#include "suite/problem/model/instance.hpp"
#include "suite/problem/program/launch.hpp"

namespace podium::judge {

// "y[3, 7]"; "y" for a single number.
std::string element_name(const problem::TensorInstance& tensor, std::int64_t linear);

// One number of an output or reference: `word` holds a double, i64 or u64.
std::string number(problem::Dtype dtype, std::uint64_t word);

// The same from an element's own bits, in the low end of a word.
std::string number_of_bits(problem::Dtype dtype, std::uint64_t bits);

// What was expected of an element, or was evaluated, by its kind.
std::string expected_number(problem::Dtype dtype, const program::Comparison& found);

// The worst element of a wrong output, and how many are wrong.
std::string wrong_output(const problem::TensorInstance& output, const program::Comparison& found,
                         const program::Scan& scan, std::uint8_t poison);
// Where the largest error of a right output is. `excuse`: the reference that excused elements.
std::string right_output(const problem::TensorInstance& output, const program::Comparison& found,
                         const program::Scan& scan, const std::string& excuse);

// What the scan adds to a sentence about a wrong output; "" if nothing.
std::string scan_remark(const problem::TensorInstance& output, const program::Scan& scan,
                        std::uint8_t poison);

// A check that was led out of range by a number that the contestant wrote.
std::string astray_sentence(const problem::Problem& problem, const problem::Instance& instance,
                            const program::Fault& fault, const std::string& range);

// More elements excused than near-ties explain.
std::string excuse_sentence(const problem::Reference& reference, const problem::Instance& instance,
                            const program::Comparison& found);

// The problem's own fault, with file and line.
std::string fault_sentence(const problem::Problem& problem, const problem::Instance& instance,
                           const program::Fault& fault, const std::string& range);

}  // namespace podium::judge
