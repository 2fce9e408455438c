// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/python.hpp"

#include <fmt/format.h>

#include "suite/base/error.hpp"
#include "suite/cli/places.hpp"

namespace podium::cli {

sandbox::Child start_python(const std::vector<std::string>& arguments) {
  // By a shell, since the program may be a script: a child executes an open file, which a script's
  // interpreter could not find.
  std::vector<std::string> all{"-c", "exec \"$0\" \"$@\"", publish_python().string(), "-s"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return sandbox::Child(
      {.program = "/bin/sh",
       .arguments = all,
       .environment = {"PYTHONPATH=" + site_folder().string(), "PYTHONDONTWRITEBYTECODE=1",
                       "PYTHONSAFEPATH=1"}});  // no module of the folder where the user stands
}

void run_module(const std::string& module, const std::vector<std::string>& arguments,
                const std::string& failed) {
  std::vector<std::string> all{"-m", module};
  all.insert(all.end(), arguments.begin(), arguments.end());
  sandbox::Child child = start_python(all);
  std::optional<sandbox::End> end;
  while (!end) end = child.ended(1000);
  if (*end != sandbox::succeeded)
    throw Error(fmt::format("{} {}; {}", module, sandbox::words_of(*end), failed));
}

}  // namespace podium::cli
