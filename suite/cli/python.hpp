// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Podium's Python packages in site/, run by the Python that `scripts/setup --publish` lays out.
#pragma once
#include <string>
#include <vector>

#include "suite/sandbox/process.hpp"

namespace podium::cli {

sandbox::Child start_python(const std::vector<std::string>& arguments);
// Runs `python3 -m MODULE ARGUMENTS...` and waits for its end. Throws podium::Error unless it succeeded;
// `failed` ends the sentence: "no pages were made in x".
void run_module(const std::string& module, const std::vector<std::string>& arguments,
                const std::string& failed);

}  // namespace podium::cli
