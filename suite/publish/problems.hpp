// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A problem as readers understand it: tensors, tolerances, references and checks in words.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "suite/problem/model/problem.hpp"

namespace podium::publish {

// How far an output may be from its reference: "exact", or a sum of its two parts; "" of an input.
std::string tolerance_text(const problem::Problem& problem, const problem::Tensor& tensor);
std::string fill_text(const problem::Tensor& tensor);  // "normal, mean 0, stddev 1"; "" of an output

nlohmann::json problem_json(const problem::Problem& problem);

}  // namespace podium::publish
