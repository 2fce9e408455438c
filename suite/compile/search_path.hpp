// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The folders that compilers search besides those of their command: CPATH and its like.
#pragma once
#include <string>
#include <vector>

namespace podium::compile {

// Variables that list such folders, with colons between.
const std::vector<const char*>& search_variables();

// Digest of all files below these folders: name, size, and when each was changed last. Reading them all would
// take seconds where such a folder holds the headers of a whole machine; the time of the last change
// (st_ctime) is the kernel's, and nobody sets it back.
std::string state_of_search_path();

}  // namespace podium::compile
