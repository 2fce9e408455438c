// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that somebody elsewhere needs to know of a machine on which something goes wrong, in one file.
#pragma once
#include <filesystem>
#include <vector>

namespace podium::cli {

// Writes JSON to `file`: what doctor says; the compilers and libraries that were found; what the vendors' and
// the system's tools print; what the kernel tells of AMD GPUs; the newest runs and all calibrations in
// `results`; the end of what ctest wrote last in the build tree; and the files in `with`. The names of the
// user, of the home folder and of the host are left out. Throws podium::Error if the file cannot be written,
// or one of `with` is not there.
void write_bundle(const std::filesystem::path& file, const std::filesystem::path& results,
                  const std::vector<std::filesystem::path>& with);

}  // namespace podium::cli
