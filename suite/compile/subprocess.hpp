// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Runs a trusted program to its end and reads what it says.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace podium::compile {

// `arguments[0]` is the program's path. Its standard output and error go to `line`, one call a line;
// `variables` are set in its environment. Where this process ends first, it is told to end (SIGTERM). Returns
// its exit status, or 128 and the number of the signal that ended it. Throws podium::Error if it cannot be
// started.
int run_program(const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& variables,
                const std::function<void(const std::string&)>& line);

}  // namespace podium::compile
