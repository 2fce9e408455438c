// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Bodies whose reals carry their magnitude.
#pragma once
#include <string>
#include <string_view>

namespace podium::problem {

// The text of a body with Number in place of double wherever that declares something, and with every result
// returned as one: `double all = 0; … return all;`. A conversion, `double(x)`, stays: what it gives counts by
// its own size. So do constexpr and static constants. No line is added.
std::string with_counted_reals(std::string_view body);

}  // namespace podium::problem
