// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The keys of the format's maps, in one table: the parser refuses all others, and the schema for editors
// (schema.hpp) is made of the same.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/yaml/format.hpp"

namespace podium::problem {

const std::vector<Form>& forms();
const Form& form(std::string_view name);  // throws std::logic_error if there is none

// Lists named `role`, `op`, `accumulator`, `parameter`, `structure_dtype`, `layout`, `backend`, `feature`,
// and those of fills and checks.
const std::vector<Words>& word_lists();
const std::vector<std::string>& words(std::string_view list);  // throws std::logic_error if there is none

}  // namespace podium::problem
