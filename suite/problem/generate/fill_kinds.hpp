// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which of the ready-made fills a tensor's kernel must know: compiling all of them would take longer than the
// rest of a small problem.
#pragma once
#include <string>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// "podium::program::FillKind::normal, …": the kinds, but for `value`, by which the tensor is filled itself or
// in some workload, each once; "" if there are none.
std::string fill_kinds(const Problem& problem, const Tensor& tensor);

}  // namespace podium::problem
