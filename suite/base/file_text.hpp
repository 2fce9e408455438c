// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace podium {

// What a file holds; "" if it cannot be read.
std::string text_of(const std::filesystem::path& file);
// The same. Throws podium::Error if it cannot be read: one sentence that names the file and says why.
std::string whole_text_of(const std::filesystem::path& file);

}  // namespace podium
