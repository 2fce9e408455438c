// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where this program finds what belongs to it: in a build folder, or in an installed tree.
#pragma once
#include <filesystem>

namespace podium::cli {

std::filesystem::path toolchain_file();  // toolchain.yaml; throws podium::Error
std::filesystem::path
problems_folder();  // $PODIUM_PROBLEMS, the checkout's kernels/, or the installed one; throws podium::Error
std::filesystem::path results_folder();  // $PODIUM_RESULTS, the checkout's results/, or ./results

}  // namespace podium::cli
