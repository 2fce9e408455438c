// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that somebody elsewhere needs to know of a machine on which something goes wrong, in one file.
#pragma once
#include <filesystem>

namespace podium::cli {

// Writes JSON to `file`: what doctor says; the compilers and libraries that were found; what the vendors' and
// the system's tools print; what the kernel tells of AMD GPUs; the newest runs in `results`. The names of the
// user, of the home folder and of the host are left out. Throws podium::Error if the file cannot be written.
void write_bundle(const std::filesystem::path& file, const std::filesystem::path& results);

}  // namespace podium::cli
