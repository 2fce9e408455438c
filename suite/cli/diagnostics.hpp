// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The diagnostic bundle: everything needed to analyse a failure on another machine, in one file.
#pragma once
#include <filesystem>
#include <vector>

namespace podium::cli {

// Writes JSON to `file`: the report of doctor; compilers and libraries; output of the vendors' and the
// system's tools; the kernel's files about AMD GPUs; the newest runs and all calibrations in `results`; the
// end of ctest's last log in the build tree; and the files in `with`. Names of the user, the home folder and
// the host are removed. Throws podium::Error if `file` cannot be written, or a file of `with` does not exist.
void write_bundle(const std::filesystem::path& file, const std::filesystem::path& results,
                  const std::vector<std::filesystem::path>& with);

}  // namespace podium::cli
