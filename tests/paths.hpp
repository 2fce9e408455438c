// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where the tests find what was built. A function and no macro: every preset has another build folder, and a
// text that names it would have to be compiled anew for each of them, where the compilers' cache could have
// answered.
#pragma once
#include <string>

namespace podium::test {

std::string binary_dir();  // absolute, of the preset that built the test

}  // namespace podium::test
