// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The name someone probably meant, for error sentences.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace podium {

// The entry of `names` with the least edit distance to `word` (insertions, deletions, substitutions, swaps of
// neighbours; case counts half), or "" if none is near enough to be a slip: at most a third of the letters,
// at least one. Of equally near
// names the longer one: letters are forgotten more often than invented. Where none is near, the only one that
// begins with `word`.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

// `found "softmx", expected one of matmul, softmax, sort (nearest: "softmax")`; long lists are cut.
std::string found_one_of(std::string_view found, const std::vector<std::string>& names);

}  // namespace podium
