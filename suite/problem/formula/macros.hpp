// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Names that the preprocessor would replace in a contestant.
#pragma once
#include <string_view>

namespace podium::problem {

// Whether headers of C, C++, the system or a GPU's SDK may define a macro of this name: capitals alone, but
// for one letter and its number (N, K0), as is the custom of C; and those that do not keep to it.
bool may_be_macro(std::string_view name);

}  // namespace podium::problem
