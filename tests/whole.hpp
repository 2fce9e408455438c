// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether tests that judge a sample by default are to judge everything: `scripts/test --all` says so.
#pragma once
#include <cstdlib>

namespace podium::test {

inline bool whole() { return std::getenv("PODIUM_TEST_WHOLE") != nullptr; }

}  // namespace podium::test
