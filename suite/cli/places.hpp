// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where this program finds what belongs to it: in a build folder, or in an installed tree.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace podium::cli {

// toolchain.yaml, or what PODIUM_TOOLCHAIN names; throws podium::Error
std::filesystem::path toolchain_file();
std::filesystem::path
problems_folder();  // $PODIUM_PROBLEMS, the checkout's kernels/, or the installed one; throws podium::Error
std::optional<std::filesystem::path>
own_checkout();  // in which this program was built; none if it is installed
// The command by which the user started this program: PODIUM_COMMAND, which scripts/podium sets, or "podium".
std::string own_command();
// `path` as a user would type it: relative if it lies below the current folder.
std::string relative_to_here(const std::filesystem::path& path);
// The option that names that folder of problems, with a space before it; empty for the default folder.
std::string problems_option(const std::filesystem::path& folder);
// The Python that `scripts/setup --publish` lays out: in $PODIUM_PREFIX, or where setup does without it;
// throws
// podium::Error.
std::filesystem::path publish_python();
std::filesystem::path site_folder();  // of the Python packages: the checkout's site/, or the installed one
std::filesystem::path importers_folder();  // the same of importers/
std::filesystem::path results_folder();    // $PODIUM_RESULTS, the checkout's results/, or ./results

// The file of a problem given by name or path. Throws podium::Error with the nearest name.
std::filesystem::path problem_file(const std::string& name, const std::filesystem::path& folder);

}  // namespace podium::cli
