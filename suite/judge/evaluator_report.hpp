// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The sentences of a verification: what was found, where, what was expected.
#pragma once
#include <cstdint>
#include <string>

#include "suite/problem/instance.hpp"
#include "suite/problem/program/launch.hpp"

namespace podium::judge {

// "y[3, 7]"; "y" for a single number.
std::string element_name(const problem::TensorInstance& tensor, std::int64_t linear);

// One number of an output or reference: `word` holds a double, i64 or u64.
std::string number(problem::Dtype dtype, std::uint64_t word);

// The same from an element's own bits, in the low end of a word.
std::string number_of_bits(problem::Dtype dtype, std::uint64_t bits);

// The worst element of a wrong output, and how many are wrong.
std::string wrong_output(const problem::TensorInstance& output, const program::Comparison& found,
                         const program::Scan& scan, std::uint8_t poison);
// Where the largest error of a right output is.
std::string right_output(const problem::TensorInstance& output, const program::Comparison& found);

// What the scan adds to a sentence about a wrong output; "" if nothing.
std::string scan_remark(const problem::TensorInstance& output, const program::Scan& scan,
                        std::uint8_t poison);

// The problem's own fault, with file and line.
std::string fault_sentence(const problem::Problem& problem, const problem::Instance& instance,
                           const program::Fault& fault, const std::string& range);

}  // namespace podium::judge
