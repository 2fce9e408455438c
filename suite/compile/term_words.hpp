// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What compilers say of C++ terms, in the words of problem files.
#pragma once
#include <string>
#include <vector>

namespace podium::compile {

// The sentence for what g++, clang or NVRTC says of a term: common mistakes as "found …, expected …", others
// as the compiler has them, without the names of the judge's program. `names`: those that terms may use, for
// the nearest one.
std::string in_words(const std::string& what, const std::vector<std::string>& names);

// The name that the compiler does not know; "" if it says something else.
std::string undeclared_in(const std::string& what);

}  // namespace podium::compile
