// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where the tests find sources and what was built. Functions and no macros: every checkout and every preset
// has folders of its own, and a text that names one would have to be compiled anew for each of them, where
// the compilers' cache could have answered.
#pragma once
#include <string>

namespace podium::test {

std::string source_dir();  // absolute: PODIUM_TEST_SOURCE, the checkout if it is not set
std::string binary_dir();  // absolute, of the preset that built the test
// Absolute: of what tests compile, by content, so that presets and checkouts may share it. PODIUM_TEST_CACHE,
// that of the preset if it is not set.
std::string cache_dir();
// Absolute, a file: PODIUM_TOOLCHAIN, that of the preset if it is not set.
std::string toolchain();
// Absolute, where podium, judges and workers lie: PODIUM_TEST_PROGRAMS, those that are shipped if it is not
// set.
std::string programs_dir();

}  // namespace podium::test
